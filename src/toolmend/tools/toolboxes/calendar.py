"""The calendar of the experiment: entries with a title, a day, a time and a duration; any call can be taken back.

Entries stand in the order of time, so the same entries are the same calendar whatever the order of the calls, and what
is put back is in its place. No time zones: all is local.
"""

from __future__ import annotations

import datetime as dt
import unicodedata
from bisect import insort
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from toolmend.base.errors import BadFile, ToolError
from toolmend.tools import Toolbox, tool
from toolmend.tools.texts import folded, shown

LONGEST = 7 * 24 * 60
_LISTED = 3
_NAME, _FIELDS = "calendar JSON", ("title", "date", "time", "duration")
_NAMED: Mapping[str, Mapping[str, str]] = {"remove_calendar_entry": {"entry": "entry"}}


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: `time` is the start, to the minute; `duration` is in minutes, at most seven days.

    White space in the title is collapsed. Raises ToolError for an entry that no calendar can hold.
    """

    title: str
    date: dt.date
    time: dt.time
    duration: int = 30

    def __post_init__(self) -> None:
        """Refuse what no calendar can hold."""
        if not isinstance(self.title, str):
            raise ToolError(f"title: should be text, got {self.title!r}")
        object.__setattr__(self, "title", " ".join(self.title.split()))
        if not self.title:
            raise ToolError("title: an entry needs a title")
        if any(unicodedata.category(character) in ("Cc", "Cs") for character in self.title):
            raise ToolError("title: it holds a control character")
        if not isinstance(self.date, dt.date) or isinstance(self.date, dt.datetime):
            raise ToolError(f"date: should be a datetime.date, got {self.date!r}")
        if not isinstance(self.time, dt.time) or self.time.tzinfo or self.time.second or self.time.microsecond:
            raise ToolError(f"time: should be hours and minutes without a time zone (HH:MM), got {str(self.time)!r}")
        if type(self.duration) is not int or not 0 < self.duration <= LONGEST:
            raise ToolError(f"duration: should be 1 to {LONGEST} minutes (7 days), got {self.duration!r}")

    @property
    def start(self) -> dt.datetime:
        """When it begins."""
        return dt.datetime.combine(self.date, self.time)

    def to_json(self) -> dict[str, Any]:
        """Plain data: the date as YYYY-MM-DD, the time as HH:MM."""
        when = {"date": self.date.isoformat(), "time": self.time.isoformat("minutes")}
        return {"title": self.title, **when, "duration": self.duration}

    def __str__(self) -> str:
        """`2024-11-11 17:00  30 min  Meeting with Fred`."""
        return f"{self.date} {self.time:%H:%M}  {self.duration} min  {self.title}"


def _entry(row: Any, where: str) -> Entry:
    """The entry that `to_json` gave. Raises BadFile."""
    if not isinstance(row, Mapping) or sorted(row) != sorted(_FIELDS):
        raise BadFile(_NAME, f"{where}: should be an object with exactly {', '.join(_FIELDS)}")
    values = dict(row)
    for name, kind in (("date", dt.date), ("time", dt.time)):
        try:
            values[name] = kind.fromisoformat(row[name])
        except (TypeError, ValueError) as error:
            raise BadFile(_NAME, f"{where}: {name}: {row[name]!r} is no {name}") from error
    try:
        return Entry(**values)
    except ToolError as error:
        raise BadFile(_NAME, f"{where}: {error}") from error


def _place(entry: Entry) -> tuple[dt.date, dt.time, str, int]:
    return (entry.date, entry.time, entry.title, entry.duration)


class Calendar(Toolbox):
    """A calendar and its two tools. `now` is its clock: set it, or leave it None for the real one.

    >>> calendar = Calendar()
    >>> _ = calendar.add_calendar_entry("Rock concert", dt.date(2024, 11, 11), dt.time(20, 0))
    >>> print(calendar)
    2024-11-11 20:00  30 min  Rock concert
    """

    receiver = "action"
    quick = True
    hours = "07-19"
    named = _NAMED

    def __init__(self, entries: Iterable[Entry] = (), *, now: dt.datetime | None = None) -> None:
        self._entries = sorted(entries, key=_place)
        self._fixed = now

    @property
    def entries(self) -> list[Entry]:
        """The entries in the order of time. A list of its own: the calendar changes through its methods only."""
        return list(self._entries)

    @property
    def now(self) -> dt.datetime:
        """The time it is: as set, else the machine's."""
        return self._fixed or dt.datetime.now().astimezone()

    @now.setter
    def now(self, moment: dt.datetime | None) -> None:
        self._fixed = moment

    @tool(undo="_take_out")
    def add_calendar_entry(self, title: str, date: dt.date, time: dt.time, duration: int = 30) -> Entry:
        """Add an entry to the calendar.

        Args:
            title: what the entry is called, for example "Meeting with Anna"
            date: the day, as YYYY-MM-DD
            time: when it starts, as HH:MM on the 24-hour clock
            duration: how long it lasts, in minutes
        """
        entry = Entry(title, date, time, duration)
        self._put_in(entry)
        return entry

    @tool(undo="_put_in")
    def remove_calendar_entry(self, title: str, date: dt.date, time: dt.time) -> Entry:
        """Remove an entry from the calendar. All three must be those of the entry.

        Args:
            title: the title of the entry
            date: the day of the entry, as YYYY-MM-DD
            time: when the entry starts, as HH:MM on the 24-hour clock
        """
        for entry in self._entries:
            if entry.date == date and entry.time == time and folded(entry.title) == folded(title):
                self._entries.remove(entry)
                return entry
        raise ToolError(self._no_match(title, date, time))

    def things(self) -> dict[str, list[dict[str, Any]]]:
        """The entries."""
        return {"entry": [entry.to_json() for entry in self._entries]}

    def openings(self) -> tuple[str, ...]:
        """Three entries of the days to come."""
        first, second = (f"{self.now + dt.timedelta(days=days):%A}" for days in (2, 3))
        morning, evening = (
            f"Dentist on {first} at 9:30 am",
            f"Yoga on {second} at 6 pm, 45 minutes",
        )
        return "Lunch with Ada tomorrow at noon", morning, evening

    def answered(self, text: str) -> str:
        """What is on that day, where that is asked."""
        from toolmend.tools.toolboxes.calendar_day import whats_on

        return whats_on(text, self._entries, self.now)

    def snapshot(self) -> tuple[Entry, ...]:
        """The entries."""
        return tuple(self._entries)

    def restore(self, state: Iterable[Entry]) -> None:
        """Exactly these entries."""
        self._entries = sorted(state, key=_place)

    def state(self) -> dict[str, Any]:
        """The entries as JSON-able data; equal for calendars with the same entries."""
        return {"entries": [entry.to_json() for entry in self._entries]}

    def set_state(self, data: Mapping[str, Any]) -> None:
        """Become the calendar that `state` gave. Raises BadFile, which says where it is wrong."""
        rows = data.get("entries") if isinstance(data, Mapping) else None
        if not isinstance(rows, list):
            raise BadFile(_NAME, "should be an object with a list 'entries'")
        self.restore([_entry(row, f"entry {number}") for number, row in enumerate(rows, 1)])

    def __str__(self) -> str:
        """One line per entry."""
        return "\n".join(map(str, self._entries)) or "(no entries)"

    def _put_in(self, entry: Entry) -> None:
        insort(self._entries, entry, key=_place)

    def _take_out(self, entry: Entry) -> None:
        if entry not in self._entries:
            raise ToolError(f"{shown(entry.title)} is no longer there: a later call removed it; undo that first")
        self._entries.remove(entry)

    def _no_match(self, title: str, date: dt.date, time: dt.time) -> str:
        there = [f"{shown(entry.title)} at {entry.time:%H:%M}" for entry in self._entries if entry.date == date]
        listed = f"that day has {', '.join(there[:_LISTED])}" if there else "that day is empty"
        more = f" and {len(there) - _LISTED} more" if len(there) > _LISTED else ""
        return f"there is no {shown(title)} on {date} at {time.isoformat('minutes')}; {listed}{more}"
