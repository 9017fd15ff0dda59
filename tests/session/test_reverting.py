"""To undo is to bring back what was before, the former value too, however it is said. Sentences of our own."""

from __future__ import annotations

import datetime as dt

import pytest

from toolmend.models.scripted import Scripted
from toolmend.session import Session
from toolmend.session.asides import Aside, aside
from toolmend.tools.toolboxes import Calendar

HALF_PAST = 'action.add_calendar_entry("Dentist", date="2026-12-02", time="09:30")'
TEN = HALF_PAST.replace("09:30", "10:00")
GONE = HALF_PAST.replace("add", "remove")
TEA = HALF_PAST.replace("Dentist", "Tea")

UNDO = [
    "undo that",
    "Undo",
    "undo it, please".replace(",", ""),
    "Please take that back",
    "no, put it back",
    "change it back",
    "put it back the way it was",
    "revert that",
    "oops, undo the last change",
    "Could you undo that?",
    "roll it back",
    "go back",
    "leave it as it was",
    "undo what you just did",
]


def corrected(*more: str) -> Session:
    """A talk in which half past nine became ten."""
    session = Session(Scripted([HALF_PAST, TEN, *more]), Calendar(now=dt.datetime(2026, 11, 28, 13)), "oneline")
    session.request("Dentist on 2026-12-02 at 9:30")
    session.correct("/no rule reads this: ten")
    assert times(session) == ["10:00"]
    return session


def times(session: Session) -> list[str]:
    return [f"{entry.time:%H:%M}" for entry in session.tools.entries]


@pytest.mark.parametrize("said", UNDO)
def test_undo_of_a_correction_brings_the_former_value_back(said: str) -> None:
    session = corrected()
    answer = session.say(said)
    assert times(session) == ["09:30"]
    assert answer.text == f"Taken back.\nAs before: {HALF_PAST}"
    assert [call.id for call in session.standing] == ["c1"]


def test_undo_after_undo_goes_on_to_what_was_before() -> None:
    session = corrected()
    session.say("undo that")
    session.say("undo that")
    assert times(session) == []


def test_the_last_two_are_taken_back_at_once() -> None:
    session = corrected(TEA)
    session.request("Tea on 2026-12-02 at 9:30")
    session.say("undo the last two")
    assert times(session) == ["09:30"]


def test_undo_itself_can_be_taken_back() -> None:
    session = corrected()
    session.say("undo that")
    session.undo()
    assert times(session) == ["10:00"]
    assert [call.id for call in session.standing] == ["c2"]


def test_a_removal_is_undone() -> None:
    session = Session(Scripted([HALF_PAST, GONE]), Calendar(), "oneline")
    session.request("Dentist on 2026-12-02 at 9:30")
    session.request("Cancel the dentist")
    session.say("undo that")
    assert times(session) == ["09:30"]


def test_what_was_taken_back_in_words_is_back() -> None:
    session = Session(Scripted([HALF_PAST]), Calendar(), "oneline")
    session.request("Dentist on 2026-12-02 at 9:30")
    session.say("Forget it.")
    assert times(session) == []
    session.say("undo that")
    assert times(session) == ["09:30"]


def test_a_correction_after_an_undo_is_about_what_stands_again() -> None:
    session = corrected(TEN.replace("10:00", "11:00"))
    session.say("undo that")
    session.correct("eleven it is")
    assert times(session) == ["11:00"]


def test_what_is_to_be_gone_is_gone_whatever_it_was_before() -> None:
    session = corrected()
    session.say("Forget it.")
    assert times(session) == []


@pytest.mark.parametrize(
    "said",
    ["undo the zip", "put it back to 9:30", "take that back to the shop", "change it back to Tuesday", "go back home"],
)
def test_what_says_more_is_no_undo(said: str) -> None:
    assert aside(said) is None


def test_a_number_is_kept() -> None:
    assert aside("Please undo the last three changes") == Aside("undo", 3)
