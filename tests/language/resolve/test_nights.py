"""The hours of a night are the next day's, and a zone behind a time is asked about."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from toolmend.language.resolve.background import Background, Computed
from toolmend.language.resolve.calls import compute
from toolmend.reading.spoken import read_spoken
from toolmend.tools.toolboxes import Calendar

SPECS = Calendar().specs
NAMED = {"action.remove_calendar_entry": {"entry": "entry"}}


def computed(reply: str, /, **more: Any) -> Computed:
    given = {"now": dt.datetime(2025, 1, 1), "hours": "07-19", "named": NAMED, "things": {"entry": ()}, **more}
    return compute(read_spoken(reply, SPECS).lines, SPECS, Background((), **given))


def made(reply: str, /, **more: Any) -> list[dict[str, Any]]:
    result = computed(reply, **more)
    assert result.question is None, result.question
    return [dict(call.arguments) for call in result.calls]


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
