"""What is on at some time: an entry, one of a series, a whole day. Values that a calendar shows and answers from."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

DAY = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Occasion:
    """Something with a title from `start` to `end`, on the person's clock; `whole` for whole days, `end` is then the
    day after the last; `repeats` for one of a series; `people` come to `place`."""

    title: str
    start: dt.datetime
    end: dt.datetime
    whole: bool = False
    repeats: bool = False
    people: tuple[str, ...] = ()
    place: str = ""

    @property
    def minutes(self) -> int:
        """How long it is."""
        return round((self.end - self.start).total_seconds() / 60)

    def line(self) -> str:
        """As a line below its day: `  14:30  60 min  Dentist`."""
        if self.whole:
            days = (self.end - self.start).days
            return f"  all day  {self.title}" + (f" (until {self.end - DAY:%A, %d %B})" if days > 1 else "")
        return f"  {self.start:%H:%M}  {self.minutes} min  {self.title}" + ("  (repeats)" if self.repeats else "")


def free_in(
    busy: Iterable[Occasion], start: dt.datetime, end: dt.datetime, hours: tuple[int, int]
) -> list[tuple[dt.datetime, dt.datetime]]:
    """The times from `start` to `end`, within the hours of each day, that nothing is in; whole days take none."""
    taken = sorted((row.start, row.end) for row in busy if not row.whole)
    gaps = []
    day = start.replace(hour=0, minute=0, second=0, microsecond=0)
    while day < end:
        at, last = max(start, day + dt.timedelta(hours=hours[0])), min(end, day + dt.timedelta(hours=hours[1]))
        for begins, ends in taken:
            if begins >= last:
                break
            if ends <= at:
                continue
            if begins > at:
                gaps.append((at, begins))
            at = max(at, ends)
        if at < last:
            gaps.append((at, last))
        day += DAY
    return gaps


def named_day(day: dt.date) -> str:
    """`Tuesday, 24 November 2026`."""
    return f"{day:%A}, {day.day} {day:%B %Y}"
