"""The value that words give an argument, against the value that was wrong: "at seven" of a call at 07:00 is 19:00.

What resolve() leaves open is decided by what cannot be (the value that is being corrected) and by what the person had
said before; where that decides nothing, all readings are given back.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolmend.language.corrections.segments import segments
from toolmend.language.corrections.slots import Slot
from toolmend.language.resolve import Resolved, resolve
from toolmend.language.resolve.shapes import resolvable
from toolmend.language.resolve.words import Words

_AWAKE = ("06:00", "22:00")
_CLEARLY = 120
"""Minutes by which one time must be nearer to the wrong one than another to be taken for what was meant."""
_SLIP = 30
"""Minutes by which a time can be a slip of another."""
_MINUTES_ALONE = re.compile(r"(?:at )?(?:a )?(?:half|quarter|\d{1,2})(?: minutes)? (?:past|to)")
_DAY_ALONE = re.compile(r"(?:on )?(?:the )?weekday\d")


@dataclass(frozen=True, slots=True)
class ValueReading:
    """The values that words can mean for an argument: one, several, or none."""

    values: tuple[Any, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What values are read against: the request, the clock, the usual hours, the locale."""

    request: str = ""
    now: dt.datetime | None = None
    hours: str | None = None
    locale: str | None = None

    def read(self, text: str, schema: Mapping[str, Any], like: Any = None) -> ValueReading:
        """As resolve() reads it; nothing where it reads none."""
        if not resolvable(schema):
            return ValueReading((), "no words are read for that")
        result = resolve(text, schema, now=self.now, like=like, hours=self.hours, locale=self.locale)
        return (
            ValueReading((result.value,))
            if isinstance(result, Resolved)
            else ValueReading(result.candidates, result.reason)
        )


def value_for(slot: Slot, text: str, said: Surroundings) -> ValueReading:
    """What the words give the argument. The value it has is among the readings only where it is the only one."""
    if slot.kind == "time":
        return _time(slot, text, said)
    if slot.kind == "date" and slot.old is not None and _DAY_ALONE.fullmatch(Words(text).text):
        return _weekday(slot, text, said)
    reading = _left(said.read(text, slot.schema, slot.old), slot.old)
    if slot.kind == "date-time" and len(reading.values) > 1 and slot.old:
        near = [value for value in reading.values if _week(value[:10]) == _week(slot.old[:10])]
        return ValueReading(tuple(near), reading.reason) if len(near) == 1 else reading
    return reading


def _left(reading: ValueReading, old: Any) -> ValueReading:
    others = tuple(value for value in reading.values if value != old)
    return ValueReading(others or reading.values, reading.reason)


def _time(slot: Slot, text: str, said: Surroundings) -> ValueReading:
    alone = said.read(text, slot.schema)
    if _MINUTES_ALONE.fullmatch(Words(text).text):
        minutes = _left(said.read(text, slot.schema, slot.old), slot.old)
        said_so = tuple(value for value in minutes.values if value in all_times_of(said.request, said))
        return ValueReading(said_so) if len(said_so) == 1 else minutes
    if len(alone.values) == 1:
        return alone
    if not alone.values:
        return _left(said.read(text, slot.schema, slot.old), slot.old)
    others = [value for value in alone.values if value != slot.old]
    if len(others) == 1:
        return ValueReading(tuple(others))
    asked = [value for value in others if value in times_of(said.request, said)]
    if len(asked) == 1:
        return ValueReading(tuple(asked))
    close = [value for value in others if slot.old is not None and _apart(value, slot.old) <= _SLIP]
    if len(close) == 1:
        return ValueReading(tuple(close))
    early = [value for value in others if "04:00" <= value < "12:00"]
    if len(early) == 1 and re.search(r"(?i)\b(?:wake|woken|alarm|breakfast|get up)\b", f"{said.request} {text}"):
        return ValueReading(tuple(early))
    awake = [value for value in others if "05:00" <= value <= "23:00"]
    if len(awake) == 1 and not Words(text).text.isdecimal():
        return ValueReading(tuple(awake))
    near = sorted((_apart(value, slot.old), value) for value in others) if isinstance(slot.old, str) else []
    if near and (len(near) == 1 or near[1][0] - near[0][0] >= _CLEARLY):
        distance, value = near[0]
        alike = (value < "12") == (slot.old < "12") and _AWAKE[0] <= value <= _AWAKE[1]
        if distance <= _CLEARLY or alike:
            return ValueReading((value,))
    return ValueReading(tuple(others), "morning or evening?")


def _weekday(slot: Slot, text: str, said: Surroundings) -> ValueReading:
    """That weekday: as said today, if it fits the day that was wrong, too; else the one of its week."""
    if slot.old in said.read(text, slot.schema, slot.old).values:
        return ValueReading((slot.old,))
    against = [day for day in said.read(text, slot.schema, slot.old).values if day != slot.old]
    coming = [day for day in said.read(text, slot.schema).values if day != slot.old] if said.now else []
    both = [day for day in coming if day in against]
    if len(both) == 1:
        return ValueReading(tuple(both))
    asked = [day for day in dict.fromkeys([*against, *coming]) if day in days_of(said.request, slot, said)]
    if len(asked) == 1:
        return ValueReading(tuple(asked))
    week = [day for day in against if _week(day) == _week(slot.old)]
    if len(week) == 1 and (not coming or coming[0] >= week[0] or re.search(r"(?i)\bnext|week\b", said.request)):
        return ValueReading(tuple(week))
    left = tuple(dict.fromkeys([*against, *coming]))
    days = [segment.text for segment in segments(said.request)[0] if segment.kind == "day"]
    asked = [day for day in left if any(day in said.read(words, slot.schema, slot.old).values for words in days)]
    return ValueReading(tuple(asked)) if len(asked) == 1 else ValueReading(left, "which week?")


def all_times_of(text: str, said: Surroundings) -> tuple[str, ...]:
    """Every time of day that a text can name."""
    clocks = [segment.text for segment in segments(text)[0] if segment.kind == "clock"]
    return tuple(value for clock in clocks for value in said.read(clock, {"type": "string", "format": "time"}).values)


def _week(day: str) -> tuple[int, int]:
    return dt.date.fromisoformat(day).isocalendar()[:2]


def days_of(text: str, slot: Slot, said: Surroundings) -> tuple[str, ...]:
    """The days that a text names by number, beyond doubt."""
    days = [
        segment.text
        for segment in segments(text)[0]
        if segment.kind == "day" and re.search(r"\d", Words(segment.text).text.replace("weekday", ""))
    ]
    days = [day for day in days if not _DAY_ALONE.fullmatch(Words(day).text)]
    readings = [said.read(day, slot.schema).values for day in days]
    return tuple(values[0] for values in readings if len(values) == 1)


def turned(day: object) -> str:
    """An ISO date with day and month the other way round; "" where that is none, or the same."""
    match = re.fullmatch(r"(\d{4})-(0\d|1[0-2])-(0\d|1[0-2])", str(day))
    return f"{match[1]}-{match[3]}-{match[2]}" if match and match[2] != match[3] else ""


def _apart(one: str, other: str) -> int:
    """Minutes between two times of day, the shorter way round the clock."""
    minutes = abs((int(one[:2]) - int(other[:2])) * 60 + int(one[3:5]) - int(other[3:5]))
    return min(minutes, 1440 - minutes)


def times_of(text: str, said: Surroundings) -> tuple[str, ...]:
    """The times of day that a text names beyond doubt."""
    clocks = [segment.text for segment in segments(text)[0] if segment.kind == "clock"]
    readings = [said.read(clock, {"type": "string", "format": "time"}).values for clock in clocks]
    return tuple(values[0] for values in readings if len(values) == 1)
