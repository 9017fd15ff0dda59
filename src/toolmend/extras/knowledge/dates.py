"""Dates as people and programs write them, as ISO 8601 with as many parts as are known. Guesses no missing part."""

from __future__ import annotations

import re
from datetime import date

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = r"(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_SHAPES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?P<year>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)",
        r"(?<!\d)(?P<year>(?:1[4-9]|2[01])\d\d)(?P<m>\d\d)(?P<day>\d\d)(?!\d)",
        rf"(?P<year>\d{{4}})[- ]{_MONTH}[- ](?P<day>\d{{1,2}})(?!\d)",
        rf"{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})",
        rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\.?\s+{_MONTH},?\s+(?P<year>\d{{4}})",
        r"(?P<year>\d{4})[-/](?P<m>\d{1,2})(?!\d)",
        rf"(?P<year>\d{{4}})[- ]{_MONTH}(?![a-z])",
        rf"\b{_MONTH}\s+(?P<year>\d{{4}})",
        r"(?<!\d)(?P<year>(?:1[4-9]|2[01])\d\d)(?!\d)",
    )
]
_IN_URL = re.compile(r"/((?:19|20)\d\d)/(\d\d)/(\d\d)(?:/|-|$)|/((?:19|20)\d\d-\d\d-\d\d)(?=[-/.]|$)")


def iso(text: str) -> str:
    """The first date in `text` as `2012-07-18`, `2012-07` or `2012`; "" if there is none that can be."""
    for shape in _SHAPES:
        if found := shape.search(text[:200]):
            return _written(found.groupdict())
    return ""


def in_url(url: str) -> str:
    """The day that stands in an address (`/2023/04/03/`, `/2023-06-23-agent/`), else ""."""
    found = _IN_URL.search(url)
    return iso(found[4] or "-".join(found.group(1, 2, 3))) if found else ""


def day_of(text: str) -> date | None:
    """An ISO date as a day, in the middle of what is not known; None for ""."""
    parts = [int(part) for part in text.split("-")] if text else []
    return date(*(parts + [7, 1][len(parts) - 1 :])[:3]) if 1 <= len(parts) <= 3 else None


def years_between(earlier: date, later: date) -> float:
    """Years from one day to another; negative if it is the other way round."""
    return (later - earlier).days / 365.25


def _written(found: dict[str, str | None]) -> str:
    year = int(found["year"] or 0)
    named = found.get("month")
    month = _MONTHS.index(named.lower()) + 1 if named else int(found.get("m") or 0)
    day = int(found.get("day") or 0)
    try:
        date(year, month or 1, day or 1)
    except ValueError:
        return ""
    if not 1400 <= year <= 2199:
        return ""
    return f"{year:04}" + (f"-{month:02}" if month else "") + (f"-{day:02}" if month and day else "")
