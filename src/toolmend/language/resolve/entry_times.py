"""When the entry of a call begins and ends, and days that are so far apart, all as YYYY-MM-DD and HH:MM."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import Any

_USUAL = 30  # minutes of an entry of which no duration was said


def start_of(values: Mapping[str, Any]) -> dt.datetime | None:
    """When a call's entry begins; None where that is not known."""
    try:
        return dt.datetime.combine(dt.date.fromisoformat(values["date"]), dt.time.fromisoformat(values["time"]))
    except (KeyError, TypeError, ValueError):
        return None


def end_of(values: Mapping[str, Any]) -> dt.datetime | None:
    """When a call's entry is over; 30 minutes where it has no duration."""
    start, duration = start_of(values), values.get("duration", _USUAL)
    return start and start + dt.timedelta(minutes=duration if isinstance(duration, int) else _USUAL)


def day_after(day: str, days: int = 1) -> str:
    """The day so many days after a day; what is no day stays as it is."""
    try:
        return str(dt.date.fromisoformat(day) + dt.timedelta(days=days))
    except (ValueError, OverflowError):
        return day


def next_year(day: str) -> str:
    """The same day a year later; what is no day stays as it is."""
    return f"{int(day[:4]) + 1}{day[4:]}" if re.fullmatch(r"\d{4}-\d\d-\d\d", day) else day


def days_between(first: str, second: str) -> int:
    """How many days later the second is; 0 where one is no day."""
    try:
        return (dt.date.fromisoformat(second) - dt.date.fromisoformat(first)).days
    except ValueError:
        return 0


def day_said(values: Mapping[str, Any], now: dt.datetime | None) -> dt.date | None:
    """The day of a call; else that of the clock, where there is one."""
    try:
        return dt.date.fromisoformat(values["date"])
    except (KeyError, TypeError, ValueError):
        return now.date() if now else None
