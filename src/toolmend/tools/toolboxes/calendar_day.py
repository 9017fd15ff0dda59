"""What a calendar says when it is asked: "what's on Tuesday?", "what do I have next week?". Computed, not generated."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

from toolmend.language.resolve import Resolved, Unclear, resolve
from toolmend.tools.toolboxes.calendar import Entry

_ASKS = re.compile(
    r"(?:(?:please )?(?:tell|show) me )?"
    r"(?:what(?:'s| is) (?:there )?(?:going )?(?:on|planned|scheduled|happening|up|in (?:my|the) calendar)"
    r"|what (?:do i|have i|do we|have we) (?:have|got|planned)(?: (?:on|planned|going on|in (?:my|the) calendar))?"
    r"|what am i doing|do i have (?:anything|something)(?: (?:on|planned))?|is there anything(?: on| planned)?"
    r"|am i (?:free|busy)|(?:show|list)(?: me)? (?:my |the |all )?(?:calendar|entries|day|appointments|schedule|plans)"
    r"|my (?:calendar|day|schedule|appointments))"
    r"(?: (?:on|for|in|at))?(?: ?(?P<when>.*))?"
)
_WEEK = {"this week": 0, "the week": 0, "next week": 7}
_DAY = {"type": "string", "format": "date"}
_AHEAD = 7


def whats_on(text: str, entries: Sequence[Entry], now: dt.datetime) -> str:
    """The entries of the day or week that a question is about, in lines; "" for a sentence that asks nothing here."""
    said = " ".join(text.lower().replace("’", "'").rstrip(" ?.!").split())
    match = _ASKS.fullmatch(said)
    if match is None:
        return ""
    days = _days((match["when"] or "").strip(), now)
    if days is None:
        return ""
    first, last = days
    on = [entry for entry in entries if first <= entry.date <= last]
    if first == last:
        return "\n".join([_day(first), *(_line(entry) for entry in on)] if on else [f"{_day(first)}: nothing"])
    lines = [f"{_day(entry.date)}  {_line(entry).strip()}" for entry in on]
    return "\n".join(lines) or f"{_day(first)} to {_day(last)}: nothing"


def _days(when: str, now: dt.datetime) -> tuple[dt.date, dt.date] | None:
    """The first and the last day that are meant; None where the words are no day."""
    today = now.date()
    if not when:
        return today, today + dt.timedelta(days=_AHEAD)
    if when in _WEEK:
        monday = today - dt.timedelta(days=today.weekday()) + dt.timedelta(days=_WEEK[when])
        return monday, monday + dt.timedelta(days=6)
    meant = resolve(when, _DAY, now=now)
    if isinstance(meant, Unclear) and meant.candidates:
        return (coming := dt.date.fromisoformat(min(meant.candidates))), coming
    if not isinstance(meant, Resolved):
        return None
    day = dt.date.fromisoformat(meant.value)
    return day, day


def _day(day: dt.date) -> str:
    return f"{day:%A}, {day.day} {day:%B %Y}"


def _line(entry: Entry) -> str:
    return f"  {entry.time:%H:%M}  {entry.duration} min  {entry.title}"
