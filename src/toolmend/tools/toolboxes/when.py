"""From when to when people mean: "Wednesday afternoon", "next week", "tomorrow between two and four", "in December".

Knows no entries. What is not understood to the last word is no time.
"""

from __future__ import annotations

import calendar
import datetime as dt
import re
from typing import NamedTuple

from toolmend.language.resolve import Resolved, Unclear, resolve
from toolmend.language.resolve.clock_ranges import clock_range, clocks, minute
from toolmend.tools.toolboxes.occasions import DAY

_PARTS = {"morning": (6, 12), "lunchtime": (12, 14), "afternoon": (12, 18), "evening": (18, 23), "night": (18, 24)}
_PART = re.compile(
    r"(?:\b(?:in|during|at|over|this) )?(?:\bthe )?(?:\b(?:early|late) )?"
    r"\b(?P<part>morning|lunchtime|afternoon|evening|night)\b"
    r"(?: (?:of|on))?"
)
_SAID = r"(?:\d+|noon|midday|midnight|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|quarter)"
_CLOCK = re.compile(
    r"\b(?P<how>at|around|from|between|after|before|until|till) "
    rf"(?P<clock>{_SAID}(?!\w*(?:st|nd|rd|th)\b).*?)(?= on | this | tomorrow| today|$)"
)
_AHEAD = re.compile(r"(?:the )?(?:next|coming|following) (?P<count>\w+) (?P<unit>days?|weeks?)")
_RUN = re.compile(r"(?:from |between )?(?P<first>.+?) (?:to|through|until|till|and|-|–) (?P<last>.+)")
_MONTH = re.compile(rf"(?P<month>{'|'.join(name.lower() for name in calendar.month_name[1:])})(?: (?P<year>20\d\d))?")
_LEADING = re.compile(r"^(?:(?:on|for|in|during|over|at|of|any ?time|sometime|later|the) )+")
_DATE = {"type": "string", "format": "date"}
_COUNT = {"type": "integer", "minimum": 1, "maximum": 60}
_HOUR = dt.timedelta(hours=1)


class Window(NamedTuple):
    """From when to when, on the person's clock. `days` for whole ones."""

    start: dt.datetime
    end: dt.datetime
    days: bool = True


def windows_in(words: str, now: dt.datetime, hours: str) -> list[Window]:
    """The times that the words can mean, several where two readings are left; [] where they mean none. No words mean
    the week to come. `hours` are the usual ones of a day ("07-19")."""
    now = now.replace(tzinfo=None)
    today = dt.datetime.combine(now.date(), dt.time())
    said = " ".join(words.lower().replace("’", "'").split()).strip(" ?.!,")
    if not said:
        return [Window(today, today + 8 * DAY)]
    if said in ("now", "right now", "at the moment"):
        return [Window(now, now + dt.timedelta(minutes=1), False)]
    period = _period(_LEADING.sub("", said), today, now)
    if period is not None:
        return [period]
    return _of_a_day(said, now, today, hours)


def _of_a_day(said: str, now: dt.datetime, today: dt.datetime, hours: str) -> list[Window]:
    """A day, and perhaps a part of it or times in it."""
    said = said.replace("tonight", "this evening")
    part, clock = _PART.search(said), _CLOCK.search(said)
    rest = said
    if clock is not None and (part is None or not clock.start() <= part.start() < clock.end()):
        rest = f"{said[: clock.start()]} {said[clock.end() :]}"
    elif clock is not None:  # "at seven in the evening"
        rest = f"{said[: clock.start()]} {said[clock.end() :]}"
        part = None
    if part is not None:
        rest = rest.replace(part[0], " ", 1)
    first = _day(_LEADING.sub("", " ".join(rest.split()) + " ").strip(), now, today)
    if first is None:
        return []
    begins, ends = (first + hour * _HOUR for hour in (_PARTS[part["part"]] if part else (0, 24)))
    if clock is None:
        return [Window(begins, ends, days=part is None)]
    spans = _times(clock["how"], clock["clock"], first, hours)
    clipped = [(max(start, begins), min(end, ends)) for start, end in spans]
    return [Window(start, end, False) for start, end in clipped if start < end]


def _times(how: str, words: str, day: dt.datetime, hours: str) -> list[tuple[dt.datetime, dt.datetime]]:
    if how in ("from", "between"):
        span = clock_range(f"{how} {words}", hours)
        if span is None:
            return []
        start = day + dt.timedelta(minutes=minute(span[0]))
        return [(start, start + dt.timedelta(minutes=span[1]))]
    moments = [day + dt.timedelta(minutes=minute(value)) for value in clocks(words, hours)]
    if how == "after":
        return [(moment, day + DAY) for moment in moments]
    if how in ("before", "until", "till"):
        return [(day, moment) for moment in moments]
    return [(moment, moment + dt.timedelta(minutes=30)) for moment in moments]


def _period(said: str, today: dt.datetime, now: dt.datetime) -> Window | None:
    """Weeks, weekends, months, some days to come."""
    monday = today - today.weekday() * DAY
    known = {
        "this week": Window(monday, monday + 7 * DAY),
        "week": Window(monday, monday + 7 * DAY),
        "next week": Window(monday + 7 * DAY, monday + 14 * DAY),
        "week after next": Window(monday + 14 * DAY, monday + 21 * DAY),
        "rest of week": Window(now, monday + 7 * DAY, False),
        "rest of day": Window(now, today + DAY, False),
        "this weekend": Window(monday + 5 * DAY, monday + 7 * DAY),
        "weekend": Window(monday + 5 * DAY, monday + 7 * DAY),
        "next weekend": Window(monday + 12 * DAY, monday + 14 * DAY),
        "this month": _months(today, 0),
        "next month": _months(today, 1),
        "next few days": Window(today, today + 4 * DAY),
    }
    said = re.sub(r"^rest of (?:the |this )?", "rest of ", said).replace("rest of today", "rest of day")
    if said in known:
        return known[said]
    if match := _AHEAD.fullmatch(said):
        count = resolve(match["count"], _COUNT)
        if isinstance(count, Resolved):
            return Window(today, today + (1 + count.value * (7 if match["unit"].startswith("week") else 1)) * DAY)
    if match := _MONTH.fullmatch(said):
        number = [name.lower() for name in calendar.month_name].index(match["month"])
        year = int(match["year"] or today.year + (number < today.month))
        return _months(dt.datetime(year, number, 1), 0)
    if match := _RUN.fullmatch(said):
        first, last = (_day(_LEADING.sub("", match[name]), now, today) for name in ("first", "last"))
        if first is not None and last is not None:
            last += 7 * DAY if last < first else 0 * DAY
            return Window(first, last + DAY) if last >= first else None
    return None


def _months(day: dt.datetime, ahead: int) -> Window:
    start = (day.replace(day=1) + ahead * 31 * DAY).replace(day=1)
    return Window(start, (start + 31 * DAY).replace(day=1))


def _day(words: str, now: dt.datetime, today: dt.datetime) -> dt.datetime | None:
    if words in ("", "this", "today"):
        return today
    meant = resolve(words, _DATE, now=now)
    if isinstance(meant, Unclear):
        if not meant.candidates or meant.reason == "no words":
            return None
        day = min(meant.candidates)
    else:
        if meant.span[0] > 0 or meant.span[1] < len(words):
            return None
        day = meant.value
    return dt.datetime.combine(dt.date.fromisoformat(day), dt.time())
