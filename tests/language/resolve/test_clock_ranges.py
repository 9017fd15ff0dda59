"""Times from when to when, and what only looks like one."""

from __future__ import annotations

import pytest

from toolmend.language.resolve.clock_ranges import clock_range, surely_a_range


@pytest.mark.parametrize(
    ("words", "start", "minutes"),
    [
        ("from 3 to 4:30 pm", "15:00", 90),
        ("18 h to 21 h", "18:00", 180),
        ("9-13", "09:00", 240),
        ("9 am till 1 pm", "09:00", 240),
        ("22:00 until 1:00", "22:00", 180),
    ],
)
def test_start_and_length(words: str, start: str, minutes: int) -> None:
    assert clock_range(words, "07-19") == (start, minutes)


@pytest.mark.parametrize("words", ["noon", "half past nine", "for two hours"])
def test_one_time_is_no_range(words: str) -> None:
    assert clock_range(words, None) is None


@pytest.mark.parametrize("words", ["from 10 to 2", "10 to 16", "9 am to 1 pm", "18h-21h", "10 till 2"])
def test_two_times_for_sure(words: str) -> None:
    assert surely_a_range(words)


@pytest.mark.parametrize("words", ["ten to one", "20 to 8", "quarter to 8:30", "10 minutes to 16"])
def test_minutes_before_an_hour_are_one_time(words: str) -> None:
    assert not surely_a_range(words)
