"""What is on at some time: an entry, one of a series, a whole day. Values that a calendar shows and answers from."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Occasion:
    """Something with a title from `start` to `end`, on the person's clock; `whole` for whole days, `end` is then the
    day after the last; `repeats` for one of a series."""

    title: str
    start: dt.datetime
    end: dt.datetime
    whole: bool = False
    repeats: bool = False

    @property
    def minutes(self) -> int:
        """How long it is."""
        return round((self.end - self.start).total_seconds() / 60)
