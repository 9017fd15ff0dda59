"""Days that words run through, as they would be said one by one."""

from __future__ import annotations

import datetime as dt

import pytest

from toolmend.language.resolve.day_ranges import days_through


@pytest.mark.parametrize(
    ("words", "day", "days"),
    [
        ("every Friday in December", "2025-01-01", ("2025-12-05", "2025-12-12", "2025-12-19", "2025-12-26")),
        ("every thurs in january", "2025-01-10", ("2025-01-16", "2025-01-23", "2025-01-30")),
        ("each Monday of February 2026", "2025-01-10", ("2026-02-02", "2026-02-09", "2026-02-16", "2026-02-23")),
    ],
)
def test_every_such_weekday_of_a_month_from_a_day_on(words: str, day: str, days: tuple[str, ...]) -> None:
    assert days_through(words, dt.date.fromisoformat(day)) == days
