"""Times of day in words: "half seven", "quarter of six", "19h30", "8 30 pm", "noon". Knows no calendar.

A time is read as what was said and settled afterwards: the half of the day comes from the words, else from the hours
that are usual, else from the time that is being changed; where none decides, both are left.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from toolmend.language.resolve import vocabulary
from toolmend.language.resolve.grammar import Grammar, Match
from toolmend.language.resolve.shapes import Frame

DAY = 24 * 60
_NOON = DAY // 2

_PARTS = {
    "half": r"(?: ?,? (?P<half>am|pm|a|p|noon)(?: m)?)?",
    "hour": r"(?P<hour>\d{1,2})",
    "base": r"(?:(?P<hour>\d{1,2})(?: oclock)?|(?P<named>noon|midnight))",
}
GRAMMAR = Grammar(vocabulary.rules("times of day"), _PARTS)
_PART_OF_DAY = re.compile(r"(?<!\S)(?:am|pm|morning|afternoon|evening|night|tonight)(?!\S)")
# First and last hour of the twelve that a part of the day can mean, and those of them that are after noon.
_PARTS_OF_DAY = {
    "am": (range(12), range(0)),
    "pm": (range(0), range(12)),
    "morning": (range(12), range(0)),
    "afternoon": (range(0), range(8)),
    "evening": (range(0), range(4, 12)),
    "night": (range(5), range(6, 12)),
    "tonight": (range(5), range(6, 12)),
}


@dataclass(frozen=True, slots=True)
class Clock:
    """A time as said: the minute of the day, and whether 12 hours later would be the same words. `written` is the one
    that is meant unless the half of the day is named: "12:45", as "09:45", is a clock's face of 24 hours."""

    minute: int
    open: bool
    second: int = 0
    written: int | None = None


def clock_of(match: Match) -> Clock | None:
    """What a match of GRAMMAR says; None for a time that does not exist."""
    groups = match.groups
    written = groups.get("clear") or groups.get("hour") or ""
    if groups.get("named"):
        hour, is_open = (0 if groups["named"] == "midnight" else 12), False
    else:
        hour = int(written)
        is_open = "clear" not in groups and 0 < hour <= 12 and (written[0] != "0" or "half" in groups)
    minute, second = int(groups.get("minute", 0)), int(groups.get("second", 0))
    if hour > 23 or minute > 59 or second > 59:
        return None
    at = hour * 60 + minute
    if "way" in groups or match.rule == "half past":
        apart = sum(map(int, groups["n"].split(" and "))) if "n" in groups else 15 if "quarter" in groups else 30
        if apart > 59:
            return None
        at = (at + (apart if groups.get("way", "past") in ("past", "after") else -apart)) % DAY
    on_clock = at if "colon" in groups and len(written) > 1 else None
    if is_open:
        at %= _NOON
    half = groups.get("half")
    if half:
        half = "pm" if half == "noon" else half[0] + "m"
        if is_open:
            return Clock(at + (_NOON if half == "pm" else 0), False, second)
        return Clock(at, False, second) if (at >= _NOON) == (half == "pm") else None
    return Clock(at, is_open, second, on_clock)


def parts_of_day(words: str) -> set[str]:
    """The parts of the day that the words name: am, pm, morning, afternoon, evening, night."""
    return set(_PART_OF_DAY.findall(words))


def settle(clock: Clock, parts: set[str], frame: Frame, like: int | None) -> list[int]:
    """The minutes of the day a time can mean: none, one, or two where nothing decides between the halves of the day."""
    readings = [clock.minute, clock.minute + _NOON] if clock.open else [clock.minute]
    for part in parts:
        early, late = _PARTS_OF_DAY[part]
        readings = [at for at in readings if (at // 60 in early if at < _NOON else at // 60 - 12 in late)]
    if clock.written in readings:
        return [clock.written]
    if len(readings) == 2 and frame.hours:
        inside = [at for at in readings if frame.hours[0] <= at <= frame.hours[1]]
        readings = inside if len(inside) == 1 else readings
    if len(readings) == 2 and like is not None:
        readings = [at for at in readings if (at < _NOON) == (like < _NOON)]
    return readings


def minute_of(value: object) -> int | None:
    """The minute of the day in a JSON time or date-time; None if there is none."""
    match = re.search(r"(?:^|T| )([01]\d|2[0-3]):([0-5]\d)", value) if isinstance(value, str) else None
    return int(match[1]) * 60 + int(match[2]) if match else None


def shown(minute: int, second: int = 0) -> str:
    """HH:MM, with seconds where there are some."""
    return f"{minute // 60:02}:{minute % 60:02}" + (f":{second:02}" if second else "")
