"""Marks of stored samples against votes."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from toolmend.errors import BadOption
from toolmend.evals.judges.habits import Share
from toolmend.evals.judges.marks import marks_against_votes
from toolmend.evals.metrics.outcomes import Outcome, Said
from toolmend.ratings import Votes
from toolmend.stats import wilson


def outcome(model: str, case: str, *steps: tuple[bool, ...], attempt: int = 0) -> Outcome:
    """A sample whose replies to each step were right or not."""
    said: Mapping[int, Said] = {n: Said("", "", (), ((),) * len(each), each) for n, each in enumerate(steps)}
    return Outcome(case, model, "s", attempt, "corrected", steps=said)


GOOD, FIXED, BAD = (True,), (False, True), (False,)
STORED = [
    outcome("x", "one", GOOD, FIXED),
    outcome("y", "one", BAD, BAD),
    outcome("x", "two", GOOD),
    outcome("y", "two", GOOD),
    outcome("x", "one", BAD, attempt=1),
    outcome("y", "one", GOOD, attempt=1),
]


def against(*rows: tuple[str, str, str]) -> Votes:
    """Votes on x (a) and y (b): prompt, turn, winner."""
    prompt, turn, winner = zip(*rows, strict=True)
    return Votes.of(["x · s"] * len(rows), ["y · s"] * len(rows), winner, prompt=prompt, turn=turn)


def test_a_vote_on_a_step_is_held_against_its_first_reply() -> None:
    found = marks_against_votes(against(("one", "step 0", "a"), ("one", "step 1", "a")), STORED)
    assert found.better == Share(1, 1, *wilson(1, 1))
    assert found.ties == Share(0, 1, *wilson(0, 1))  # at step 1 both were wrong at first


def test_a_vote_on_a_conversation_counts_what_was_mended() -> None:
    stored = [outcome("x", "three", BAD, FIXED), outcome("y", "three", BAD, BAD)]
    assert marks_against_votes(against(("three", "", "b")), stored).better == Share(0, 1, *wilson(0, 1))


def test_attempts_are_kept_apart() -> None:
    found = marks_against_votes(against(("one", "step 0 attempt 1", "b"), ("one", "attempt 1", "b")), STORED)
    assert (found.better.k, found.better.n) == (2, 2)


def test_what_says_nothing_is_counted() -> None:
    votes = against(
        ("one", "step 0", "tie"), ("one", "step 0", "both_bad"), ("two", "step 0", "tie"), ("two", "", "a"),
        ("four", "step 0", "a"), ("one", "step 7", "a"), ("one", "noon", "a"),
    )  # fmt: skip
    found = marks_against_votes(votes, STORED)
    assert (found.better.n, found.undecided, found.ties.k, found.ties.n, found.unmatched) == (0, 2, 1, 2, 3)


def test_no_vote_about_the_run() -> None:
    with pytest.raises(BadOption, match="no vote is about this run: votes name x · s, y · s, the run has x · s"):
        marks_against_votes(against(("five", "", "a")), STORED)
    with pytest.raises(BadOption, match="without a column `prompt`"):
        marks_against_votes(Votes.of(["x"], ["y"], ["a"]), STORED)
