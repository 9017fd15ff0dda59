"""Several entries of one sentence: every week until a day, all as long, and days that are said beside another one."""

from __future__ import annotations

from typing import Any

import pytest
from tests.language.resolve.test_hearing import ADD, heard, values

from toolmend.base.messages import Call

EXAM = Call(ADD, {"title": "Exam", "date": "2025-06-16", "time": "09:00", "duration": 150}, "c1")
SLIPS = Call(ADD, {"title": "Slips due", "date": "2025-05-19", "time": "08:30"}, "c2")
TEA = Call(ADD, {"title": "Tea with Dorothy", "date": "2025-05-24", "time": "15:00"}, "c3")


@pytest.mark.parametrize(
    ("date", "days"),
    [
        ("every fri until the 27th", ["2025-06-20", "2025-06-27"]),
        ("each Tuesday till 1 July", ["2025-06-17", "2025-06-24", "2025-07-01"]),
        ("every monday through the 23rd", ["2025-06-23"]),
    ],
)
def test_every_week_until_a_day(date: str, days: list[str]) -> None:
    reply = f'add_calendar_entry(title="Gym", date="{date}", time="6 pm")'
    assert values(f"Gym {date} at 6 pm", reply, EXAM) == [("Gym", day, "18:00") for day in days]


@pytest.mark.parametrize(
    ("said", "lengths"),
    [
        ("40 mins each!", [40, 40]),
        ("each 40 minutes", [40, 40]),
        ("40 minutes", [None, 40]),
        ("40 mins for the second", [None, 40]),
    ],
)
def test_each_is_as_long(said: str, lengths: list[int | None]) -> None:
    line = 'add_calendar_entry(title="{}", date="Jan 13", time="{}"{})'
    reply = "\n".join((line.format("Dentist", "8", ""), line.format("physio", "9", ', duration="40 minutes"')))
    calls = heard(f"Dentist on Jan 13 at 8, physio at 9, {said}", reply).calls
    assert [call.arguments.get("duration") for call in calls] == lengths


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("day 14 of this month", "2025-06-14"),
        ("the second Tuesday", "2025-06-10"),
        ("the last Friday", "2025-06-27"),
        ("the Friday before that Monday", "2025-06-13"),
        ("the day prior", "2025-06-15"),
    ],
)
def test_a_day_is_said_beside_the_one_before(words: str, expected: str) -> None:
    [call] = values(f"Move it to {words}", f'change(date="{words}")', amended=(EXAM,))
    assert call[1] == expected


@pytest.mark.parametrize(
    ("text", "reply", "expected"),
    [
        (
            "Kit check evening prior, 1945",
            'title="Kit check evening", date="prior", time="1945"',
            ("Kit check", "2025-06-15", "19:45"),
        ),
        ("Revision before it, 8.15", 'title="Revision", time="8.15"', ("Revision", "2025-06-16", "08:15")),
        (
            "English course the Thursday at 19h, until 20h30",
            'title="English course", date="the Thursday", time="19h until 20h30"',
            ("English course", "2025-06-19", "19:00", 90),
        ),
        (
            "Dye on 7 June at 9, two an a half hours",
            'title="Dye", date="7 June", time="9", duration="two an a half hours"',
            ("Dye", "2025-06-07", "09:00", 150),
        ),
        (
            "Choir rehearsal on Maundy Thursday, that's 17 April, 7 pm",
            'title="Choir rehearsal on Maundy", date="17 April", time="7 pm"',
            ("Choir rehearsal", "2025-04-17", "19:00"),
        ),
        (
            "group lesson arvo of the 18th, 2pm",
            'title="group lesson arvo", date="the 18th", time="2pm"',
            ("group lesson", "2025-06-18", "14:00"),
        ),
        (
            "Parents evening on the 18th, 7pm",
            'title="Parents evening", date="the 18th", time="7pm"',
            ("Parents evening", "2025-06-18", "19:00"),
        ),
        (
            "For Monday 23.06. at 8:00 the plumber",
            'title="plumber", date="Monday", time="23.06"',
            ("plumber", "2025-06-23", "08:00"),
        ),
        (
            "Plumber on Monday, 10.30",
            'title="Plumber", date="Monday", time="10.30"',
            ("Plumber", "2025-06-16", "10:30"),
        ),
        (
            "Sentencing of R. Okafor on 7 June at 9",
            'title="servement of R. Okafor", date="7 June", time="9"',
            ("Sentencing of R. Okafor", "2025-06-07", "09:00"),
        ),
    ],
)
def test_a_new_entry_is_read_to_its_edges(text: str, reply: str, expected: tuple[Any, ...]) -> None:
    assert values(text, f"add_calendar_entry({reply})", EXAM) == [expected]


def test_a_name_copied_into_the_day_is_a_new_entry() -> None:
    computed = heard("visa office 20 june please", 'change(date="visa office 20 june")', EXAM)
    assert computed.question is not None
    assert (computed.question.argument, computed.open and computed.open.line.words["title"]) == ("time", "visa office")
    [moved] = values("move the exam to 20 june", 'change(date="exam to 20 june")', EXAM)
    assert moved[:2] == ("Exam", "2025-06-20")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Margaret is coming to tea as well, put her in.", "Tea with Dorothy and Margaret"),
        ("Margaret comes too", "Tea with Dorothy and Margaret"),
    ],
)
def test_who_comes_too_joins_the_name(text: str, expected: str) -> None:
    [call] = values(text, 'change(title="tea with Margaret")', amended=(TEA,))
    assert call[0] == expected
