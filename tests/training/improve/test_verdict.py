"""Keep or not: literal outcomes."""

from __future__ import annotations

import pytest

from toolmend.training.improve.measured import Moved, Part
from toolmend.training.improve.verdict import decide


def moved(figure: str, difference: float, p: float | None, cases: int = 30) -> Moved:
    return Moved(figure, cases, cases, 0.5, None, 0.5 + difference, None, difference, None, "mcnemar", p, p)


UP = moved("first_right", 0.2, 0.01)
FLAT = moved("first_right", 0.2, 0.2)
DOWN = moved("fix_at_1", -0.2, 0.01)
SLIPPED = moved("fix_at_1", -0.2, 0.2)


def held(*figures: Moved) -> Part:
    return Part("held out", "dev", True, figures)


def guard(*figures: Moved) -> Part:
    return Part("guard", "other", False, figures)


@pytest.mark.parametrize(
    ("parts", "kept"),
    [
        ([held(UP)], True),
        ([held(UP, SLIPPED)], True),
        ([held(UP), guard(FLAT)], True),
        ([held(UP), guard(SLIPPED)], True),
        ([held(UP, DOWN)], False),
        ([held(UP), guard(DOWN)], False),
        ([held(FLAT)], False),
        ([held(FLAT), guard(UP)], False),  # a guard may only object
        ([held(), guard(UP)], False),
        ([held(moved("first_right", 0.2, None))], False),
        ([], False),
    ],
)
def test_kept_only_if_better_where_it_counts_and_worse_nowhere(parts: list[Part], kept: bool) -> None:
    assert decide(parts).kept is kept


@pytest.mark.parametrize(
    ("figure", "difference", "p", "way"),
    [
        ("first_right", 0.1, 0.049, "better"),
        ("first_right", -0.1, 0.049, "worse"),
        ("first_right", 0.1, 0.05, "same"),
        ("first_right", 0.0, 0.001, "same"),
        ("first_right", 0.1, None, "same"),
        ("regress", 0.1, 0.01, "worse"),  # more right replies given up
        ("regress", -0.1, 0.01, "better"),
    ],
)
def test_which_way_a_rate_went(figure: str, difference: float, p: float | None, way: str) -> None:
    assert moved(figure, difference, p).way == way


@pytest.mark.parametrize(
    ("cases", "ends", "way"),
    [
        (2, (-0.4, -0.3), "worse"),  # no test of two cases finds anything
        (2, (-0.4, 0.1), "same"),
        (30, (-0.4, -0.3), "same"),  # enough cases: the test decides
        (2, None, "same"),
    ],
)
def test_a_loss_in_too_few_cases_to_test_counts(cases: int, ends: tuple[float, float] | None, way: str) -> None:
    lost = Moved("first_right", cases, cases, difference=-0.36, ends=ends, p=1.0, p_holm=1.0)
    assert lost.way == way


def test_a_gain_in_too_few_cases_does_not_count() -> None:
    assert Moved("first_right", 2, 2, difference=0.36, ends=(0.3, 0.4), p=1.0, p_holm=1.0).way == "same"


def test_the_reasons_name_rate_and_part() -> None:
    assert decide([held(UP), guard(DOWN)]).why == ("guard: fix@1 is worse, −20 %, p 0.010 after Holm",)
    assert decide([held(UP)]).why == ("held out: first right is better, +20 %, p 0.010 after Holm",)
    assert decide([held(FLAT)]).why == ("held out: nothing is better beyond chance",)


def test_too_few_cases_are_said() -> None:
    few = held(moved("first_right", 0.5, 0.5, 4))
    assert decide([few]).why == ("held out: 4 cases are too few: no difference, however clear, could be beyond chance",)
