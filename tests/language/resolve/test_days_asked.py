"""Words beside a day or a time that would change it are never dropped; a night's small hours are the next day's."""

from __future__ import annotations

import pytest

from toolmend.language.resolve import Unclear, resolve

DATE = {"type": "string", "format": "date"}
TIME = {"type": "string", "format": "time"}
MOMENT = {"type": "string", "format": "date-time"}
SATURDAY = "2026-11-28T10:00"

# Made up for this test, after reports.
CHANGED = [
    ("since Monday", DATE),
    ("ever since Tuesday", DATE),
    ("anything but Friday", DATE),
    ("any day but Friday", DATE),
    ("3rd Advent", DATE),
    ("the second Advent", DATE),
    ("9am PST", TIME),
    ("noon UTC", TIME),
    ("tomorrow 9am PST", MOMENT),
    ("Tuesday at 10:30 CET", MOMENT),
    ("2026-12-01T09:00:00Z", MOMENT),
]


@pytest.mark.parametrize(("words", "schema"), CHANGED)
def test_what_would_change_it_is_asked_about(words: str, schema: dict[str, str]) -> None:
    assert isinstance(resolve(words, schema, now=SATURDAY, hours="07-19"), Unclear)


@pytest.mark.parametrize(
    ("words", "moment"),
    [
        ("tonight at 1am", "2026-11-29T01:00"),
        ("tonight at 12", "2026-11-29T00:00"),
        ("Friday night at 2am", "2026-12-05T02:00"),
        ("tonight at 11", "2026-11-28T23:00"),
        ("tomorrow night at half past ten", "2026-11-29T22:30"),
        ("Friday at 2am", "2026-12-04T02:00"),
    ],
)
def test_the_small_hours_of_a_night_are_the_next_days(words: str, moment: str) -> None:
    assert resolve(words, MOMENT, now=SATURDAY).value == moment  # type: ignore[union-attr]
