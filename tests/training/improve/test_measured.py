"""Two runs before and after, rate by rate: literal outcomes."""

from __future__ import annotations

import pytest

from toolmend.evals.metrics.outcomes import Outcome, Played
from toolmend.store import Contestant, Run, RunConfig
from toolmend.training.improve.measured import Moved, Part, part


def played(run: str, right: list[int]) -> Played:
    """One case of one request for each number: right at once or not."""
    model = f"model {run}"
    config = RunConfig("dev", contestants=(Contestant(model, "oneline"),))
    outcomes = tuple(
        Outcome(f"chat/{number}", model, "oneline", 0, "corrected", values={"first_right": {0: float(hit)}})
        for number, hit in enumerate(right)
    )
    return Played(Run(run, config, "2026-01-01"), outcomes, run)


def first_right(found: Part) -> Moved:
    return next(each for each in found.moved if each.figure == "first_right")


WORSE, BETTER = played("a", [0] * 10 + [1] * 2), played("b", [1] * 12)


def test_a_rate_before_and_after() -> None:
    moved = first_right(part("all", WORSE, BETTER, decides=True))
    assert (moved.a, moved.b, moved.pairs, moved.cases, moved.test) == (2 / 12, 1.0, 12, 12, "mcnemar")
    assert moved.difference == pytest.approx(10 / 12)
    assert (moved.p, moved.p_holm, moved.way) == (2 / 2**10, 2 / 2**10, "better")  # the one rate there is


def test_both_sides_have_an_interval() -> None:
    moved = first_right(part("all", WORSE, BETTER, decides=True))
    assert moved.a_ends is not None and moved.b_ends is not None and moved.ends is not None
    assert [round(end, 3) for end in (*moved.a_ends, *moved.b_ends)] == [0.047, 0.448, 0.758, 1.0]  # Wilson's


def test_the_other_way_round_is_worse() -> None:
    assert first_right(part("all", BETTER, WORSE, decides=True)).way == "worse"


def test_only_some_cases() -> None:
    found = part("two", WORSE, BETTER, decides=True, only={"chat/0", "chat/11"})
    assert (found.cases, first_right(found).way, found.powerless) == (2, "same", True)
    assert found.runs == ("a", "b")


def test_no_case_at_all_is_powerless() -> None:
    found = part("none", WORSE, BETTER, decides=True, only=())
    assert (found.moved, found.cases, found.powerless) == ((), 0, True)


def test_enough_cases_are_not_powerless() -> None:
    assert not part("all", WORSE, BETTER, decides=True).powerless
