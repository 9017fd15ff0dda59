"""One entry of a calendar: a value with a title, a day, a time and a duration. All is local."""

from __future__ import annotations

import datetime as dt
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolmend.base.errors import BadFile, ToolError

LONGEST = 7 * 24 * 60
CALENDAR_JSON = "calendar JSON"
_FIELDS = ("title", "date", "time", "duration")


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


def entry_of(row: Any, where: str) -> Entry:
    """The entry that `to_json` gave. Raises BadFile."""
    if not isinstance(row, Mapping) or sorted(row) != sorted(_FIELDS):
        raise BadFile(CALENDAR_JSON, f"{where}: should be an object with exactly {', '.join(_FIELDS)}")
    values = dict(row)
    for name, kind in (("date", dt.date), ("time", dt.time)):
        try:
            values[name] = kind.fromisoformat(row[name])
        except (TypeError, ValueError) as error:
            raise BadFile(CALENDAR_JSON, f"{where}: {name}: {row[name]!r} is no {name}") from error
    try:
        return Entry(**values)
    except ToolError as error:
        raise BadFile(CALENDAR_JSON, f"{where}: {error}") from error
