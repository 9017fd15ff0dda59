"""What a person of the simulated calendar has in mind, and the call that is due for it. Values only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from toolmend.training.words import titled


@dataclass(frozen=True)
class Entry:
    """What a person has in mind; `bare` is the noun phrase as spoken, the title is derived from it."""

    bare: str
    date: date
    time: time
    duration: int = 30

    @property
    def title(self) -> str:
        """The title the calendar gets."""
        return titled(self.bare)

    @property
    def end(self) -> datetime:
        """When it is over."""
        return datetime.combine(self.date, self.time) + timedelta(minutes=self.duration)


@dataclass(frozen=True)
class Meant:
    """The call that is due: add or remove this entry. `str()` writes it as the API demands.

    `also` are further calls due at once, a line each; with `words` no call is due, but this sentence.
    """

    entry: Entry
    remove: bool = False
    also: tuple[Meant, ...] = ()
    words: str = ""

    def __str__(self) -> str:
        """Python in the published notation, a line per call, or the words."""
        return self.words or "\n".join([self._call(), *map(str, self.also)])

    def _call(self) -> str:
        e = self.entry
        if self.remove:
            return f'action.remove_calendar_entry("{e.title}", "{e.date}", "{e.time:%H:%M}")'
        return f'action.add_calendar_entry("{e.title}", date="{e.date}", time="{e.time:%H:%M}", duration={e.duration})'
