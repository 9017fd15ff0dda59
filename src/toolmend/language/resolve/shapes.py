"""JSON Schema → what kind of value is wanted, in which unit and range. Refuses, in one line, what it cannot mean."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from toolmend.base.errors import BadOption
from toolmend.language.resolve.units import KINDS, UNITS

_TYPES = ("string", "integer", "number", "boolean", "array")
_FORMATS = ("date", "time", "date-time")
_LOCALES = ("en", "en-GB", "en-US")
_HOURS = re.compile(r"(\d{1,2})(?::(\d\d))?\s*[-–]\s*(\d{1,2})(?::(\d\d))?")


@dataclass(frozen=True, slots=True)
class Frame:
    """What a text is read against: the kind of value, its schema, the clock, the value it changes, the usual hours."""

    kind: str
    schema: Mapping[str, Any]
    unit: str = ""
    whole: bool = False
    now: dt.datetime | None = None
    like: Any = None
    hours: tuple[int, int] | None = None
    locale: str = ""


def frame_of(
    schema: Mapping[str, Any],
    now: dt.datetime | dt.date | str | None,
    like: Any,
    hours: str | None,
    locale: str | None,
) -> Frame:
    """The frame of one question. Raises BadOption for a schema, clock, hours or locale that mean nothing here."""
    if not isinstance(schema, Mapping):
        raise BadOption(f"schema: should be a JSON Schema as a mapping, got {type(schema).__name__}")
    kind = _kind(schema)
    unit = schema.get("x-unit", "")
    if unit and (unit not in UNITS or kind != "number"):
        fits = f"one of {', '.join(KINDS)}" if kind == "number" else "on a type integer or number only"
        raise BadOption(f"x-unit {unit!r}: should be {fits}")
    if unit:
        kind = KINDS[UNITS[unit]]
    if locale is not None and locale not in _LOCALES:
        raise BadOption(f"locale {locale!r}: should be one of {', '.join(_LOCALES)}")
    given = hours if hours is not None else schema.get("x-hours")
    moment = _clock(now, schema.get("x-timezone")) if now is not None or "x-timezone" in schema else None
    if isinstance(like, (dt.date, dt.time)):
        like = like.isoformat()
    return Frame(
        kind, schema, unit, _type(schema) == "integer", moment, like, _hours(given) if given else None, locale or ""
    )


def resolvable(schema: Mapping[str, Any]) -> bool:
    """Whether words can be read for a schema: not for an object, nor for what is only referred to."""
    if isinstance(schema.get("enum"), (list, tuple)):
        return True
    if branches := schema.get("anyOf"):
        return all(branch.get("type") == "null" or resolvable(branch) for branch in branches)
    return _type(schema) in _TYPES


def _type(schema: Mapping[str, Any]) -> Any:
    name = schema.get("type")
    if isinstance(name, (list, tuple)):
        names = [kind for kind in name if kind != "null"]
        return names[0] if len(names) == 1 else None
    return name


def _kind(schema: Mapping[str, Any]) -> str:
    if isinstance(schema.get("enum"), (list, tuple)):
        return "enum"
    if schema.get("anyOf"):
        return "any"
    name = _type(schema)
    if name not in _TYPES:
        raise BadOption(f"schema: type {name!r} cannot be resolved; should be one of {', '.join(_TYPES)}, or an enum")
    if name == "string":
        form = schema.get("format")
        return form if form in _FORMATS else "text"
    return {"boolean": "truth", "array": "list"}.get(name, "number")


def _hours(text: Any) -> tuple[int, int]:
    """Minutes of the day from first to last, both inside."""
    match = _HOURS.fullmatch(text.strip()) if isinstance(text, str) else None
    if match:
        first = int(match[1]) * 60 + int(match[2] or 0)
        last = int(match[3]) * 60 + int(match[4] or 0)
        if first < last <= 24 * 60 and int(match[2] or 0) < 60 and int(match[4] or 0) < 60:
            return first, last
    raise BadOption(f"hours {text!r}: should be two hours of the day, the earlier first, as 07-22 or 07:30-22:00")


def _clock(now: Any, zone: Any) -> dt.datetime | None:
    """The time to count from: without a zone, in the zone that the schema asks for if it carries one."""
    there = None
    if zone is not None:
        try:
            there = ZoneInfo(zone)
        except (ValueError, KeyError, TypeError, OSError):
            raise BadOption(f"x-timezone {zone!r}: no such time zone; should be a name like Europe/Berlin") from None
    if now is None:
        return None
    if isinstance(now, str):
        try:
            now = dt.datetime.fromisoformat(now)
        except ValueError:
            raise BadOption(f"now {now!r}: should be a date and time as YYYY-MM-DDTHH:MM") from None
    if not isinstance(now, dt.datetime):
        if not isinstance(now, dt.date):
            raise BadOption(f"now: should be a datetime, got {type(now).__name__}")
        now = dt.datetime.combine(now, dt.time())
    if there is not None and now.tzinfo is not None:
        now = now.astimezone(there)
    local: dt.datetime = now.replace(tzinfo=None)
    return local
