"""What a calendar answers by itself."""

from __future__ import annotations

import datetime as dt

import pytest

from toolmend.tools.toolboxes import Calendar
from toolmend.tools.toolboxes.calendar import Entry

LUNCH = Entry("Lunch", dt.date(2026, 11, 23), dt.time(12))
DENTIST = Entry("Dentist", dt.date(2026, 11, 24), dt.time(14, 30))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("What's on Tuesday?", "Tuesday, 24 November 2026\n  14:30  30 min  Dentist"),
        ("what do I have tomorrow", "Monday, 23 November 2026\n  12:00  30 min  Lunch"),
        ("Am I free on Friday?", "Friday, 27 November 2026: nothing"),
        ("what is on this week", "Monday, 16 November 2026 to Sunday, 22 November 2026: nothing"),
        ("list my entries for the 24th", "Tuesday, 24 November 2026\n  14:30  30 min  Dentist"),
        ("What's the dentist's number?", ""),
        ("Add what's on the list to Tuesday", ""),
    ],
)
def test_questions(text: str, told: str) -> None:
    calendar = Calendar([DENTIST, LUNCH], now=dt.datetime(2026, 11, 22, 13))
    assert calendar.answered(text) == told


def test_what_is_ahead() -> None:
    calendar = Calendar([DENTIST, LUNCH], now=dt.datetime(2026, 11, 22, 13))
    assert calendar.answered("What's on?").splitlines() == [
        "Monday, 23 November 2026  12:00  30 min  Lunch",
        "Tuesday, 24 November 2026  14:30  30 min  Dentist",
    ]
