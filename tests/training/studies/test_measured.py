"""Two runs before and after, rate by rate: literal outcomes."""

from __future__ import annotations

import pytest

from toolmend.evals.comparing.pairing import pair, sides_across
from toolmend.evals.metrics.outcomes import Outcome, Played
from toolmend.store import Contestant, Run, RunConfig
from toolmend.training.studies.measured import Moved, cells, differences


def played(run: str, right: list[int]) -> Played:
    """One case of one request for each number: right at once or not."""
    model = f"model {run}"
    config = RunConfig("dev", contestants=(Contestant(model, "oneline"),))
    outcomes = tuple(
        Outcome(f"chat/{number}", model, "oneline", 0, "corrected", values={"first_right": {0: float(hit)}})
        for number, hit in enumerate(right)
    )
    return Played(Run(run, config, "2026-01-01"), outcomes, run)


WORSE, BETTER = played("a", [0] * 10 + [1] * 2), played("b", [1] * 12)


def first_right(before: Played, after: Played) -> Moved:
    moved = differences(pair(*sides_across(before, after)))
    return next(each for each in moved if each.figure == "first_right")


def test_a_rate_before_and_after() -> None:
    moved = first_right(WORSE, BETTER)
    assert (moved.a, moved.b, moved.pairs, moved.cases, moved.test) == (2 / 12, 1.0, 12, 12, "mcnemar")
    assert moved.difference == pytest.approx(10 / 12)
    assert (moved.p, moved.p_holm, moved.way) == (2 / 2**10, 2 / 2**10, "better")  # the one rate there is


def test_both_sides_have_an_interval() -> None:
    moved = first_right(WORSE, BETTER)
    assert moved.a_ends is not None and moved.b_ends is not None and moved.ends is not None
    assert [round(end, 3) for end in (*moved.a_ends, *moved.b_ends)] == [0.047, 0.448, 0.758, 1.0]  # Wilson's


def test_the_other_way_round_is_worse() -> None:
    assert first_right(BETTER, WORSE).way == "worse"


def test_a_rate_as_texts() -> None:
    assert cells(first_right(WORSE, BETTER))[:3] == ("first right", "17 % (5…45)", "100 % (76…100)")
