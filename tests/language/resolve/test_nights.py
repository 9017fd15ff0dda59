"""The hours of a night are the next day's, and a zone behind a time is asked about."""

from __future__ import annotations

import pytest
from tests.language.resolve.test_calls import computed, made


@pytest.mark.parametrize(
    ("text", "words", "date", "time"),
    [
        ("Party tonight at 12", 'date="tonight", time="12"', "2025-01-02", "00:00"),
        ("Taxi on Friday night at 2 am", 'date="Friday", time="2 am"', "2025-01-04", "02:00"),
        ("Taxi on Friday at 2 am", 'date="Friday", time="2 am"', "2025-01-03", "02:00"),
        ("Film tonight at 8", 'date="tonight", time="8"', "2025-01-01", "20:00"),
    ],
)
def test_the_hours_of_a_night(text: str, words: str, date: str, time: str) -> None:
    [call] = made(f'add_calendar_entry(title="{text.split()[0]}", {words})', text=text)
    assert (call["date"], call["time"]) == (date, time)


def test_a_zone_behind_a_time_is_asked_about() -> None:
    text = "Call tomorrow 9am PST"
    assert computed('add_calendar_entry(title="Call", date="tomorrow", time="9am")', text=text).question is not None
