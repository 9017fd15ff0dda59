"""What an entry of a calendar is in iCalendar: read from a VEVENT, put into one line by line.

`seen` says what a VEVENT is: an entry, a whole day, something cancelled, one that cannot be read. `changed` edits a
VEVENT so that it is another entry and nothing else of it changes. Knows no files and no servers.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from dataclasses import dataclass

from toolmend.base.errors import ToolError
from toolmend.tools.toolboxes.entry import LONGEST, Entry
from toolmend.tools.toolboxes.ics_text import ContentLine, IcsPart, IcsText, escaped
from toolmend.tools.toolboxes.ics_times import as_before, in_utc, length_of, local, moment_of, written_length
from toolmend.tools.toolboxes.occasions import Occasion

_UNSAID = dt.timedelta(minutes=30)  # an event without an end
_REPEATS = ("RRULE", "RDATE", "RECURRENCE-ID", "EXRULE")
_ONCE = ("DTSTART", "DTEND", "DURATION")


@dataclass(frozen=True, slots=True)
class Unread:
    """An event that cannot be read, and why."""

    why: str


def seen(event: IcsPart) -> Entry | Occasion | Unread | None:
    """What an event is here: an entry, what can be shown alone (whole days, what is longer than a week), one that
    cannot be read; None for one that is cancelled or is no single event."""
    status = event.first("STATUS")
    if (status is not None and status.value.strip().upper() == "CANCELLED") or any(map(event.first, _REPEATS)):
        return None
    try:
        return _read(event)
    except (ValueError, OverflowError, ToolError) as error:
        return Unread(str(error))


def title_of(event: IcsPart) -> str:
    """Its first SUMMARY, in one line."""
    summary = event.first("SUMMARY")
    words = " ".join(summary.text.split()) if summary else ""
    return "".join(letter for letter in words if unicodedata.category(letter) not in ("Cc", "Cs")) or "(no title)"


def details_of(event: IcsPart) -> tuple[tuple[str, ...], str]:
    """Who comes, by name or address, and where it is."""
    names = (line.param("CN") or re.sub("^mailto:", "", line.value, flags=re.I) for line in event.all("ATTENDEE"))
    place = event.first("LOCATION")
    return tuple(dict.fromkeys(names)), " ".join(place.text.split()) if place else ""


def span_of(event: IcsPart) -> tuple[dt.datetime | dt.date, dt.datetime | dt.date]:
    """When it begins and ends, with zones. Raises ValueError."""
    for name in _ONCE:
        if len({(line.params, line.value) for line in event.all(name)}) > 1:
            raise ValueError(f"it has {len(event.all(name))} different {name}")
    start, end, length = (event.first(name) for name in _ONCE)
    if start is None:
        raise ValueError("it has no DTSTART")
    begin = moment_of(start, event)
    if length is not None:
        span = length_of(length.value)
        if not isinstance(begin, dt.datetime):
            return begin, begin + max(span, dt.timedelta(days=1))
        return begin, begin + span
    if end is None:
        return begin, begin + (_UNSAID if isinstance(begin, dt.datetime) else dt.timedelta(days=1))
    until = moment_of(end, event)
    if isinstance(begin, dt.datetime) and not isinstance(until, dt.datetime):
        until = dt.datetime.combine(until, dt.time(), begin.tzinfo)
    elif isinstance(until, dt.datetime) and not isinstance(begin, dt.datetime):
        until = until.date()
    return begin, until


def changed(text: IcsText, event: IcsPart, new: Entry) -> None:
    """Make the event this entry: only what is another is written. Raises ValueError."""
    old = seen(event)
    if not isinstance(old, Entry):
        raise ValueError("this event is no single entry")
    begin, end = (local(moment) for moment in span_of(event) if isinstance(moment, dt.datetime))
    delta = new.start - old.start
    if new.title != old.title:
        summary = event.first("SUMMARY")
        params = "" if summary is None or "QUOTED-PRINTABLE" in summary.params.upper() else summary.params
        text.put(event, "SUMMARY", params, escaped(new.title))
    if delta:
        _moved(text, event, event.first("DTSTART"), begin + delta)
    longer = new.duration != old.duration
    if event.first("DTEND") is not None and event.first("DURATION") is None:
        last = begin + delta + dt.timedelta(minutes=new.duration) if longer else end + delta
        _moved(text, event, event.first("DTEND"), last)
    elif longer:
        text.put(event, "DURATION", "", written_length(new.duration))
    revised(text, event, when=bool(delta) or longer)


def revised(text: IcsText, event: IcsPart, *, when: bool) -> None:
    """Say that the event was revised (RFC 5545, 3.8.7): SEQUENCE where its time is another, DTSTAMP, LAST-MODIFIED."""
    now = dt.datetime.now(dt.UTC).strftime("%Y%m%dT%H%M%SZ")
    if when:
        sequence = event.first("SEQUENCE")
        number = sequence.value.strip() if sequence else "0"
        text.put(
            event, "SEQUENCE", sequence.params if sequence else "", str(int(number) + 1 if number.isdigit() else 1)
        )
    text.put(event, "DTSTAMP", "", now)
    if event.first("LAST-MODIFIED") is not None:
        text.put(event, "LAST-MODIFIED", "", now)


def new_event(entry: Entry, uid: str) -> list[tuple[str, str, str]]:
    """The lines of a VEVENT of its own."""
    return [
        ("UID", "", uid),
        ("DTSTAMP", "", dt.datetime.now(dt.UTC).strftime("%Y%m%dT%H%M%SZ")),
        ("DTSTART", "", in_utc(entry.start)),
        ("DURATION", "", written_length(entry.duration)),
        ("SUMMARY", "", escaped(entry.title)),
    ]


def _read(event: IcsPart) -> Entry | Occasion:
    begin, end = span_of(event)
    title = title_of(event)
    if not isinstance(begin, dt.datetime) or not isinstance(end, dt.datetime):
        if end < begin:
            raise ValueError("it ends before it begins")
        first, last = begin, max(end, begin + dt.timedelta(days=1))  # DTEND of whole days is the day after
        return Occasion(title, dt.datetime.combine(first, dt.time()), dt.datetime.combine(last, dt.time()), whole=True)
    start, until = local(begin), local(end)
    minutes = round((until - start).total_seconds() / 60)
    if minutes < 0:
        raise ValueError("it ends before it begins")
    if not 0 < minutes <= LONGEST:  # longer than a week, or a mere mark in time
        return Occasion(title, start, until)
    return Entry(title, start.date(), start.time().replace(second=0, microsecond=0), minutes)


def _moved(text: IcsText, event: IcsPart, line: ContentLine | None, moment: dt.datetime) -> None:
    if line is None:
        return
    was = moment_of(line, event)
    if not isinstance(was, dt.datetime):  # a DTEND of days behind a DTSTART of hours
        text.put(event, line.name, "", in_utc(moment))
        return
    text.put(event, line.name, line.params, as_before(line.value, moment, was.tzinfo))
