"""Entries that are to recur, in words. The sentences are this file's own."""

from __future__ import annotations

import datetime as dt

import pytest

from toolmend.tools.toolboxes.repeats import changed_rule, recurring, rule_said

pytest.importorskip("recurring_ical_events", reason="needs the extra calendar")
NOW = dt.datetime(2026, 11, 28, 13)  # a Saturday

# What is said; title, rule, first day, time, minutes.
SAID = [
    ("Yoga every Wednesday at six until Easter",
     ("Yoga", "FREQ=WEEKLY;BYDAY=WE;UNTIL=20270328T235959", "2026-12-02", "18:00", 30)),
    ("Add a stand-up every other Friday at 9:30 for 15 minutes",
     ("Stand-up", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", "2026-12-04", "09:30", 15)),
    ("Book swimming on weekdays at 7am",
     ("Swimming", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "2026-11-30", "07:00", 30)),
    ("Choir practice on Tuesdays from 7pm to 9pm",
     ("Choir practice", "FREQ=WEEKLY;BYDAY=TU", "2026-12-01", "19:00", 120)),
    ("rent on the 1st of every month at noon", ("Rent", "FREQ=MONTHLY;BYMONTHDAY=1", "2026-12-01", "12:00", 30)),
    ("Team lunch on the last Friday of the month at 12:30",
     ("Team lunch", "FREQ=MONTHLY;BYDAY=-1FR", "2026-12-25", "12:30", 30)),
    ("Take the pill every day at 8 am for 10 days",
     ("Take the pill", "FREQ=DAILY;UNTIL=20261207T235959", "2026-11-28", "08:00", 30)),
    ("Piano lesson weekly on Monday and Thursday at 4pm, 45 minutes, until 20 December",
     ("Piano lesson", "FREQ=WEEKLY;BYDAY=MO,TH;UNTIL=20261220T235959", "2026-11-30", "16:00", 45)),
    ("Board meeting every three months at 10", ("Board meeting", "FREQ=MONTHLY;INTERVAL=3", "2026-11-28", "10:00", 30)),
    ("Anniversary dinner every year on 5 May at 19:00",
     ("Anniversary dinner", "FREQ=YEARLY", "2027-05-05", "19:00", 30)),
    ("Every Friday at 4pm: team beer", ("Team beer", "FREQ=WEEKLY;BYDAY=FR", "2026-12-04", "16:00", 30)),
    ("Weekly review with Bo on Fridays at 15:00",
     ("Weekly review with Bo", "FREQ=WEEKLY;BYDAY=FR", "2026-12-04", "15:00", 30)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "made"), SAID, ids=[text for text, _ in SAID])
def test_what_is_to_recur(text: str, made: tuple[str, str, str, str, int]) -> None:
    found = recurring(text, NOW, "07-19")
    assert found is not None
    assert (found.title, found.rule, str(found.first), found.times[0], found.minutes, found.problem) == (*made, "")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Yoga every Wednesday", "Yoga: at what time?"),
        ("Spin class every Thursday at 7", "Spin class: at 07:00 or at 19:00?"),
    ],
)
def test_what_is_missing_is_asked(text: str, problem: str) -> None:
    found = recurring(text, NOW, "07-19")
    assert found is not None and found.problem == problem


@pytest.mark.parametrize(
    "text",
    [
        "Lunch with Ada tomorrow at noon",
        "What's on every Wednesday?",
        "Cancel yoga every Wednesday",
        "Everyday carry talk on Monday at 3",
        "Gym every Monday at 18:00 except in August",
        "Yoga every Wednesday at six and Friday at seven",
        "every Wednesday at six",
        "Actually every Wednesday at six",
        "No, every Wednesday at six",
    ],
)
def test_what_is_not_understood_to_the_last_word_is_left_to_others(text: str) -> None:
    assert recurring(text, NOW, "07-19") is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Yoga every Wednesday at six until Easter", "every wednesday until easter"),
        ("Take the pill every day at 8 am for 10 days", "every day for 10 days"),
        ("Every other Friday at 4pm: team beer", "every other friday"),
    ],
)
def test_the_words_for_the_rule(text: str, words: str) -> None:
    found = recurring(text, NOW, "07-19")
    assert found is not None and found.words == words


@pytest.mark.parametrize(
    ("words", "first", "rule"),
    [
        ("every Wednesday until Easter", "2026-12-02", "FREQ=WEEKLY;BYDAY=WE;UNTIL=20270328T235959"),
        ("on weekdays", "2026-11-30", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("every Wednesday", "2026-12-03", ""),  # a Thursday
        ("often", "2026-12-02", ""),
    ],
)
def test_words_as_a_rule(words: str, first: str, rule: str) -> None:
    assert rule_said(words, dt.date.fromisoformat(first)) == rule


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("Actually on Thursdays", ("on thursdays until easter", "")),
        ("No, every other Wednesday at seven in the evening", ("every other wednesday until easter", "19:00")),
        ("no, until June 1st", ("every wednesday until june 1st", "")),
        ("It's every weekday", ("every weekday until easter", "")),
        ("No, at seven in the evening", None),
        ("Add lunch every Thursday at noon", None),
        ("No, it's called pilates", None),
    ],
)
def test_a_correction_of_how_often(text: str, changed: tuple[str, str] | None) -> None:
    assert changed_rule(text, "every wednesday until easter", NOW, "07-19") == changed
