"""Marks over a conversation."""

from __future__ import annotations

from typing import Any

import pytest

from toolmend.base.mistakes import Correction, Kind, Mark, Mistake
from toolmend.grading import Grade, GradedTurn, mark_history, outcomes
from toolmend.grading.history import is_gone
from toolmend.grading.marks import marks_of

C, M, G, F, R, X = Mark.CORRECT, Mark.MISTAKE, Mark.GARBAGE, Mark.FIXED, Mark.RECURRING, Mark.REGRESSED
TIME = Mistake(Kind.WRONG_VALUE, "time", "f")
DATE = Mistake(Kind.WRONG_VALUE, "date", "f")
CHATTER = Mistake(Kind.CHATTER)
NO_CALL = Mistake(Kind.NO_CALL)


def said(*mistakes: Mistake) -> GradedTurn:
    return GradedTurn(graded(*mistakes))


def told(named: Mistake | None, *mistakes: Mistake) -> GradedTurn:
    return GradedTurn(graded(*mistakes), Correction("…", 2 if named else 0, named))


def graded(*mistakes: Mistake) -> Grade:
    valid = not any(mistake.kind is Kind.NO_CALL for mistake in mistakes)
    return Grade(mistakes, valid, marks_of(mistakes, valid))


@pytest.mark.parametrize(
    ("turns", "marks"),
    [
        ([said()], [(C,)]),
        ([said(TIME), told(TIME)], [(M,), (F,)]),
        ([said(TIME, CHATTER), told(TIME, CHATTER)], [(M, M), (F, M)]),
        ([said(TIME), told(TIME, DATE)], [(M,), (F, M)]),
        ([said(TIME), told(TIME, TIME)], [(R,), (R,)]),
        ([said(TIME, DATE), told(TIME, TIME)], [(M, R), (R,)]),
        ([said(TIME), told(TIME), said(TIME)], [(R,), (F,), (R,)]),
        ([said(TIME), said(TIME)], [(M,), (M,)]),
        ([said(CHATTER), said(CHATTER), said(CHATTER)], [(R,), (R,), (R,)]),
        ([said(CHATTER), said(), told(TIME, CHATTER), said(CHATTER)], [(R,), (C,), (X, R), (R,)]),
        ([said(TIME), told(None)], [(M,), (F,)]),
        ([said(TIME, DATE), told(None, TIME)], [(M, M), (M,)]),
        ([said(TIME), told(None, TIME)], [(M,), (M,)]),
        ([said(), told(TIME, TIME)], [(C,), (X, M)]),
        ([said(), told(TIME)], [(C,), (C,)]),
        ([said(), told(None, NO_CALL)], [(C,), (X, G)]),
        ([said(TIME), told(TIME, NO_CALL)], [(M,), (G,)]),
        ([said(NO_CALL), told(NO_CALL, TIME)], [(G,), (F, M)]),
        ([said(TIME), told(TIME, DATE, CHATTER, Mistake(Kind.SYNTAX))], [(M,), (F, G, G)]),
        ([said(TIME), told(CHATTER, TIME)], [(M,), (M,)]),
        ([said(TIME), told(DATE)], [(M,), (F,)]),
        ([said(TIME), said()], [(M,), (C,)]),
    ],
)
def test_marks(turns: list[GradedTurn], marks: list[tuple[Mark, ...]]) -> None:
    assert list(mark_history(turns)) == marks


def test_fixed_named_and_fixed_clean_are_kept_apart() -> None:
    first, second = outcomes([said(TIME, CHATTER), told(TIME, CHATTER)])[1], outcomes([said(TIME), told(TIME)])[1]
    assert (first.fixed_named, first.fixed_clean) == (True, False)
    assert (second.fixed_named, second.fixed_clean) == (True, True)


def test_recurring_names_the_mistakes() -> None:
    assert outcomes([said(TIME), told(TIME, TIME, DATE)])[1].recurring == {("wrong_value", "time")}


def wrong(kind: Kind, argument: str | None = None, got: Any = None) -> Mistake:
    return Mistake(kind, argument, "api.f", got=got)


@pytest.mark.parametrize(
    ("named", "now", "gone"),
    [
        (wrong(Kind.WRONG_VALUE, "time"), wrong(Kind.WRONG_FORMAT, "time"), True),
        (wrong(Kind.WRONG_VALUE, "time"), wrong(Kind.MISSING_ARGUMENT, "time"), False),
        (wrong(Kind.WRONG_VALUE, "time"), wrong(Kind.WRONG_TOOL), False),
        (wrong(Kind.WRONG_VALUE, "time"), wrong(Kind.MISSING_CALL), False),
        (wrong(Kind.WRONG_VALUE, "time"), wrong(Kind.UNKNOWN_TOOL, got="g"), False),
        (wrong(Kind.WRONG_VALUE, "time"), wrong(Kind.UNKNOWN_TOOL, got="f"), True),
        (wrong(Kind.WRONG_VALUE, "time"), wrong(Kind.WRONG_VALUE, "date"), True),
        (wrong(Kind.WRONG_FORMAT, "time"), wrong(Kind.WRONG_VALUE, "time"), False),
        (wrong(Kind.WRONG_TYPE, "n"), wrong(Kind.WRONG_VALUE, "n"), False),
        (wrong(Kind.MISSING_ARGUMENT, "n"), wrong(Kind.WRONG_VALUE, "n"), True),
        (wrong(Kind.UNKNOWN_ARGUMENT, "n"), wrong(Kind.WRONG_VALUE, "m"), True),
        (wrong(Kind.WRONG_TOOL), wrong(Kind.UNKNOWN_TOOL), False),
        (wrong(Kind.WRONG_TOOL), wrong(Kind.WRONG_VALUE, "n"), True),
        (wrong(Kind.EXTRA_CALL), wrong(Kind.REPEATED_CALL), False),
        (wrong(Kind.CHATTER), wrong(Kind.WRONG_VALUE, "n"), True),
        (wrong(Kind.CHATTER), wrong(Kind.CHATTER), False),
        (wrong(Kind.CHATTER), wrong(Kind.NO_CALL), False),
        (wrong(Kind.SYNTAX), wrong(Kind.CHATTER), True),
    ],
)
def test_a_mistake_is_gone_only_if_it_can_be_seen_to_be(named: Mistake, now: Mistake, gone: bool) -> None:
    assert is_gone(named, graded(now)) is gone
