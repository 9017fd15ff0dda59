"""What a sentence says of a change beyond the words that were copied: longer, until when, moved by, not at."""

from __future__ import annotations

from typing import Any

import pytest
from tests.language.resolve.test_hearing import ADD, values

from toolmend.base.messages import Call
from toolmend.language.resolve.changed import compared

GALA = Call(ADD, {"title": "Gala", "date": "2025-06-05", "time": "19:00", "duration": 120}, "c1")
WORKSHOP = Call(ADD, {"title": "Workshop", "date": "2025-06-06", "time": "10:00"}, "c2")
RECITAL = Call(ADD, {"title": "Recital", "date": "2025-06-07", "time": "16:45"}, "c3", said={"time": "quarter to five"})


def changed(text: str, words: str, call: Call) -> tuple[Any, ...]:
    [one] = values(text, f"change({words})", amended=(call,))
    return one[2:]


@pytest.mark.parametrize(
    ("sentence", "words", "expected"),
    [
        ("Gala extended by 90 minutes", "90 minutes", "90 minutes longer"),
        ("Extend the gala to 90 minutes", "90 minutes", "90 minutes"),
        ("Shorten it by half an hour", "half an hour", "half an hour shorter"),
        ("Cut it to half an hour", "half an hour", "half an hour"),
        ("Add 20 minutes to the workshop", "20 minutes", "20 minutes longer"),
        ("Knock 15 minutes off the gala", "15 minutes", "15 minutes shorter"),
        ("Give the gala another half hour", "half hour", "half hour longer"),
        ("They need 20 minutes more", "20 minutes", "20 minutes longer"),
        ("an hour longer please", "an hour longer", "an hour longer"),
        ("Add a gala, 20 minutes", "20 minutes", "20 minutes"),
    ],
)
def test_a_length_is_compared_as_the_sentence_does(sentence: str, words: str, expected: str) -> None:
    assert compared(words, sentence) == expected


def test_longer_than_the_usual_length() -> None:
    assert changed("The workshop takes an hour longer", 'duration="an hour longer"', WORKSHOP) == ("10:00", 90)


@pytest.mark.parametrize(
    ("text", "time", "expected"),
    [
        ("The gala starts half an hour earlier; the end stays.", "half an hour earlier", ("18:30", 150)),
        ("Gala at 8 pm instead, same end time", "8 pm", ("20:00", 60)),
        ("Start it 45 minutes earlier. Still done at nine.", "45 minutes earlier", ("18:15", 165)),
        ("20 minutes later, but we still must be out by half nine", "20 minutes later", ("19:20", 130)),
        ("they have us at eight but want us gone, they want us gone by ten", "eight", ("20:00", 120)),
        ("the gala is only till 8", "5 till 8", ("19:00", 60)),
        ("half an hour earlier", "half an hour earlier", ("18:30", 120)),
        ("gala at seven thirty, then home by ten with the kids", "seven thirty", ("19:30", 120)),
        ("the weekend stays as it is, the gala is at 8 pm", "8 pm", ("20:00", 120)),
    ],
)
def test_an_end_stays_or_is_said_while_the_start_moves(text: str, time: str, expected: tuple[Any, ...]) -> None:
    assert changed(text, f'time="{time}"', GALA) == expected


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("Push the gala by the same 90.", 'time="90"', "20:30"),
        ("So the gala also moves, by these forty-five minutes.", 'time="10.15"', "19:45"),
        ("Move the gala up by 30 minutes", 'time="30 minutes"', "18:30"),
        ("Shift the gala by half an hour", 'time="half an hour"', "19:30"),
        ("Gala at 2015, please", 'date="2015"', "20:15"),
        ("Ada cannot make seven. Give her twenty to eight.", 'time="seven"', "19:40"),
        ("not before eight, so make it eight", 'time="eight"', "20:00"),
    ],
)
def test_a_time_is_the_one_that_the_sentence_wants(text: str, words: str, expected: str) -> None:
    assert changed(text, words, GALA)[0] == expected


def test_a_year_stays_a_year() -> None:
    [call] = values("Gala in 2026", 'change(date="2026")', amended=(GALA,))
    assert call[1] == "2026-06-05"


def test_a_day_moves_by_the_length_that_is_said() -> None:
    [call] = values("Continue the gala by two weeks", 'change(of="the gala", date="two weeks")', amended=(GALA,))
    assert call[1] == "2025-06-19"


@pytest.mark.parametrize(("time", "text"), [("a quarter past", "It's a quarter past"), ("ten past", "No, ten past")])
def test_minutes_past_keep_the_hour_that_was_named(time: str, text: str) -> None:
    expected = {"a quarter past": "17:15", "ten past": "17:10"}[time]
    assert changed(text, f'time="{time}"', RECITAL) == (expected,)
    assert changed("Half past, not seven", 'time="half past"', GALA)[0] == "19:30"


def test_a_time_that_was_said_before_is_not_heard_anew() -> None:
    before = "The gala starts at 19.30, the recital too"
    [one] = values("wrong one", 'change(time="19.30")', amended=(GALA,), before=before)
    assert one[2] == "19:30"
