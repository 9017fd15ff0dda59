"""What recurs: rules, occurrences, and what a talk does with them."""

from __future__ import annotations

import datetime as dt
from typing import Any

import anyio
import pytest

from toolmend import Session
from toolmend.base.errors import BadFile, ToolError
from toolmend.models.scripted import Scripted
from toolmend.tools.toolboxes import Calendar
from toolmend.tools.toolboxes.calendar import Entry
from toolmend.tools.toolboxes.series import Series, in_words, tame

pytest.importorskip("recurring_ical_events", reason="needs the extra calendar")
YOGA = Series("Yoga", dt.date(2026, 12, 2), dt.time(18), 60, "FREQ=WEEKLY;BYDAY=WE;UNTIL=20270328T235959")


@pytest.fixture
def calendar() -> Calendar:
    box = Calendar(now=dt.datetime(2026, 11, 28, 13))
    box.restore([YOGA])
    return box


def days(box: Calendar, until: str = "2027-01-01") -> list[str]:
    """When it is."""
    start, end = dt.datetime(2026, 11, 28), dt.datetime.fromisoformat(until)
    return [f"{row.start:%m-%d %H:%M}" for row in box.between(start, end)]


def said(box: Calendar, *texts: str) -> Session:
    """A talk in which these are said, as `toolmend chat` takes them."""
    session = Session(Scripted(["-"]), box)

    async def play() -> None:
        for text in texts:
            reply, words = box.meant(text)
            if reply:
                await session.play(words, reply=reply)
            else:
                assert box.answered(text)

    anyio.run(play)
    return session


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("FREQ=WEEKLY;BYDAY=WE;UNTIL=20270328T235959", "every Wednesday until 28 March 2027"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", "every other Friday"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
        ("FREQ=MONTHLY;BYDAY=-1FR", "every month on the last Friday"),
        ("FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=15", "every 3 months on day 15"),
        ("FREQ=DAILY;COUNT=10", "every day, 10 times"),
    ],
)
def test_a_rule_in_words(rule: str, words: str) -> None:
    assert in_words(rule) == words


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=SECONDLY",
        "FREQ=DAILY;BYHOUR=0,1,2,3",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=DAILY;BYSETPOS=2",
        "FREQ=MONTHLY;BYMONTHDAY=" + ",".join("1" * 300),
        "FREQ=DAILY;COUNT=99999999999",
        "INTERVAL=2",
        "often",
    ],
)
def test_a_rule_that_could_be_reckoned_with_for_ever_is_refused(rule: str) -> None:
    with pytest.raises(ToolError, match="repeat: "):
        tame(rule)


def test_it_is_answered_over_occurrences(calendar: Calendar) -> None:
    told = "Wednesday, 9 December 2026\n  18:00  60 min  Yoga  (repeats)"
    assert calendar.answered("What's on the 9th of December?") == told


def test_one_that_is_added_in_words() -> None:
    box = Calendar(now=dt.datetime(2026, 11, 28, 13))
    said(box, "Yoga every Wednesday at six for an hour until Easter")
    assert box.series == (YOGA,)


@pytest.mark.parametrize(
    ("texts", "left"),
    [
        (["cancel yoga on 9 December", "just this one"], ["12-02 18:00", "12-16 18:00", "12-23 18:00", "12-30 18:00"]),
        (["cancel only the yoga on 9 December"], ["12-02 18:00", "12-16 18:00", "12-23 18:00", "12-30 18:00"]),
        (["skip yoga on 16 December", "all from here on"], ["12-02 18:00", "12-09 18:00"]),
        (["stop yoga"], []),
        (["move yoga on 9 December to 7 pm", "this one"],
         ["12-02 18:00", "12-09 19:00", "12-16 18:00", "12-23 18:00", "12-30 18:00"]),
        (["move yoga on 16 December to Thursday 17 December", "all of them"],
         ["12-02 18:00", "12-09 18:00", "12-17 18:00", "12-24 18:00", "12-31 18:00"]),
    ],
)  # fmt: skip
def test_one_or_all_from_then_on(texts: list[str], left: list[str], calendar: Calendar) -> None:
    said(calendar, *texts)
    assert days(calendar) == left


@pytest.mark.parametrize("text", ["cancel only the yoga on 9 December", "stop yoga", "move all yoga to 7 pm"])
def test_each_is_undone(text: str, calendar: Calendar) -> None:
    session = said(calendar, text)
    assert calendar.series != (YOGA,)
    session.undo()
    assert (calendar.series, calendar.entries) == ((YOGA,), [])


def test_which_is_meant_is_asked(calendar: Calendar) -> None:
    asks = "Yoga repeats. Only this one, Wednesday, 2 December 2026 at 18:00, or all from here on?"
    assert (calendar.meant("Cancel yoga."), calendar.answered("Cancel yoga.")) == (("", ""), asks)


def test_what_is_said_of_something_else_is_left_to_the_model(calendar: Calendar) -> None:
    assert (calendar.meant("Cancel the dentist"), calendar.answered("Cancel the dentist")) == (("", ""), "")


def test_a_question_that_is_not_answered_is_forgotten(calendar: Calendar) -> None:
    calendar.answered("Cancel yoga.")
    calendar.meant("Lunch with Ada tomorrow at noon")
    assert calendar.meant("this one") == ("", "")


def test_the_answer_to_a_question_stands_on_what_was_said_before(calendar: Calendar) -> None:
    calendar.answered("Cancel yoga.")
    assert calendar.meant("just this one")[1] == "Cancel yoga. just this one"


def test_the_tool_that_removes_takes_one_of_them(calendar: Calendar) -> None:
    assert calendar.remove_calendar_entry("yoga", dt.date(2026, 12, 9), dt.time(18)).duration == 60
    assert "12-09 18:00" not in days(calendar)


def test_a_model_sees_the_two_tools_alone(calendar: Calendar) -> None:
    assert [spec.name for spec in calendar.specs] == ["add_calendar_entry", "remove_calendar_entry"]


def test_a_number_of_times_that_moves_keeps_its_number() -> None:
    box = Calendar(now=dt.datetime(2026, 11, 28, 13))
    box.restore([Series("Yoga", dt.date(2026, 12, 2), dt.time(18), 60, "FREQ=WEEKLY;COUNT=4")])
    box.move_repeating_entry(
        "Yoga", dt.date(2026, 12, 9), dt.time(18), dt.date(2026, 12, 10), dt.time(18), following=True
    )
    assert days(box, "2027-06-01") == ["12-02 18:00", "12-10 18:00", "12-17 18:00", "12-24 18:00"]


def test_state_both_ways(calendar: Calendar) -> None:
    calendar.add_calendar_entry("Tea", dt.date(2026, 12, 1), dt.time(16))
    again = Calendar()
    again.set_state(calendar.state())
    assert (again.series, again.entries) == ((YOGA,), [Entry("Tea", dt.date(2026, 12, 1), dt.time(16))])


@pytest.mark.parametrize("row", [{}, {**YOGA.to_json(), "rule": "FREQ=SECONDLY"}, 7])
def test_a_broken_state_is_named(row: Any) -> None:
    with pytest.raises(BadFile, match="series 1: no series"):
        Calendar().set_state({"entries": [], "series": [row]})
