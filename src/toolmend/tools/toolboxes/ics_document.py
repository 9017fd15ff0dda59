"""One iCalendar text with its entries, changed to hold other ones; whatever is undone gets its old bytes back.

Knows no files and no servers.
"""

from __future__ import annotations

import re
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from toolmend.tools.texts import folded
from toolmend.tools.toolboxes.entry import Entry
from toolmend.tools.toolboxes.ics_entries import Unread, changed, new_event, seen, title_of
from toolmend.tools.toolboxes.ics_series import new_series, series_changed, series_in, uid_of
from toolmend.tools.toolboxes.ics_text import ContentLine, IcsPart, IcsText
from toolmend.tools.toolboxes.occasions import Occasion
from toolmend.tools.toolboxes.series import Series

_WORD = re.compile(r"\w{3,}")
Items = list["ContentLine | IcsPart"]
Kept = Entry | Series
# Of an event that another is made like: what is its own.
_OWN = frozenset(
    "BEGIN END UID DTSTAMP DTSTART DTEND DURATION RRULE RDATE EXDATE EXRULE RECURRENCE-ID SEQUENCE SUMMARY CREATED"
    " LAST-MODIFIED".split()
)


class Clash(NamedTuple):
    """A change that could not be made, because what it changes is there no longer: `wanted` is None for a removal."""

    was: Kept
    wanted: Kept | None


class IcsDocument:
    """A text and what was done to it. Raises ValueError where the bytes are no text."""

    def __init__(self, data: bytes = b"") -> None:
        self.text = IcsText.of(data)
        self._removed: list[tuple[Kept, list[IcsPart]]] = []
        self._lives: dict[IcsPart, list[tuple[Kept, Items]]] = {}

    def held(self) -> list[tuple[IcsPart, Kept | Occasion | Unread]]:
        """Every event and what it is here."""
        found = ((event, seen(event)) for event in self.text.events)
        return [*((event, held) for event, held in found if held is not None), *series_in(self.text)]

    def entries(self) -> list[tuple[IcsPart, Kept]]:
        """Every event that is an entry, or recurs."""
        return [(event, held) for event, held in self.held() if isinstance(held, (Entry, Series))]

    def change(self, part: IcsPart, old: Kept, new: Kept) -> None:
        """Make an event another entry; where it was that before, exactly what it was. Raises ValueError."""
        lives = self._lives.setdefault(part, [])
        if not any(entry == old for entry, _ in lives):
            lives.append((old, list(part.items)))
        for entry, items in lives:
            if entry == new:
                part.items = list(items)
                return
        if isinstance(old, Series) and isinstance(new, Series):
            series_changed(self.text, part, old, new)
        elif isinstance(new, Entry):
            changed(self.text, part, new)
        lives.append((new, list(part.items)))

    def remove(self, part: IcsPart, entry: Kept) -> None:
        """Take an event out, and what is told of its single days."""
        uid = uid_of(part)
        told = [event for event in self.text.events if uid and event is not part and uid_of(event) == uid]
        parts = [part, *(event for event in told if isinstance(entry, Series) and event.first("RECURRENCE-ID"))]
        for event in parts:
            event.gone = True
        self._removed.append((entry, parts))

    def restore(self, entry: Kept) -> bool:
        """Put an event back that was taken out; whether there was one."""
        match = next((row for row in reversed(self._removed) if row[0] == entry), None)
        if match is None:
            return False
        self._removed.remove(match)
        for event in match[1]:
            event.gone = False
        return True

    def add(self, entry: Kept, like: IcsPart | None = None) -> None:
        """A new event, with the guests, alarms and the like of another. Raises ValueError."""
        uid = f"{uuid.uuid4()}@toolmend"
        rows = new_event(entry, uid) if isinstance(entry, Entry) else new_series(entry, uid)
        rows += [(line.name, line.params, line.value) for line in (like.lines if like else ()) if line.name not in _OWN]
        self.text.add(rows, like.parts if like else ())

    def to_bytes(self) -> bytes:
        """The text as it now is."""
        return self.text.to_bytes()

    @property
    def emptied(self) -> bool:
        """Whether every event was taken out of it."""
        return bool(self._removed) and not self.text.events


def edited(
    documents: Sequence[IcsDocument],
    was: Sequence[Kept],
    wanted: Sequence[Kept],
    fresh: Callable[[Kept], IcsDocument],
) -> tuple[list[IcsDocument], list[Clash]]:
    """Have the documents hold `wanted` where they held `was`: those that were touched, and what could not be done.

    `fresh` gives a document that a new entry goes to. Raises ValueError.
    """
    touched: dict[int, IcsDocument] = {}
    clashes = []
    there = [(entry, part, document) for document in documents for part, entry in document.entries()]
    models = {folded(entry.title): part for entry, part, _ in there if isinstance(entry, Series)}
    for old, new in _changes(was, wanted):
        match = next((row for row in there if row[0] == old), None) if old is not None else None
        if old is not None and match is None:
            clashes.append(Clash(old, new))
            continue
        if match is not None:
            there.remove(match)
            entry, part, document = match
            if new is None:
                document.remove(part, entry)
            else:
                document.change(part, entry, new)
        elif new is not None:
            restored = next((document for document in documents if document.restore(new)), None)
            document = restored or fresh(new)
            if restored is None:
                document.add(new, models.get(folded(new.title)))
        touched[id(document)] = document
    return list(touched.values()), clashes


def unread_of(documents: Sequence[IcsDocument]) -> tuple[str, ...]:
    """The title of every event that cannot be read, and why."""
    held = (row for document in documents for row in document.held())
    return tuple(f"{title_of(part)}: {what.why}" for part, what in held if isinstance(what, Unread))


def _changes(was: Sequence[Kept], wanted: Sequence[Kept]) -> Iterator[tuple[Kept | None, Kept | None]]:
    """What became what: the same title or, at the same time, a title alike; what is left came or went."""
    gone = sorted((Counter(was) - Counter(wanted)).elements(), key=lambda entry: entry.start)
    new = sorted((Counter(wanted) - Counter(was)).elements(), key=lambda entry: entry.start)
    for alike in (_same_start, _same_title, _same_time):
        for old in list(gone):
            match = next((entry for entry in new if type(entry) is type(old) and alike(old, entry)), None)
            if match is not None:
                gone.remove(old)
                new.remove(match)
                yield old, match
    yield from ((old, None) for old in gone)
    yield from ((None, entry) for entry in new)


def _same_start(old: Kept, new: Kept) -> bool:
    return _same_title(old, new) and old.start == new.start


def _same_title(old: Kept, new: Kept) -> bool:
    return folded(old.title) == folded(new.title)


def _same_time(old: Kept, new: Kept) -> bool:
    words, others = (set(_WORD.findall(folded(entry.title))) for entry in (old, new))
    return old.start == new.start and bool(words & others)
