"""The tools for what recurs: a series is added, one of it left out or moved, all from then on ended or moved.

Knows no words: those are recurring_talk.py's.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from toolmend.base.errors import ToolError
from toolmend.base.messages import ToolSpec
from toolmend.tools import Toolbox, tool
from toolmend.tools.texts import folded, shown
from toolmend.tools.toolboxes.entry import Entry
from toolmend.tools.toolboxes.occasions import DAY, Occasion
from toolmend.tools.toolboxes.repeats import rule_said
from toolmend.tools.toolboxes.series import Series, ended, rest_of, shifted, tame

_MOMENT = dt.timedelta(minutes=1)


class SeriesTools(Toolbox):
    """What a calendar does with what recurs. `unshown` are tools that a model does not see."""

    unshown = frozenset(f"{deed}_repeating_entry" for deed in ("add", "skip", "end", "move"))
    _series: tuple[Series, ...] = ()

    @tool
    def add_repeating_entry(self, title: str, date: dt.date, time: dt.time, repeat: str, duration: int = 30) -> str:
        """Add an entry that recurs.

        Args:
            title: what the entry is called
            date: the first day, as YYYY-MM-DD
            time: when it starts, as HH:MM on the 24-hour clock
            repeat: how often and until when, as "every Wednesday until 28 March 2027", or as RRULE of iCalendar
            duration: how long it lasts, in minutes
        """
        entry = Entry(title, date, time, duration)
        rule = repeat if "=" in repeat else rule_said(repeat, date)
        if not rule:
            raise ToolError(f"repeat: {shown(repeat)} is no rule for an entry that begins on {date} ({date:%A})")
        made = Series(entry.title, date, time, duration, tame(rule))
        if not made.between(made.start, made.start + 400 * DAY):
            raise ToolError("repeat: by this rule it would never be")
        self._series += (made,)
        return str(made)

    @tool
    def skip_repeating_entry(self, title: str, date: dt.date, time: dt.time) -> str:
        """Leave out one entry of those that recur; the others stay.

        Args:
            title: the title of the entry
            date: its day, as YYYY-MM-DD
            time: when it starts, as HH:MM on the 24-hour clock
        """
        return f"{self._left_out(title, date, time).title} of {date} is left out"

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
            self._left_out(title, date, time)
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

    def _recurring(self, title: str, date: dt.date, time: dt.time) -> tuple[Series, Occasion]:
        """The series and the occurrence of it that this is. Raises ToolError."""
        start = dt.datetime.combine(date, time)
        for one in self._series:
            for row in one.between(start, start + _MOMENT):
                if row.start == start and folded(row.title) == folded(title):
                    return one, row
        raise ToolError(self._no_match(title, date, time))

    def _left_out(self, title: str, date: dt.date, time: dt.time) -> Occasion:
        old, row = self._recurring(title, date, time)
        self._replace(old, replace(old, without=tuple(sorted((*old.without, date)))))
        return row

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

    def _put_in(self, entry: Entry) -> None:
        raise NotImplementedError

    def _no_match(self, title: str, date: dt.date, time: dt.time) -> str:
        raise NotImplementedError
