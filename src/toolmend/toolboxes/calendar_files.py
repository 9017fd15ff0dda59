"""A calendar as text: its own JSON, read and written, and iCalendar (RFC 5545), written. Knows no tools."""

from __future__ import annotations

import datetime as dt
import json
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from toolmend.errors import BadFile, ToolError
from toolmend.toolboxes.calendar import Entry

VERSION = 1
_NAME = "calendar JSON"
_FIELDS = ("title", "date", "time", "duration")
_LINE = 75


def write_json(entries: Iterable[Entry], now: dt.datetime | None) -> str:
    """`{"calendar": 1, "now": …, "entries": […]}`; `now` only where the clock was set."""
    clock = {"now": now.isoformat()} if now else {}
    data = {"calendar": VERSION, **clock, "entries": [entry.to_json() for entry in entries]}
    return json.dumps(data, ensure_ascii=False, indent=1)


def read_json(text: str | Mapping[str, Any]) -> tuple[list[Entry], dt.datetime | None]:
    """The entries and the clock. Raises BadFile."""
    data = _decoded(text) if isinstance(text, str) else text
    if not isinstance(data, Mapping) or not isinstance(data.get("entries"), list):
        raise BadFile(_NAME, "should be an object with a list 'entries'")
    if data.get("calendar", VERSION) != VERSION:
        raise BadFile(_NAME, f"version {data['calendar']!r} is not known here ({VERSION} is); update toolmend")
    entries = [_entry(item, f"entry {number}") for number, item in enumerate(data["entries"], 1)]
    now = data.get("now")
    return entries, None if now is None else _parsed(dt.datetime, now, "now")


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise BadFile(_NAME, f"no JSON: {error.msg}", error.lineno) from error
    except (ValueError, RecursionError) as error:
        raise BadFile(_NAME, f"no JSON: {error}") from error


def _entry(item: Any, where: str) -> Entry:
    if not isinstance(item, Mapping) or sorted(item) != sorted(_FIELDS) or not isinstance(item["title"], str):
        raise BadFile(_NAME, f"{where}: should be an object with exactly {', '.join(_FIELDS)}")
    date = _parsed(dt.date, item["date"], f"{where}: date")
    time = _parsed(dt.time, item["time"], f"{where}: time")
    try:
        return Entry(item["title"], date, time, item["duration"])
    except ToolError as error:
        raise BadFile(_NAME, f"{where}: {error}") from error


def _parsed(kind: Any, value: Any, where: str) -> Any:
    try:
        return kind.fromisoformat(value)
    except (TypeError, ValueError) as error:
        raise BadFile(_NAME, f"{where}: {value!r} is no {kind.__name__}") from error


def write_ics(entries: Iterable[Entry], now: dt.datetime) -> str:
    """One VEVENT per entry in floating local time; a `now` without zone counts as UTC in DTSTAMP.

    The UID follows from the entry, so that exporting twice and importing both makes no doubles.
    """
    stamp = (now if now.tzinfo else now.replace(tzinfo=dt.UTC)).astimezone(dt.UTC)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//toolmend//calendar//EN", "CALSCALE:GREGORIAN"]
    seen: Counter[Entry] = Counter()
    for entry in entries:
        lines += _event(entry, seen[entry], stamp)
        seen[entry] += 1
    lines.append("END:VCALENDAR")
    return "".join(f"{piece}\r\n" for line in lines for piece in _folded(line))


def _event(entry: Entry, occurrence: int, stamp: dt.datetime) -> list[str]:
    identity = "|".join(map(str, (*entry.to_json().values(), occurrence)))
    return [
        "BEGIN:VEVENT",
        f"UID:{uuid.uuid5(uuid.NAMESPACE_URL, f'toolmend:calendar:{identity}')}",
        f"DTSTAMP:{_basic(stamp)}Z",
        f"DTSTART:{_basic(entry.start)}",
        f"DURATION:PT{entry.duration}M",
        f"SUMMARY:{_escaped(entry.title)}",
        "END:VEVENT",
    ]


def _basic(moment: dt.datetime) -> str:
    """20241111T170000; `strftime` would write the year 99 without its zeros."""
    return moment.isoformat(timespec="seconds").replace("-", "").replace(":", "")[:15]


def _escaped(text: str) -> str:
    """RFC 5545 §3.3.11. A title is one line, so there is no newline to escape."""
    return text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")


def _folded(line: str) -> Iterator[str]:
    """RFC 5545 §3.1: no line longer than 75 octets, none cut inside a character; a further line begins with a space."""
    piece, length = "", 0
    for character in line:
        octets = len(character.encode())
        if length + octets > _LINE:
            yield piece
            piece, length = " ", 1
        piece += character
        length += octets
    yield piece
