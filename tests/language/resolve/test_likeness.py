"""Values that are said by another thing's: its end, its day, its length, and what is not said by one."""

from __future__ import annotations

from typing import Any

import pytest
from tests.language.resolve.test_hearing import ADD, values

from toolmend.base.messages import Call
from toolmend.language.resolve.likeness import Likeness, in_plain, likenesses


def entry(title: str, date: str, time: str, duration: int | None = None) -> Call:
    given: dict[str, Any] = {"title": title, "date": date, "time": time}
    return Call(ADD, given | ({} if duration is None else {"duration": duration}), f"c{title}")


MATCH = entry("Semi-final", "2025-06-05", "10:00", 90)
FLIGHT = entry("Flight to Oslo", "2025-06-07", "06:10", 140)
TRAIN = entry("Train driving lesson", "2025-06-09", "16:00")
KNOWN = (MATCH, FLIGHT, TRAIN)


@pytest.mark.parametrize(
    ("text", "reply", "expected"),
    [
        (
            "Photos as soon as the semi-final is over",
            'title="Photos", time="as soon as the semi-final is over"',
            "11:30",
        ),
        ("Photos when the semi-final ends", 'title="Photos", time="when the semi-final ends"', "11:30"),
        ("Photos follow right after the semi-final", 'title="Photos", time="right after the semi-final"', "11:30"),
        ("Debrief follows semi-final immediately", 'title="Debrief", time="follows semi-final immediately"', "11:30"),
        ("Shower directly after semi-final", 'title="Shower", time="directly after semi-final"', "11:30"),
        ("Lunch 45 minutes after the semi-final is over", 'title="Lunch", time="45 minutes after"', "12:15"),
        ("Lunch 45 minutes after the semi-final", 'title="Lunch", time="45 minutes after the semi-final"', "10:45"),
        ("Warm-up right before the semi-final", 'title="Warm-up", time="right before the semi-final"', "09:30"),
        ("Warm-up right before semi-final, at 8:40", 'title="Warm-up", time="right before semi-final"', "08:40"),
        (
            "Physio just before thursday's semi-final",
            'title="Physio", time="just before thursday\'s semi-final"',
            "09:30",
        ),
    ],
)
def test_a_time_by_another_entry(text: str, reply: str, expected: str) -> None:
    assert [call[1:3] for call in values(text, f"add_calendar_entry({reply})", *KNOWN)] == [("2025-06-05", expected)]


def test_the_end_of_the_one_spoken_of_last() -> None:
    reply = 'add_calendar_entry(title="Tea", time="20 min after that one")'
    assert values("Tea 20 min after that one's done", reply, TRAIN) == [("Tea", "2025-06-09", "16:50")]


@pytest.mark.parametrize(
    "words", ["the eve of the semi-final", "the day before the semi-final", "the night before the semi-final"]
)
def test_a_day_by_another_entry(words: str) -> None:
    reply = f'add_calendar_entry(title="Dinner", date="{words}", time="20:00")'
    assert values(f"Dinner on {words}, 20:00", reply, *KNOWN) == [("Dinner", "2025-06-04", "20:00")]


@pytest.mark.parametrize(
    "words", ["morning of the semi-final", "the evening of the semi-final", "the day of the semi-final"]
)
def test_the_day_of_another_entry(words: str) -> None:
    reply = f'add_calendar_entry(title="Dinner", date="{words}", time="20:00")'
    assert values(f"Dinner on {words}, 20:00", reply, *KNOWN) == [("Dinner", "2025-06-05", "20:00")]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("just as long as the flight out", 140),
        ("the same length as the flight", 140),
        ("same duration as the semi-final", 90),
        ("twice as long as the semi-final", 180),
        ("half the length of the flight", 70),
        ("half an hour longer than the semi-final", 120),
        ("ten minutes shorter than the semi-final", 80),
        ("as long as the driving lesson", 30),
    ],
)
def test_a_length_by_another_entry(words: str, expected: int) -> None:
    text, reply = (
        f"Flight home on the 14th at 22:05, {words}",
        'add_calendar_entry(title="Flight home", date="the 14th", time="22:05"{})',
    )
    due = [("Flight home", "2025-06-14", "22:05", expected)]
    assert values(text, reply.format(f', duration="{words}"'), *KNOWN) == due
    assert values(text, reply.format(""), *KNOWN) == due


def test_a_start_and_an_end_by_another_entry() -> None:
    reply = 'add_calendar_entry(title="Final", date="12 June", time="same times as semi-final")'
    assert values("Final on 12 June, same times as semi-final", reply, *KNOWN) == [("Final", "2025-06-12", "10:00", 90)]


@pytest.mark.parametrize(
    ("text", "reply", "expected"),
    [
        ("Tea on 3 June, 20 past four", 'time="20 past four"', "16:20"),
        ("Tea on 3 June, an hour before noon", 'time="an hour before noon"', "11:00"),
        ("Tea on 3 June at 2 pm for as long as it takes", 'time="2 pm"', "14:00"),
        ("Tea on 3 June, 9 after 10", 'time="9 after 10"', "10:09"),
    ],
)
def test_what_is_said_by_no_entry(text: str, reply: str, expected: str) -> None:
    due = [("Tea", "2025-06-03", expected)]
    assert values(text, f'add_calendar_entry(title="Tea", date="3 June", {reply})', *KNOWN) == due


def test_words_are_taken_apart_at_every_link() -> None:
    assert list(likenesses("just as long as the way out")) == [
        Likeness("just as", "long as the way out"),
        Likeness("just as long as", "the way out"),
    ]
    assert list(likenesses("once the deploy is through")) == [Likeness("after", "the deploy", ends=True)]


@pytest.mark.parametrize(
    ("words", "plain"),
    [
        ("four weeks after that one", "four weeks after that"),
        ("in a fortnight from then", "a fortnight after that"),
        ("two days before this one", "two days before that"),
        ("the same day and again", "the same day"),
        ("a week from Friday", "a week from Friday"),
        ("in two weeks", "in two weeks"),
    ],
)
def test_what_points_back_is_said_plainly(words: str, plain: str) -> None:
    assert in_plain(words) == plain
