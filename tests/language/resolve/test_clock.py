"""A time with two figures before its colon is that time on the clock, by day and by night alike."""

from __future__ import annotations

import pytest

from toolmend.language.resolve import resolve
from toolmend.language.resolve.clock_ranges import clock_range

TIME = {"type": "string", "format": "time"}


@pytest.mark.parametrize("words", ["12:45", "10:15", "11:00", "12:00", "10.50", "09:45", "07:05", "00:30", "13:10"])
@pytest.mark.parametrize("against", [None, "08:00", "16:30", "22:30"])
@pytest.mark.parametrize("hours", [None, "07-19", "13-23"])
def test_it_is_as_written(words: str, against: str | None, hours: str | None) -> None:
    assert resolve(words, TIME, like=against, hours=hours).value == words.replace(".", ":")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("words", "value"),
    [("12:45 am", "00:45"), ("10:45 pm", "22:45"), ("12:45 at night", "00:45"), ("11:15 in the evening", "23:15")],
)
def test_unless_the_half_of_the_day_is_named(words: str, value: str) -> None:
    assert resolve(words, TIME).value == value  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("words", "start", "minutes"),
    [
        ("from 10:15 pm to 12:45", "22:15", 150),
        ("10:15 to 11:45 pm", "22:15", 90),
        ("11:30 to 12:45", "11:30", 75),
        ("10:00 - 12:00", "10:00", 120),
        ("from 11:30 to 1 pm", "11:30", 90),
        ("12:45 to 2:15", "12:45", 90),
    ],
)
def test_one_end_of_a_range_may_name_it_for_both(words: str, start: str, minutes: int) -> None:
    assert clock_range(words, None) == (start, minutes)
