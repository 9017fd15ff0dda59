"""What is usual: said in a sentence, confirmed once, and in force in the next talk whatever the model writes."""

from __future__ import annotations

import pytest

from toolmend.extras.memory import Preferences, Remembering, Stream
from toolmend.extras.memory.usual import Usual, usual
from toolmend.models.scripted import Scripted
from toolmend.session import Session
from toolmend.tools import Toolbox
from toolmend.tools.toolboxes import Calendar

ADD = "action.add_calendar_entry"
FRED = f'{ADD}("Meeting with Fred", date="2031-05-06", time="17:00", duration=30)'
LUNCH = f'{ADD}("Lunch with Ada", date="2031-05-06", time="12:00")'


def heat(room: str, degrees: float) -> str:
    """Heat a room."""
    return f"{room}: {degrees}"


@pytest.mark.parametrize(
    ("text", "value", "when"),
    [
        ("meetings are 45 minutes", 45, "meetings"),
        ("My meetings usually last an hour.", 60, "meetings"),
        ("lunch always lasts an hour", 60, "lunch"),
        ("Remember that meetings take 45 minutes by default", 45, "meetings"),
        ("from now on, team meetings are 45 minutes long", 45, "team meetings"),
        ("duration is 45 by default", 45, ""),
    ],
)
def test_a_sentence_tells_what_is_usual(text: str, value: int, when: str) -> None:
    assert usual(text, Calendar().specs) == Usual(ADD, "duration", value, when)


@pytest.mark.parametrize(
    "text",
    ["the meeting is 45 minutes", "It is 45 minutes", "these are 45 minutes", "tests are fun", "Add a meeting at noon"],
)
def test_a_sentence_about_one_thing_tells_nothing(text: str) -> None:
    assert usual(text, Calendar().specs) is None


def test_a_unit_that_the_argument_is_called_by() -> None:
    assert usual("bedrooms are 19 degrees", Toolbox.of(heat).specs) == Usual("heat", "degrees", 19, "bedrooms")


def talk(stream: Stream, *replies: str) -> Session:
    session = Session(Scripted(replies), "calendar", "oneline")
    Remembering(stream).joins(session)
    return session


@pytest.fixture
def wishes(stream: Stream) -> Preferences:
    wishes = Preferences(stream)
    wishes.confirm(wishes.prefer(ADD, "duration", 45, when="meetings").id)
    return wishes


def test_what_was_confirmed_holds_in_the_next_talk(stream: Stream, wishes: Preferences) -> None:
    session = talk(stream, FRED)
    answer = session.request("Add a meeting with Fred on May 6 2031 at 5PM")
    assert str(session.tools) == "2031-05-06 17:00  45 min  Meeting with Fred"
    assert answer.calls[0].rules == {"duration": "your wish (m1)"}


@pytest.mark.usefixtures("wishes")
@pytest.mark.parametrize(
    ("said", "reply", "minutes"),
    [
        ("Meeting with Fred on May 6 2031 at 5PM for half an hour", FRED, 30),
        ("Meeting with Fred on May 6 2031 from five to six", FRED.replace("30", "60"), 60),
        ("Lunch with Ada on May 6 2031 at noon", LUNCH, 30),
    ],
)
def test_what_is_said_goes_before_what_is_usual(stream: Stream, said: str, reply: str, minutes: int) -> None:
    session = talk(stream, reply)
    session.request(said)
    assert f"  {minutes} min  " in str(session.tools)


@pytest.mark.usefixtures("wishes")
def test_a_correction_of_something_else_leaves_it(stream: Stream) -> None:
    session = talk(stream, FRED, FRED)
    session.request("Add a meeting with Fred on May 6 2031 at 5PM")
    session.correct("At six.")
    assert str(session.tools) == "2031-05-06 18:00  45 min  Meeting with Fred"
    session.correct("Make it 30 minutes.")
    assert str(session.tools) == "2031-05-06 18:00  30 min  Meeting with Fred"


@pytest.mark.usefixtures("wishes")
def test_what_was_said_for_the_call_that_an_edit_replaces_still_holds(stream: Stream) -> None:
    said = 'add_calendar_entry(title="meeting", date="8 June 2031", time="3 pm", duration="half an hour")'
    model = Scripted([said, 'change(time="4 pm")'])
    session = Session(model, "calendar", "spoken", mend=False)
    Remembering(stream).joins(session)
    session.say("a meeting on 8 June 2031 at 3 pm, half an hour")
    session.say("at four rather")
    assert str(session.tools) == "2031-06-08 16:00  30 min  meeting"


def test_what_was_taken_back_holds_no_more(stream: Stream, wishes: Preferences) -> None:
    wishes.undo("m1")
    session = talk(stream, FRED)
    session.request("Add a meeting with Fred on May 6 2031 at 5PM")
    assert "  30 min  " in str(session.tools)


def test_wishes_about_different_things_stand_beside_each_other(wishes: Preferences) -> None:
    wishes.confirm(wishes.prefer(ADD, "duration", 60, when="lunch").id)
    wishes.confirm(wishes.prefer(ADD, "duration", 50, when="meeting").id)
    assert [each.state for each in wishes.known()] == ["undone", "confirmed", "confirmed"]
