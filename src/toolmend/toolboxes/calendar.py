"""The calendar of the experiment: entries with a title, a day, a time and a duration; any call can be taken back.

Entries stand in the order of time, so the same entries are the same calendar whatever the order of the calls, and what
is put back is in its place. No time zones: all is local.
"""

from __future__ import annotations

import datetime as dt
import unicodedata
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from toolmend.errors import BadFile, ToolError
from toolmend.messages import ToolSpec
from toolmend.toolboxes.occasions import DAY, Occasion
from toolmend.toolboxes.series import Series, ended, rest_of, series_of, shifted, tame
from toolmend.tools import Toolbox, tool
from toolmend.tools.texts import folded, shown

if TYPE_CHECKING:
    from toolmend.toolboxes.recurring_talk import OpenQuestion

LONGEST = 7 * 24 * 60
Details = tuple[tuple[str, ...], str]  # who comes, and where
_REACH, _MOMENT = dt.timedelta(minutes=LONGEST), dt.timedelta(minutes=1)
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
    unshown = frozenset({"add_repeating_entry", "end_repeating_entry", "move_repeating_entry"})

    def __init__(self, entries: Iterable[Entry] = (), *, now: dt.datetime | None = None) -> None:
        self._entries = sorted(entries, key=_place)
        self._fixed = now
        self._shown: tuple[Occasion, ...] = ()
        self._details: Mapping[Entry, Details] = {}
        self._series: tuple[Series, ...] = ()
        self.spoken_of: Occasion | None = None
        self.waiting: OpenQuestion | None = None
        self.unread: tuple[str, ...] = ()

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
        self.speak_of(self._occasion(entry))
        return entry

    @tool(undo="_put_back")
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
        old, row = self._recurring(title, date, time)
        self._replace(old, replace(old, without=tuple(sorted((*old.without, date)))))
        return Entry(row.title, date, time, row.minutes)

    @tool
    def add_repeating_entry(self, title: str, date: dt.date, time: dt.time, repeat: str, duration: int = 30) -> str:
        """Add an entry that recurs.

        Args:
            title: what the entry is called
            date: the first day, as YYYY-MM-DD
            time: when it starts, as HH:MM on the 24-hour clock
            repeat: the rule, as RRULE of iCalendar, for example "FREQ=WEEKLY;BYDAY=WE;UNTIL=20270328"
            duration: how long it lasts, in minutes
        """
        entry = Entry(title, date, time, duration)
        made = Series(entry.title, date, time, duration, tame(repeat))
        if not made.between(made.start, made.start + 400 * DAY):
            raise ToolError("repeat: by this rule it would never be")
        self._series += (made,)
        return str(made)

    @tool
    def end_repeating_entry(self, title: str, date: dt.date, time: dt.time) -> str:
        """End an entry that recurs: the one of that day and all after it are gone.

        Args:
            title: the title of the entry
            date: the day of the first that is gone, as YYYY-MM-DD
            time: when that one starts, as HH:MM on the 24-hour clock
        """
        _, row = self._recurring(title, date, time)
        for one in self._series:
            if folded(one.title) == folded(title):
                self._replace(one, None if date <= one.date else replace(one, rule=ended(one.rule, date - DAY)))
        return f"{row.title} is no more from {date} on"

    @tool
    def move_repeating_entry(
        self, title: str, date: dt.date, time: dt.time, new_date: dt.date, new_time: dt.time, following: bool = False
    ) -> str:
        """Move one entry of those that recur, or it and all that follow.

        Args:
            title: the title of the entry
            date: its day, as YYYY-MM-DD
            time: when it starts, as HH:MM on the 24-hour clock
            new_date: the day it moves to, as YYYY-MM-DD
            new_time: when it will start, as HH:MM on the 24-hour clock
            following: whether all that follow move too
        """
        old, row = self._recurring(title, date, time)
        if not following:
            self._replace(old, replace(old, without=tuple(sorted((*old.without, date)))))
            self._put_in(Entry(row.title, new_date, new_time, row.minutes))
            return f"{row.title} of {date} is on {new_date} at {new_time:%H:%M}"
        rule = shifted(rest_of(old, date), (new_date - date).days)
        moved = Series(old.title, new_date, new_time, old.duration, rule)
        self._replace(old, None if date <= old.date else replace(old, rule=ended(old.rule, date - DAY)))
        self._series += (moved,)
        return str(moved)

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools as a model sees them: the two of the published experiment; those for what recurs are called by what
        is understood without a model (recurring_talk.py)."""
        return tuple(spec for spec in super().specs if spec.name not in self.unshown)

    @property
    def series(self) -> tuple[Series, ...]:
        """What recurs."""
        return self._series

    def meant(self, text: str) -> str:
        """The call that a sentence about something that recurs means."""
        from toolmend.toolboxes.recurring_talk import meant

        return meant(text, self)

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
        """The answer to a question about time, where that is asked."""
        from toolmend.toolboxes.calendar_day import answer
        from toolmend.toolboxes.recurring_talk import asked

        return asked(text, self) or answer(text, self)

    def between(self, start: dt.datetime, end: dt.datetime) -> list[Occasion]:
        """What is on from `start` to `end`, in the order of time: entries, and what its home holds beside them."""
        first = bisect_left(self._entries, start.date() - _REACH, key=lambda entry: entry.date)
        last = bisect_right(self._entries, end.date(), key=lambda entry: entry.date)
        rows = [self._occasion(entry) for entry in self._entries[first:last]]
        rows += [row for one in self._series for row in one.between(start, end)]
        on = [row for row in (*rows, *self._shown) if row.start < end and max(row.end, row.start + _MOMENT) > start]
        return sorted(on, key=lambda row: (row.start, not row.whole, row.title))

    def speak_of(self, occasion: Occasion) -> None:
        """What "it" is in the next question."""
        self.spoken_of = occasion

    def _occasion(self, entry: Entry) -> Occasion:
        people, place = self._details.get(entry, ((), ""))
        end = entry.start + dt.timedelta(minutes=entry.duration)
        return Occasion(entry.title, entry.start, end, people=people, place=place)

    def snapshot(self) -> tuple[Entry | Series, ...]:
        """The entries, and what recurs."""
        return (*self._entries, *self._series)

    def restore(self, state: Iterable[Entry | Series]) -> None:
        """Exactly these entries."""
        state = list(state)
        self._entries = sorted((one for one in state if isinstance(one, Entry)), key=_place)
        self._series = tuple(one for one in state if isinstance(one, Series))

    def state(self) -> dict[str, Any]:
        """The entries as JSON-able data; equal for calendars with the same entries."""
        state = {"entries": [entry.to_json() for entry in self._entries]}
        return {**state, "series": [one.to_json() for one in self._series]} if self._series else state

    def set_state(self, data: Mapping[str, Any]) -> None:
        """Become the calendar that `state` gave. Raises BadFile, which says where it is wrong."""
        rows = data.get("entries") if isinstance(data, Mapping) else None
        if not isinstance(rows, list):
            raise BadFile(_NAME, "should be an object with a list 'entries'")
        series = [series_of(row, f"series {number}") for number, row in enumerate(data.get("series") or [], 1)]
        self.restore([*(_entry(row, f"entry {number}") for number, row in enumerate(rows, 1)), *series])

    def keep(
        self, occasions: Iterable[Occasion], unread: Iterable[str] = (), details: Mapping[Entry, Details] | None = None
    ) -> None:
        """Show these beside the entries: what its home holds and no entry can be; `unread` says what cannot be read,
        `details` who comes to an entry, and where it is."""
        self._shown, self.unread, self._details = tuple(occasions), tuple(unread), details or {}

    def unread_line(self) -> str:
        """How many entries cannot be read, in brackets."""
        count = "one entry" if len(self.unread) == 1 else f"{len(self.unread)} entries"
        return f"({count} that cannot be read)"

    def __str__(self) -> str:
        """One line per entry, and one for what cannot be read."""
        lines = [*map(str, self._entries), *map(str, self._series)]
        if self.unread:
            lines.append(self.unread_line())
        return "\n".join(lines) or "(no entries)"

    def _recurring(self, title: str, date: dt.date, time: dt.time) -> tuple[Series, Occasion]:
        """The series and the occurrence of it that this is. Raises ToolError."""
        start = dt.datetime.combine(date, time)
        for one in self._series:
            for row in one.between(start, start + _MOMENT):
                if row.start == start and folded(row.title) == folded(title):
                    return one, row
        raise ToolError(self._no_match(title, date, time))

    def _replace(self, old: Series, new: Series | None) -> None:
        place = self._series.index(old)
        self._series = (*self._series[:place], *([new] if new else []), *self._series[place + 1 :])

    def _back_in_series(self, entry: Entry) -> bool:
        """Whether an entry was one of a series, and is again."""
        for one in self._series:
            whole = replace(one, without=tuple(day for day in one.without if day != entry.date))
            rows = whole.between(entry.start, entry.start + _MOMENT) if entry.date in one.without else []
            if any(row.start == entry.start and row.title == entry.title for row in rows):
                self._replace(one, whole)
                return True
        return False

    def _put_back(self, entry: Entry) -> None:
        if not self._back_in_series(entry):
            self._put_in(entry)

    def _put_in(self, entry: Entry) -> None:
        insort(self._entries, entry, key=_place)

    def _take_out(self, entry: Entry) -> None:
        if entry not in self._entries:
            raise ToolError(f"{shown(entry.title)} is no longer there: a later call removed it; undo that first")
        self._entries.remove(entry)

    def _no_match(self, title: str, date: dt.date, time: dt.time) -> str:
        day = dt.datetime.combine(date, dt.time())
        rows = [row for one in self._series for row in one.between(day, day + DAY)]
        there = [f"{shown(entry.title)} at {entry.time:%H:%M}" for entry in self._entries if entry.date == date]
        there += [f"{shown(row.title)} at {row.start:%H:%M}" for row in rows]
        listed = f"that day has {', '.join(there[:_LISTED])}" if there else "that day is empty"
        more = f" and {len(there) - _LISTED} more" if len(there) > _LISTED else ""
        return f"there is no {shown(title)} on {date} at {time.isoformat('minutes')}; {listed}{more}"
