"""A call that waited for an answer, completed by what was said before."""

from __future__ import annotations

import pytest

from toolmend.base.messages import Call
from toolmend.language.resolve.background import Background, Open, Question
from toolmend.language.resolve.said import Said
from toolmend.session.mend import MendCase
from toolmend.session.mend.completing import said_before
from toolmend.tools.toolboxes import Calendar

ADD = "action.add_calendar_entry"
TEA = {"title": "Tea", "date": "2026-03-12", "time": "16:00"}
DENTIST = Call(ADD, {"title": "Dentist", "date": "2026-03-10", "time": "10:00"})


def days(asked: str, *, guessing: bool) -> list[str]:
    """The days of what is made without an answer, where one argument was asked for and the dentist stands."""
    waiting = Open(Said(ADD, {**TEA, asked: "?"}), Question(ADD, asked))
    case = MendCase("I said so.", (), Calendar().specs, "Tea, please", open=waiting, world=Background((DENTIST,)))
    computed = said_before(case, waiting, guessing=guessing)
    return [call.arguments["date"] for call in computed.calls] if computed else []


@pytest.mark.parametrize(("guessing", "made"), [(True, ["2026-03-10"]), (False, [])])
def test_the_last_day_is_taken_where_guessing_is_allowed_alone(guessing: bool, made: list[str]) -> None:
    assert days("date", guessing=guessing) == made


def test_the_last_day_is_no_title() -> None:
    assert days("title", guessing=True) == []
