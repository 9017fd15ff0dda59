"""What a calendar answers by itself."""

from __future__ import annotations

import datetime as dt

import pytest

from toolmend.tools.toolboxes import Calendar
from toolmend.tools.toolboxes.calendar import Entry
from toolmend.tools.toolboxes.occasions import Occasion

LUNCH = Entry("Lunch with Ada", dt.date(2026, 11, 23), dt.time(12))
DENTIST = Entry("Dentist", dt.date(2026, 11, 24), dt.time(14, 30), 60)
YOGA = Entry("Yoga", dt.date(2026, 11, 25), dt.time(18), 90)
FAIR = Occasion("Fair", dt.datetime(2026, 11, 28), dt.datetime(2026, 11, 30), whole=True)


@pytest.fixture
def calendar() -> Calendar:
    """On a Sunday."""
    box = Calendar([DENTIST, LUNCH, YOGA], now=dt.datetime(2026, 11, 22, 13))
    box.keep([FAIR], (), {LUNCH: (("Ada", "bo@example.org"), "Bar 5")})
    return box


# Written for this file; what is asked for are the kinds, not the words.
ASKED = [
    ("What's on Tuesday?", "Tuesday, 24 November 2026\n  14:30  60 min  Dentist"),
    ("what do I have tomorrow", "Monday, 23 November 2026\n  12:00  30 min  Lunch with Ada"),
    ("what is on this week", "Monday, 16 November 2026 to Sunday, 22 November 2026: nothing"),
    ("list my entries for the 24th", "Tuesday, 24 November 2026\n  14:30  60 min  Dentist"),
    ("Could you tell me what I have on Monday?", "Monday, 23 November 2026\n  12:00  30 min  Lunch with Ada"),
    ("what have I got on tomorrow evening", "Monday, 23 November 2026, 18:00–23:00: nothing"),
    ("What's happening next weekend?", "Saturday, 28 November 2026  all day  Fair (until Sunday, 29 November)"),
    ("What's next?", "Next is Lunch with Ada, Monday, 23 November 2026\n  12:00  30 min  Lunch with Ada"),
    ("When is my next yoga class?", "Next is Yoga, Wednesday, 25 November 2026\n  18:00  90 min  Yoga"),
    ("Am I free on Friday?", "Friday, 27 November 2026: free"),
    ("am I free on Wednesday afternoon?", "Wednesday, 25 November 2026, 12:00–18:00: free"),
    ("Is Wednesday evening free?", "Wednesday, 25 November 2026, 18:00–23:00: not all free\n  18:00  90 min  Yoga"),
    ("do I have time tomorrow at noon?", "Monday, 23 November 2026, 12:00–12:30: not free\n"
     "  12:00  30 min  Lunch with Ada"),
    ("Am I free at 7 on Wednesday?", "Wednesday, 25 November 2026, 07:00–07:30: free\n"
     "Wednesday, 25 November 2026, 19:00–19:30: not free\n  18:00  90 min  Yoga"),
    ("When am I free for an hour tomorrow?",
     "Free for 60 minutes:\n  Monday, 23 November 2026: 07:00–12:00, 12:30–20:00"),
    ("find me six hours on Tuesday", "Free for 360 minutes:\n  Tuesday, 24 November 2026: 07:00–14:30"),
    ("When do I have 20 hours free on Tuesday?", "Tuesday, 24 November 2026: no 1200 minutes are free"),
    ("How long is yoga?", "Yoga is 1 hour and 30 minutes long: Wednesday, 25 November 2026  18:00  90 min  Yoga"),
    ("What time does yoga start?", "Yoga is on Wednesday, 25 November 2026  18:00  90 min  Yoga"),
    ("When is the dentist?", "Dentist is on Tuesday, 24 November 2026  14:30  60 min  Dentist"),
    ("Who is coming to lunch?", "Lunch with Ada, Monday, 23 November 2026: Ada, bo@example.org"),
    ("who is coming to yoga", "Yoga, Wednesday, 25 November 2026: the calendar names nobody"),
    ("Where is lunch?", "Lunch with Ada, Monday, 23 November 2026: Bar 5"),
    ("how many meetings do I have tomorrow", "Monday, 23 November 2026: 1\n  12:00  30 min  Lunch with Ada"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "told"), ASKED, ids=[text for text, _ in ASKED])
def test_questions(text: str, told: str, calendar: Calendar) -> None:
    assert calendar.answered(text) == told


@pytest.mark.parametrize(
    "text",
    [
        "What's the dentist's number?",
        "Add what's on the list to Tuesday",
        "Am I free on Friday? If so add lunch at noon.",
        "Where is the dentist's number?",
        "Who is Ada?",
        "How long should the meeting be?",
        "Lunch tomorrow at noon",
        "Free up Tuesday",
        "When is Easter?",
        "Next is the dentist, move it to Friday",
        "Find me a dentist",
    ],
)
def test_what_is_no_question_about_time_is_not_answered(text: str, calendar: Calendar) -> None:
    assert calendar.answered(text) == ""


def test_it_is_what_was_last_spoken_of(calendar: Calendar) -> None:
    calendar.answered("What's next?")
    assert calendar.answered("How long is it?").startswith("Lunch with Ada is 30 minutes long")


def test_it_is_what_was_just_added(calendar: Calendar) -> None:
    calendar.add_calendar_entry("Tea", dt.date(2026, 11, 27), dt.time(16), 20)
    assert calendar.answered("How long is it?").startswith("Tea is 20 minutes long")


def test_what_is_ahead() -> None:
    calendar = Calendar([DENTIST, LUNCH], now=dt.datetime(2026, 11, 22, 13))
    assert calendar.answered("What's on?").splitlines() == [
        "Monday, 23 November 2026  12:00  30 min  Lunch with Ada",
        "Tuesday, 24 November 2026  14:30  60 min  Dentist",
    ]


def test_that_something_cannot_be_read_is_said(calendar: Calendar) -> None:
    calendar.keep([], ["Dentist: DURATION:1H is no length of time"])
    assert calendar.answered("What's on Friday?").endswith("(one entry that cannot be read)")
