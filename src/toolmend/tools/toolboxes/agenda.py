"""The calendar with its questions as tools that only read, for MCP clients and models that choose among many tools.

The shipped models were taught the calendar's two tools alone; to them its questions are answered before they are asked
(`Calendar.answered`, docs/log.md has what these tools cost them).
"""

from __future__ import annotations

import datetime as dt

from toolmend.base.errors import ToolError
from toolmend.tools import tool
from toolmend.tools.toolboxes.calendar import Calendar
from toolmend.tools.toolboxes.calendar_day import answer
from toolmend.tools.toolboxes.occasions import DAY, free_in


class Agenda(Calendar):
    """A calendar that can be asked: what is on, what is next, when there is time, and any question in words. Its model
    sees the tools for what recurs, too."""

    unshown = frozenset[str]()

    @tool(effect="read")
    def list_calendar_entries(self, date: dt.date, until: dt.date | None = None) -> list[str]:
        """List what is on.

        Args:
            date: the first day, as YYYY-MM-DD
            until: the last day, as YYYY-MM-DD; the same day if left out
        """
        start, end = _days(date, until)
        return [f"{row.start:%Y-%m-%d}{row.line()}" for row in self.between(start, end)]

    @tool(effect="read")
    def find_free_times(self, date: dt.date, until: dt.date | None = None, minutes: int = 60) -> list[str]:
        """Find times in usual hours when nothing is on.

        Args:
            date: the first day, as YYYY-MM-DD
            until: the last day, as YYYY-MM-DD; the same day if left out
            minutes: how long it should be free, in minutes
        """
        start, end = _days(date, until)
        hours = (int(self.hours[:2]), int(self.hours[3:5]) + 1)
        gaps = free_in(self.between(start, end), start, end, hours)
        return [f"{a:%Y-%m-%d %H:%M} to {b:%H:%M}" for a, b in gaps if b - a >= dt.timedelta(minutes=minutes)]

    @tool(effect="read")
    def ask_calendar(self, question: str) -> str:
        """Answer a short question about entries: when, how long, where, with whom, what is next.

        Args:
            question: for example "When is the dentist?"
        """
        told = answer(question, self)
        if not told:
            raise ToolError(
                "question: nothing here answers that; ask what's on, when, how long, where or who is coming"
            )
        return told


def _days(date: dt.date, until: dt.date | None) -> tuple[dt.datetime, dt.datetime]:
    if until is not None and until < date:
        raise ToolError(f"until: should not be before date ({date}), got {until}")
    return dt.datetime.combine(date, dt.time()), dt.datetime.combine(until or date, dt.time()) + DAY
