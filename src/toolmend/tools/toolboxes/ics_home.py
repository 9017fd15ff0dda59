"""A calendar that lives in an iCalendar file (RFC 5545): read, edited line by line, never rebuilt.

Whatever an entry here cannot be stays in the file as it is. A file that somebody else changed meanwhile is read again
before it is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from toolmend.base.atomic import written
from toolmend.base.errors import BadFile, BadOption, ToolError
from toolmend.tools import Toolbox
from toolmend.tools.texts import shown
from toolmend.tools.toolboxes.calendar import Calendar
from toolmend.tools.toolboxes.entry import Entry
from toolmend.tools.toolboxes.home import Home
from toolmend.tools.toolboxes.ics_document import Clash, IcsDocument, Kept, edited, unread_of
from toolmend.tools.toolboxes.ics_entries import details_of
from toolmend.tools.toolboxes.occasions import Occasion
from toolmend.tools.toolboxes.series import Series


class IcsHome(Home):
    """A calendar in a file."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._data: bytes | None = None
        self._document = IcsDocument()
        self._was: list[Kept] = []

    def load(self, box: Toolbox) -> None:
        """Make the calendar what the file holds. Raises BadFile."""
        calendar = calendar_in(box)
        self._read()
        self._was = show(calendar, [self._document])
        self.notes = calendar.unread

    def save(self, box: Toolbox) -> None:
        """Change in the file what changed here. Raises BadFile; ToolError for what somebody else changed meanwhile."""
        calendar = calendar_in(box)
        if self._data is not None and self._on_disk() != self._data:
            self._read()
        wanted = calendar.snapshot()
        try:
            touched, clashes = edited([self._document], self._was, wanted, lambda _: self._document)
        except ValueError as error:
            if self._data is not None:
                self._read()
            raise BadFile(self.path, f"cannot be changed: {error}") from error
        if touched or self._data is None:
            data = self._document.to_bytes()
            with written(self.path, durable=True) as part:
                part.write_bytes(data)
            self._data = data
        self._was = show(calendar, [self._document], wanted)
        if clashes:
            raise ToolError(told(self.place, clashes, self._was))

    def _read(self) -> None:
        data = self._on_disk()
        try:
            self._document = IcsDocument(data)
        except ValueError as error:
            raise BadFile(self.path, f"cannot be read as iCalendar ({error})") from error
        if data.strip() and not any(part.name == "VCALENDAR" for part in self._document.text.root.walk()):
            raise BadFile(self.path, "cannot be read as iCalendar (it has no line BEGIN:VCALENDAR)")
        self._data = data

    def _on_disk(self) -> bytes:
        try:
            return self.path.read_bytes() if self.path.exists() else b""
        except OSError as error:
            raise BadFile(self.path, f"cannot be read ({error.strerror or error})") from error


def calendar_in(box: Toolbox) -> Calendar:
    """The calendar that a world is. Raises BadOption."""
    if not isinstance(box, Calendar):
        raise BadOption("only a calendar can live in an .ics file or on a CalDAV server; FILE.json takes any world")
    return box


def show(calendar: Calendar, documents: Iterable[IcsDocument], wanted: Iterable[Kept] | None = None) -> list[Kept]:
    """Have the calendar show what stands in the documents, its own entries only where they are not `wanted` already."""
    documents = list(documents)
    held = [what for document in documents for _, what in document.held()]
    entries = [what for what in held if isinstance(what, (Entry, Series))]
    if wanted is None or sorted(map(repr, entries)) != sorted(map(repr, wanted)):
        calendar.restore(entries)
    parts = [row for document in documents for row in document.entries()]
    details = {entry: details_of(part) for part, entry in parts if isinstance(entry, Entry)}
    calendar.keep([what for what in held if isinstance(what, Occasion)], unread_of(documents), details)
    return entries


def told(place: str, clashes: Iterable[Clash], now: Iterable[Kept]) -> str:
    """What could not be changed, both versions of it."""
    lines = []
    entries = list(now)
    for was, wanted in clashes:
        theirs = [str(entry) for entry in entries if entry.title == was.title or entry.start == was.start]
        mine = f"as wanted here: {wanted}" if wanted else "it was to be removed"
        lines.append(
            f"{shown(was.title)} was changed there meanwhile and stays so: {'; '.join(theirs) or 'it is gone'} ({mine})"
        )
    return f"{place}: {'; '.join(lines)}"
