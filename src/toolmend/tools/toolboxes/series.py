"""What recurs: an entry with a rule (RFC 5545, RRULE). A value; its occurrences are computed by a kept library.

Knows no words and no files.
"""

from __future__ import annotations

import calendar
import datetime as dt
import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from toolmend.base.errors import BadFile, MissingExtra, ToolError
from toolmend.tools.toolboxes.ics_text import escaped
from toolmend.tools.toolboxes.occasions import Occasion

_FREQUENCIES = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
_DAYS = r"[+-]?\d{0,2}(?:MO|TU|WE|TH|FR|SA|SU)"
_NUMBERS = r"-?\d{1,3}(?:,-?\d{1,3})*"
_PARTS = {
    "FREQ": "|".join(_FREQUENCIES),
    "INTERVAL": r"[1-9]\d{0,2}",
    "COUNT": r"[1-9]\d{0,4}",
    "UNTIL": r"\d{8}(?:T\d{6}Z?)?",
    "BYDAY": f"{_DAYS}(?:,{_DAYS})*",
    "WKST": "[A-Z]{2}",
    **dict.fromkeys(("BYMONTHDAY", "BYMONTH", "BYSETPOS", "BYYEARDAY", "BYWEEKNO"), _NUMBERS),
    **dict.fromkeys(("BYHOUR", "BYMINUTE", "BYSECOND"), r"\d{1,2}"),  # one: none recurs by the hour
}
_LONGEST_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_NAMES = {name[:2].upper(): name for name in calendar.day_name}
_UNITS = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}
_NTH = {"1": "first", "2": "second", "3": "third", "4": "fourth", "-1": "last"}
_LISTED, _LONGEST = 3, 500
_ENDED = "T235959"
_WEEK = "MO,TU,WE,TH,FR"


@dataclass(frozen=True, slots=True)
class Series:
    """An entry that recurs from a first day on by a rule, but for some days. `uid` and `source` are those of a calendar
    that it stands in: its VCALENDAR as text, with moved occurrences; "" for one that was made here."""

    title: str
    date: dt.date
    time: dt.time
    duration: int
    rule: str
    without: tuple[dt.date, ...] = ()
    uid: str = field(default="", compare=False, repr=False)
    source: str = field(default="", compare=False, repr=False)

    @property
    def start(self) -> dt.datetime:
        """When it first is, or would be."""
        return dt.datetime.combine(self.date, self.time)

    def between(self, start: dt.datetime, end: dt.datetime) -> list[Occasion]:
        """Its occurrences that touch a span of time. Raises MissingExtra."""
        query = _query(self.source or _written(self))
        found = []
        for event in query.between(start - dt.timedelta(days=2), end + dt.timedelta(days=2)):
            begins, ends = _local(event["DTSTART"].dt), _local(event["DTEND"].dt)
            cancelled = str(event.get("STATUS", "")).upper() == "CANCELLED"
            if cancelled or begins.date() in self.without or begins >= end or max(ends, begins) <= start:
                continue
            whole = not isinstance(event["DTSTART"].dt, dt.datetime)
            found.append(Occasion(" ".join(str(event.get("SUMMARY", self.title)).split()), begins, ends, whole, True))
        # What was ended here is not in the source.
        until = _until(self.rule) if self.source and self.rule.endswith(_ENDED) else None
        return [row for row in found if until is None or row.start.date() <= until]

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        when = {"date": self.date.isoformat(), "time": self.time.isoformat("minutes"), "duration": self.duration}
        without = [day.isoformat() for day in self.without]
        return {"title": self.title, **when, "rule": self.rule, "without": without}

    def __str__(self) -> str:
        """`Wednesdays …` in words: `2026-12-02 18:00  60 min  Yoga  (every Wednesday until 24 March 2027)`."""
        listed = ", ".join(map(str, self.without[-_LISTED:]))
        more = f" and {len(self.without) - _LISTED} before" if len(self.without) > _LISTED else ""
        but = f", not on {listed}{more}" if self.without else ""
        return f"{self.date} {self.time:%H:%M}  {self.duration} min  {self.title}  ({in_words(self.rule)}{but})"


def series_of(row: Any, where: str) -> Series:
    """The series that `to_json` gave. Raises BadFile."""
    try:
        when = dt.date.fromisoformat(row["date"]), dt.time.fromisoformat(row["time"])
        without = tuple(dt.date.fromisoformat(day) for day in row.get("without", ()))
        return Series(str(row["title"]), *when, int(row["duration"]), tame(row["rule"]), without)
    except (KeyError, TypeError, ValueError, ToolError) as error:
        raise BadFile("calendar JSON", f"{where}: no series ({error})") from error


def tame(rule: str) -> str:
    """A rule that can be reckoned in no time. Raises ToolError: for one that is none, that recurs by the hour, or that
    could be searched through for ever and never be met."""
    parts = rule_parts(rule)
    for name, value in parts.items():
        if name not in _PARTS or not re.fullmatch(_PARTS[name], value):
            raise ToolError(f"repeat: {name}={value} is not of a rule that can be kept here")
    if len(rule) > _LONGEST:
        raise ToolError(f"repeat: a rule of more than {_LONGEST} characters")
    wide = "BYYEARDAY BYWEEKNO BYSETPOS".split() if parts.get("FREQ") in ("DAILY", "WEEKLY") else []
    if found := next((name for name in wide if name in parts), ""):  # never met, it is searched for to the year 9999
        raise ToolError(f"repeat: {found} is of months and years only (RFC 5545, 3.3.10)")
    if "FREQ" not in parts:
        raise ToolError("repeat: a rule begins with FREQ=DAILY, WEEKLY, MONTHLY or YEARLY")
    months = [int(month) for month in parts.get("BYMONTH", "1,2,3,4,5,6,7,8,9,10,11,12").split(",")]
    days = [abs(int(day)) for day in parts.get("BYMONTHDAY", "1").split(",")]
    if not all(1 <= month <= 12 for month in months) or min(days) < 1:
        raise ToolError("repeat: it names a month or a day that there is not")
    if min(days) > max(_LONGEST_MONTH[month - 1] for month in months):
        raise ToolError("repeat: no month has such a day")
    return ";".join(f"{name}={value}" for name, value in parts.items())


def rule_parts(rule: str) -> dict[str, str]:
    """The parts of a rule by name."""
    pairs = (part.partition("=") for part in rule.strip().upper().removeprefix("RRULE:").split(";") if part)
    return {name.strip(): value.strip() for name, _, value in pairs}


def ended(rule: str, last: dt.date) -> str:
    """The rule with no occurrence after that day."""
    parts = {name: value for name, value in rule_parts(rule).items() if name not in ("UNTIL", "COUNT")}
    return ";".join(f"{name}={value}" for name, value in {**parts, "UNTIL": f"{last:%Y%m%d}{_ENDED}"}.items())


def rest_of(series: Series, day: dt.date) -> str:
    """The rule for what is left of a series from a day on: of a number of times only those that are left."""
    parts = rule_parts(series.rule)
    if "COUNT" not in parts:
        return series.rule
    before = replace(series, without=(), source=series.source).between(
        series.start, dt.datetime.combine(day, dt.time())
    )
    return ";".join(
        f"{name}={value}" for name, value in {**parts, "COUNT": str(int(parts["COUNT"]) - len(before))}.items()
    )


def shifted(rule: str, days: int) -> str:
    """The rule with its weekdays so many days later; days of the month and of years stay with the first day."""
    parts = rule_parts(rule)
    names = list(_NAMES)
    if parts.get("FREQ") == "WEEKLY" and "BYDAY" in parts:
        moved = sorted((names.index(day[-2:]) + days) % 7 for day in parts["BYDAY"].split(","))
        parts["BYDAY"] = ",".join(names[place] for place in moved)
    elif days and parts.get("FREQ") in ("MONTHLY", "YEARLY"):
        parts = {name: value for name, value in parts.items() if not name.startswith("BY")}
    return ";".join(f"{name}={value}" for name, value in parts.items())


def in_words(rule: str) -> str:
    """A rule as it is said: `every other Friday until 24 March 2027`."""
    parts = rule_parts(rule)
    step, days = int(parts.get("INTERVAL", 1)), parts.get("BYDAY", "")
    if "FREQ" not in parts:
        return "on certain days"
    every = "every " if step == 1 else "every other " if step == 2 else f"every {step} "
    unit = _UNITS.get(parts.get("FREQ", ""), "") + ("s" if step > 2 else "")
    named = " and ".join(_day_named(day) for day in days.split(",")) if days else ""
    if days == _WEEK and step == 1:
        said = "every weekday"
    elif named and parts.get("FREQ") == "WEEKLY":
        said = f"{every}{named}" if step < 3 else f"{every}{unit} on {named}"
    elif named:
        said = f"{every}{unit} on the {named}"
    else:
        said = f"{every}{unit}" + (f" on day {parts['BYMONTHDAY']}" if "BYMONTHDAY" in parts else "")
    until = _until(rule)
    ending = f" until {until.day} {until:%B %Y}" if until else ""
    return said + (f", {parts['COUNT']} times" if "COUNT" in parts else ending)


def _day_named(day: str) -> str:
    name, nth = _NAMES[day[-2:]], day[:-2].lstrip("+")
    return f"{_NTH.get(nth, f'{nth}th')} {name}" if nth else name


def _until(rule: str) -> dt.date | None:
    value = rule_parts(rule).get("UNTIL", "")[:8]
    return dt.date(int(value[:4]), int(value[4:6]), int(value[6:8])) if value else None


def _written(series: Series) -> str:
    """A VCALENDAR of a series that was made here: on everybody's own clock."""
    rows = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//toolmend//calendar//EN", "BEGIN:VEVENT", "UID:series",
        f"DTSTART:{series.start:%Y%m%dT%H%M%S}", f"DURATION:PT{series.duration}M", f"RRULE:{series.rule}",
        f"SUMMARY:{escaped(series.title)}", "END:VEVENT", "END:VCALENDAR",
    ]  # fmt: skip
    return "\r\n".join(rows)


@lru_cache(maxsize=512)
def _query(text: str) -> Any:
    try:
        import icalendar
        import recurring_ical_events
    except ImportError as error:
        raise MissingExtra("what recurs", "calendar") from error
    return recurring_ical_events.of(icalendar.Calendar.from_ical(text))


def _local(moment: dt.datetime | dt.date) -> dt.datetime:
    if not isinstance(moment, dt.datetime):
        return dt.datetime.combine(moment, dt.time())
    return moment.astimezone().replace(tzinfo=None) if moment.tzinfo else moment
