"""Days that words run through: "Tuesday to Friday", "7–10 July", "every Friday until the 27th", "… in May"."""

from __future__ import annotations

import calendar
import datetime as dt
import re

from toolmend.language.resolve.moments import read_date
from toolmend.language.resolve.shapes import frame_of
from toolmend.language.resolve.words import Words

_RUNS = re.compile(r"\b(?:to|through|thru|until|till?)\b|[-–—]", re.IGNORECASE)  # words as said: "Mon Fri" are two days
_TO = r"(?:to|through|thru|until|till|til|-)"
_ON = r"(?:weekday\d ,? ?)?(?:the )?"
_NUMBERED = re.compile(
    rf"(?:from )?(?:month(?P<before>\d+) )?{_ON}(?P<first>\d{{1,2}})(?P<ordinal>th)? "
    rf"{_TO} {_ON}(?P<last>\d{{1,2}})(?:th)?"
    r"(?: (?:of )?month(?P<after>\d+))?(?: (?:, )?(?P<year>20 ?\d\d))?"
)
_WEEKDAYS = re.compile(rf"(?:from )?weekday(?P<first>\d) (?:{_TO} )?weekday(?P<last>\d)")
_WEEKLY = re.compile(
    r"(?:on )?(?:every|each) weekday(?P<day>\d)(?: from now on)? (?:through|thru|until|till|up to|to) (?P<end>.+)"
)
_MONTHLY = re.compile(r"(?:on )?(?:every|each|all(?: the)?) weekday(?P<day>\d) (?:in|of) (?P<month>month\d+\b.*)")
_MOST = 14


def days_through(words: str, day: dt.date | None = None) -> tuple[str, ...]:
    """The days as they would be said one by one; none where the words run through none, or too many. `day` is that
    after which "every Friday until the 27th" begins."""
    text = Words(words).text
    if (monthly := _MONTHLY.fullmatch(text)) and day is not None:
        return _monthly(int(monthly["day"]), monthly["month"], day)
    if not _RUNS.search(words):
        return ()
    if (weekly := _WEEKLY.fullmatch(text)) and day is not None:
        return _weekly(int(weekly["day"]), weekly["end"], day)
    if match := _WEEKDAYS.fullmatch(text):
        first = int(match["first"])
        return tuple(calendar.day_name[(first + day) % 7] for day in range((int(match["last"]) - first) % 7 + 1))
    match = _NUMBERED.fullmatch(text)
    month = match and (match["before"] or match["after"])
    if match is None or not (month or match["ordinal"]):  # "7-10" alone is no run of days
        return ()
    numbers = range(int(match["first"]), int(match["last"]) + 1)
    if not 1 < len(numbers) <= _MOST:
        return ()
    if not month:
        return tuple(f"the {number}th" for number in numbers)
    year = (match["year"] or "").replace(" ", "")
    return tuple(f"{number} {calendar.month_name[int(month)]} {year}".rstrip() for number in numbers)


def _monthly(weekday: int, month: str, day: dt.date) -> tuple[str, ...]:
    """Every such weekday of a month, from a day on."""
    words = f"last weekday{weekday} of {month}"
    last = read_date(words, frame_of({"type": "string", "format": "date"}, day, None, None, None)).values
    days = [dt.date.fromisoformat(last[0]) - dt.timedelta(7 * week) for week in range(4, -1, -1)] if last else []
    return tuple(str(date) for date in days if date.month == days[-1].month and date >= day)


def _weekly(weekday: int, end: str, day: dt.date) -> tuple[str, ...]:
    """Every such weekday after a day until another."""
    last = read_date(end, frame_of({"type": "string", "format": "date"}, day, None, None, None)).values
    if len(last) != 1:
        return ()
    first = day + dt.timedelta((weekday - day.weekday() - 1) % 7 + 1)
    weeks = (dt.date.fromisoformat(last[0]) - first).days // 7 + 1
    return tuple(str(first + dt.timedelta(7 * week)) for week in range(weeks)) if 0 < weeks <= _MOST else ()
