"""The calendar of the experiment: entries with a title, a day, a time and a duration; any call can be taken back.

Entries stand in the order of time, so the same entries are the same calendar whatever the order of the calls, and what
is put back is in its place. No time zones: all is local.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from toolmend.base.errors import BadFile, ToolError
from toolmend.base.messages import Call
from toolmend.tools import tool
from toolmend.tools.texts import folded, shown
from toolmend.tools.toolboxes.entry import CALENDAR_JSON, LONGEST, Entry, entry_of
from toolmend.tools.toolboxes.occasions import DAY, Occasion
from toolmend.tools.toolboxes.series import Series, series_of
from toolmend.tools.toolboxes.series_tools import SeriesTools

if TYPE_CHECKING:
    from toolmend.tools.toolboxes.recurring_talk import OpenQuestion

__all__ = ["Calendar", "Entry"]

Details = tuple[tuple[str, ...], str]  # who comes, and where
_SOON = dt.timedelta(days=35)
_REACH, _MOMENT = dt.timedelta(minutes=LONGEST), dt.timedelta(minutes=1)
_LISTED = 3
_NAMED: Mapping[str, Mapping[str, str]] = {"remove_calendar_entry": {"entry": "entry"}}


def _place(entry: Entry) -> tuple[dt.date, dt.time, str, int]:
    return (entry.date, entry.time, entry.title, entry.duration)


class Calendar(SeriesTools):
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
        self._shown: tuple[Occasion, ...] = ()
        self._details: Mapping[Entry, Details] = {}
        self._series = ()
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
        row = self._left_out(title, date, time)
        return Entry(row.title, date, time, row.minutes)

    def things(self) -> dict[str, list[dict[str, Any]]]:
        """The entries, and of what recurs what is to come soon."""
        now = self.now.replace(tzinfo=None)
        soon = [row for one in self._series for row in one.between(now, now + _SOON)]
        rows = [Entry(row.title, row.start.date(), row.start.time(), row.minutes) for row in soon if not row.whole]
        return {"entry": [entry.to_json() for entry in (*self._entries, *rows)]}

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
        from toolmend.tools.toolboxes.calendar_day import answer
        from toolmend.tools.toolboxes.recurring_talk import asked

        return asked(text, self) or answer(text, self)

    def meant(self, text: str) -> tuple[str, str]:
        """The call that a sentence about something that recurs means, and the words for it."""
        from toolmend.tools.toolboxes.recurring_talk import meant

        return meant(text, self)

    def changed(self, text: str, call: Call) -> str:
        """The call that a correction makes of one that added something that recurs."""
        from toolmend.tools.toolboxes.recurring_talk import changed

        return changed(text, call, self)

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
            raise BadFile(CALENDAR_JSON, "should be an object with a list 'entries'")
        series = [series_of(row, f"series {number}") for number, row in enumerate(data.get("series") or [], 1)]
        self.restore([*(entry_of(row, f"entry {number}") for number, row in enumerate(rows, 1)), *series])

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
