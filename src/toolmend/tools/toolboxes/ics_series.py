"""What recurs in an iCalendar text: read for a kept library to reckon with, and edited line by line.

`series_in` gives every recurring event; `series_changed` leaves out days (EXDATE), ends a rule (UNTIL) or moves all of
it. Knows no files and no servers.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict

from toolmend.base.errors import MissingExtra, ToolError
from toolmend.tools.toolboxes.ics_entries import Unread, revised, span_of, title_of
from toolmend.tools.toolboxes.ics_text import ContentLine, IcsPart, IcsText, escaped
from toolmend.tools.toolboxes.ics_times import as_before, local, moment_of, written_length
from toolmend.tools.toolboxes.occasions import DAY
from toolmend.tools.toolboxes.series import Series, rule_parts, tame


def series_in(text: IcsText) -> list[tuple[IcsPart, Series | Unread]]:
    """Every event that recurs, with what is told of its single days; one that cannot be read says why."""
    overrides: dict[str, list[IcsPart]] = defaultdict(list)
    for event in text.events:
        if event.first("RECURRENCE-ID") is not None:
            overrides[uid_of(event)].append(event)
    zones = [zone for zone in text.root.walk() if zone.name == "VTIMEZONE"]
    found: list[tuple[IcsPart, Series | Unread]] = []
    for event in text.events:
        status = event.first("STATUS")
        cancelled = status is not None and status.value.strip().upper() == "CANCELLED"
        recurs = any(map(event.first, ("RRULE", "RDATE", "EXRULE"))) and event.first("RECURRENCE-ID") is None
        if recurs and not cancelled:
            found.append((event, _seen(event, [*zones, event, *overrides[uid_of(event)]])))
    return found


def uid_of(event: IcsPart) -> str:
    """Its UID; "" for none."""
    line = event.first("UID")
    return line.value.strip() if line else ""


def _seen(event: IcsPart, parts: list[IcsPart]) -> Series | Unread:
    try:
        rules = [_ended_here(tame(line.value)) for line in event.all("RRULE")]
        begin, end = span_of(event)
        whole = not isinstance(begin, dt.datetime)
        start = local(begin) if isinstance(begin, dt.datetime) else dt.datetime.combine(begin, dt.time())
        last = local(end) if isinstance(end, dt.datetime) else dt.datetime.combine(end, dt.time())
        minutes = max(1, round((last - start).total_seconds() / 60)) if not whole or last > start else 24 * 60
        at = start.time().replace(second=0, microsecond=0)
        source = "\r\n".join(
            ["BEGIN:VCALENDAR", "VERSION:2.0", *(row for part in parts for row in _rows(part)), "END:VCALENDAR"]
        )
        made = Series(
            title_of(event),
            start.date(),
            at,
            minutes,
            rules[0] if rules else "",
            _without(event),
            uid_of(event),
            source,
        )
        made.between(start, start + DAY)
    except MissingExtra:
        return Unread("it recurs, which needs: pip install 'toolmend[calendar]'")
    except (ValueError, OverflowError, ToolError) as error:
        return Unread(str(error))
    except Exception as error:  # whatever the library trips over
        return Unread(f"it recurs in a way that cannot be reckoned ({type(error).__name__})")
    return made


def _without(event: IcsPart) -> tuple[dt.date, ...]:
    """The days that are left out, on the person's clock."""
    days = set[dt.date]()
    for line in event.all("EXDATE"):
        for value in line.value.split(","):
            moment = moment_of(ContentLine(b"", line.name, line.params, value), event)
            days.add(local(moment).date() if isinstance(moment, dt.datetime) else moment)
    return tuple(sorted(days))


def _ended_here(rule: str) -> str:
    """A rule whose end is the end of a day on the person's clock, said as `ended` says it."""
    parts = rule_parts(rule)
    until = parts.get("UNTIL", "")
    if until.endswith("Z"):
        moment = local(dt.datetime.strptime(until, "%Y%m%dT%H%M%SZ").replace(tzinfo=dt.UTC))
        parts["UNTIL"] = f"{moment:%Y%m%dT%H%M%S}" if moment.time() == dt.time(23, 59, 59) else until
    return ";".join(f"{name}={value}" for name, value in parts.items())


def _rows(part: IcsPart) -> list[str]:
    """Its lines without folds; what is no line of RFC 5545 is left out, and so are alarms."""
    rows = []
    for item in part.items:
        if isinstance(item, ContentLine):
            rows += [f"{item.name}{item.params}:{item.value}"] if item.name else []
        elif item.name != "VALARM":
            rows += _rows(item)
    return rows


def series_changed(text: IcsText, event: IcsPart, old: Series, new: Series) -> None:
    """Make the event this series: only what is another is written. Raises ValueError."""
    start = event.first("DTSTART")
    if start is None:
        raise ValueError("it has no DTSTART")
    begin = moment_of(start, event)
    zone = begin.tzinfo if isinstance(begin, dt.datetime) else None
    for day in new.without:
        if day not in old.without:
            moment = dt.datetime.combine(day, old.time)
            dated = isinstance(begin, dt.datetime)
            value = as_before(start.value, moment, zone) if dated else f"{day:%Y%m%d}"
            text.add_line(event, "EXDATE", start.params, value)
    if new.rule != old.rule:
        text.put(event, "RRULE", "", _rule(new.rule, begin))
    if new.start != old.start and isinstance(begin, dt.datetime):
        delta = new.start - old.start
        for name in ("DTSTART", "DTEND"):
            line = event.first(name)
            was = moment_of(line, event) if line is not None else None
            if line is not None and isinstance(was, dt.datetime):
                text.put(event, name, line.params, as_before(line.value, local(was) + delta, was.tzinfo))
    if new.title != old.title:
        text.put(event, "SUMMARY", "", escaped(new.title))
    revised(text, event, when=True)


def new_series(series: Series, uid: str) -> list[tuple[str, str, str]]:
    """The lines of a recurring VEVENT of its own, on everybody's own clock: six o'clock stays six o'clock."""
    start = dt.datetime.combine(series.date, series.time)
    rows = [
        ("UID", "", uid),
        ("DTSTAMP", "", dt.datetime.now(dt.UTC).strftime("%Y%m%dT%H%M%SZ")),
        ("DTSTART", "", start.strftime("%Y%m%dT%H%M%S")),
        ("DURATION", "", written_length(series.duration)),
        ("RRULE", "", series.rule),
    ]
    gone = [("EXDATE", "", f"{dt.datetime.combine(day, series.time):%Y%m%dT%H%M%S}") for day in series.without]
    return [*rows, *gone, ("SUMMARY", "", escaped(series.title))]


def _rule(rule: str, begin: dt.date) -> str:
    """A rule whose end is written as its start is (RFC 5545, 3.3.10)."""
    parts = rule_parts(rule)
    until = parts.get("UNTIL", "")
    if until and not isinstance(begin, dt.datetime):
        parts["UNTIL"] = until[:8]
    elif until and isinstance(begin, dt.datetime) and begin.tzinfo is not None and not until.endswith("Z"):
        moment = dt.datetime.strptime(until[:8], "%Y%m%d") + DAY - dt.timedelta(seconds=1)
        parts["UNTIL"] = moment.astimezone(dt.UTC).strftime("%Y%m%dT%H%M%SZ")
    return ";".join(f"{name}={value}" for name, value in parts.items())
