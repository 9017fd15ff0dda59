"""One iCalendar text with its entries, changed to hold other ones; whatever is undone gets its old bytes back.

Knows no files and no servers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from toolmend.toolboxes.calendar import Entry
from toolmend.toolboxes.ics_entries import Unread, changed, new_event, seen, title_of
from toolmend.toolboxes.ics_text import ContentLine, IcsPart, IcsText
from toolmend.toolboxes.occasions import Occasion
from toolmend.tools.texts import folded

_WORD = re.compile(r"\w{3,}")
Items = list["ContentLine | IcsPart"]


class Clash(NamedTuple):
    """A change that could not be made, because what it changes is there no longer: `wanted` is None for a removal."""

    was: Entry
    wanted: Entry | None


class IcsDocument:
    """A text and what was done to it. Raises ValueError where the bytes are no text."""

    def __init__(self, data: bytes = b"") -> None:
        self.text = IcsText.of(data)
        self._removed: list[tuple[Entry, IcsPart]] = []
        self._lives: dict[IcsPart, list[tuple[Entry, Items]]] = {}

    def held(self) -> list[tuple[IcsPart, Entry | Occasion | Unread]]:
        """Every event and what it is here."""
        found = ((event, seen(event)) for event in self.text.events)
        return [(event, held) for event, held in found if held is not None]

    def entries(self) -> list[tuple[IcsPart, Entry]]:
        """Every event that is an entry."""
        return [(event, held) for event, held in self.held() if isinstance(held, Entry)]

    def change(self, part: IcsPart, old: Entry, new: Entry) -> None:
        """Make an event another entry; where it was that before, exactly what it was. Raises ValueError."""
        lives = self._lives.setdefault(part, [])
        if not any(entry == old for entry, _ in lives):
            lives.append((old, list(part.items)))
        for entry, items in lives:
            if entry == new:
                part.items = list(items)
                return
        changed(self.text, part, new)
        lives.append((new, list(part.items)))

    def remove(self, part: IcsPart, entry: Entry) -> None:
        """Take an event out."""
        part.gone = True
        self._removed.append((entry, part))

    def restore(self, entry: Entry) -> bool:
        """Put an event back that was taken out; whether there was one."""
        match = next((row for row in reversed(self._removed) if row[0] == entry), None)
        if match is None:
            return False
        self._removed.remove(match)
        match[1].gone = False
        return True

    def add(self, entry: Entry, uid: str = "") -> None:
        """A new event. Raises ValueError."""
        self.text.add(new_event(entry, uid))

    def to_bytes(self) -> bytes:
        """The text as it now is."""
        return self.text.to_bytes()

    @property
    def emptied(self) -> bool:
        """Whether every event was taken out of it."""
        return bool(self._removed) and not self.text.events


def edited(
    documents: Sequence[IcsDocument],
    was: Sequence[Entry],
    wanted: Sequence[Entry],
    fresh: Callable[[Entry], IcsDocument],
) -> tuple[list[IcsDocument], list[Clash]]:
    """Have the documents hold `wanted` where they held `was`: those that were touched, and what could not be done.

    `fresh` gives a document that a new entry goes to. Raises ValueError.
    """
    touched: dict[int, IcsDocument] = {}
    clashes = []
    there = [(entry, part, document) for document in documents for part, entry in document.entries()]
    for old, new in _changes(was, wanted):
        match = next((row for row in there if row[0] == old), None) if old is not None else None
        if match is not None:
            there.remove(match)
        if old is not None and match is None:
            clashes.append(Clash(old, new))
            continue
        if match is not None:
            _, part, document = match
            if new is None:
                document.remove(part, match[0])
            else:
                document.change(part, match[0], new)
        elif new is not None:
            restored = next((document for document in documents if document.restore(new)), None)
            document = restored or fresh(new)
            if restored is None:
                document.add(new)
        touched[id(document)] = document
    return list(touched.values()), clashes


def unread_of(documents: Sequence[IcsDocument]) -> tuple[str, ...]:
    """The title of every event that cannot be read, and why."""
    held = (row for document in documents for row in document.held())
    return tuple(f"{title_of(part)}: {what.why}" for part, what in held if isinstance(what, Unread))


def _changes(was: Sequence[Entry], wanted: Sequence[Entry]) -> Iterator[tuple[Entry | None, Entry | None]]:
    """What became what: the same title or, at the same time, a title alike; what is left came or went."""
    gone = sorted((Counter(was) - Counter(wanted)).elements(), key=lambda entry: entry.start)
    new = sorted((Counter(wanted) - Counter(was)).elements(), key=lambda entry: entry.start)
    for alike in (_same_title, _same_time):
        for old in list(gone):
            match = next((entry for entry in new if alike(old, entry)), None)
            if match is not None:
                gone.remove(old)
                new.remove(match)
                yield old, match
    yield from ((old, None) for old in gone)
    yield from ((None, entry) for entry in new)


def _same_title(old: Entry, new: Entry) -> bool:
    return folded(old.title) == folded(new.title)


def _same_time(old: Entry, new: Entry) -> bool:
    words, others = (set(_WORD.findall(folded(entry.title))) for entry in (old, new))
    return old.start == new.start and bool(words & others)
