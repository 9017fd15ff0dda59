"""What went the wrong way is blamed, never booked; where it was moved, the other way is offered."""

from __future__ import annotations

import datetime as dt

import pytest

from toolmend.models.scripted import Scripted
from toolmend.session import Session
from toolmend.session.mend.direction import says_other_way
from toolmend.tools.toolboxes import Calendar

ADD = 'add_calendar_entry(title="Dentist", date="1 December 2026", time="9 am")'
BOOKS = 'add_calendar_entry(title="Wrong direction", date="1 December 2026", time="11 am")'

# Made up for this test, after a report.
SAID = [
    "Wrong direction with the time.",
    "The time went the wrong way.",
    "You moved it the wrong way!",
    "Other direction.",
    "That's the opposite of what I meant.",
    "Not later, earlier.",
    "You got the direction wrong",
    "Wrong way round",
    "The time should go the other way.",
    "I meant the other way.",
    "Backwards, please, not forwards.",
    "The wrong way with the hour!",
]


def talk(*replies: str) -> tuple[Session, Calendar]:
    box = Calendar(now=dt.datetime(2026, 11, 28, 10))
    return Session(Scripted(replies), box, "spoken"), box


@pytest.mark.parametrize("said", SAID)
def test_nothing_is_booked_and_the_other_way_is_offered(said: str) -> None:
    session, box = talk(ADD, 'change(time="an hour later")', BOOKS)
    session.say("Dentist on 1 December 2026 at 9 am")
    session.say("Make it an hour later")
    assert "1: time 08:00." in session.say(said).text
    assert [str(entry) for entry in box.entries] == ["2026-12-01 10:00  30 min  Dentist"]
    session.say("1")
    assert [str(entry) for entry in box.entries] == ["2026-12-01 08:00  30 min  Dentist"]


@pytest.mark.parametrize("said", SAID)
def test_where_nothing_was_moved_it_is_asked_what_is_meant(said: str) -> None:
    session, box = talk(ADD, BOOKS)
    session.say("Dentist on 1 December 2026 at 9 am")
    assert session.say(said).text.endswith("Please say what it should be.")
    assert [str(entry) for entry in box.entries] == ["2026-12-01 09:00  30 min  Dentist"]


@pytest.mark.parametrize(
    "said",
    ["Move it an hour the other way, to 8 am", "Opposite Day party on Friday at 8 pm", "Not Tuesday, Friday", "Later!"],
)
def test_what_gives_a_value_or_names_something_is_no_such_sentence(said: str) -> None:
    assert not says_other_way(said)
