"""Where a world lives from talk to talk: a JSON file, an iCalendar file, a calendar on a CalDAV server.

    home = home_of("calendar.json")     home_of("~/work.ics")     home_of("caldav+https://USER@HOST/…")
    home.load(box); …; home.save(box)

Of an .ics file and a server only what a calendar here can hold is read: single entries with a time. Everything else in
them stays as it is. Needs the extra `calendar` (icalendar, caldav), but for JSON. A password for CalDAV is in
TOOLMEND_CALDAV_PASSWORD.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import uuid
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from toolmend.base.atomic import written
from toolmend.base.errors import BadFile, BadOption, MissingExtra, ToolError
from toolmend.tools import Toolbox
from toolmend.tools.toolboxes.calendar import LONGEST, Calendar, Entry

PASSWORD = "TOOLMEND_CALDAV_PASSWORD"


class Home:
    """A file with a world's state as JSON. `place` is told to people."""

    def __init__(self, path: Path) -> None:
        self.path, self.place = path, str(path)

    def load(self, box: Toolbox) -> None:
        """Make the world what is kept, if anything is. Raises BadFile, ToolError."""
        if not self.path.exists():
            return
        try:
            state = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise BadFile(self.path, f"cannot be read as JSON ({error}); move it away to begin anew") from error
        box.set_state(state)

    def save(self, box: Toolbox) -> None:
        """Keep the world; a file is whole or as it was. Raises BadFile, ToolError."""
        self._write(json.dumps(box.state(), ensure_ascii=False, indent=1, default=str))

    def _write(self, text: str) -> None:
        with written(self.path) as part:
            part.write_text(text, encoding="utf-8", newline="")


def home_of(place: str) -> Home:
    """The home of that name. Raises BadOption for one that nobody knows, MissingExtra."""
    if place.startswith("caldav+"):
        return _CaldavHome(place.removeprefix("caldav+"))
    path = Path(place).expanduser()
    if path.suffix not in (".ics", ".json"):
        raise BadOption(f"{place!r} is no place for a world: FILE.json, FILE.ics, caldav+https://…")
    return _IcsHome(path) if path.suffix == ".ics" else Home(path)


class _IcsHome(Home):
    """An iCalendar file (RFC 5545)."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._whole = _calendar_of()

    def load(self, box: Toolbox) -> None:
        calendar = _calendar(box)
        if not self.path.exists():
            return
        try:
            self._whole = _icalendar().Calendar.from_ical(self.path.read_bytes())
        except (OSError, ValueError) as error:
            raise BadFile(self.path, f"cannot be read as iCalendar ({error})") from error
        calendar.restore([entry for event in self._whole.walk("VEVENT") if (entry := entry_of(event))])

    def save(self, box: Toolbox) -> None:
        entries = Counter(_calendar(box).entries)
        kept = []
        for part in self._whole.subcomponents:  # what cannot be an entry stays
            entry = entry_of(part) if part.name == "VEVENT" else None
            if entry is None:
                kept.append(part)
            elif entries[entry]:
                kept.append(part)
                entries[entry] -= 1
        self._whole.subcomponents = kept + [event_of(entry) for entry in entries.elements()]
        self._write(self._whole.to_ical().decode("utf-8"))


class _CaldavHome(Home):
    """A calendar on a server: the URL's own, or the first of that user."""

    def __init__(self, url: str) -> None:
        try:
            import caldav
        except ImportError as error:
            raise MissingExtra("a calendar on a CalDAV server", "calendar") from error
        parts = urlsplit(url)
        bare = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
        self.place, self._path = f"caldav+{bare}", parts.path.rstrip("/")
        self._events = list[tuple[Entry, Any]]()
        password = os.environ.get(PASSWORD, parts.password or "")
        self._client = caldav.DAVClient(url=bare, username=parts.username or "", password=password)
        self._remote: Any = None

    def load(self, box: Toolbox) -> None:
        calendar = _calendar(box)
        try:
            calendars = self._client.principal().calendars()
            named = [listed for listed in calendars if urlsplit(str(listed.url)).path.rstrip("/") == self._path]
            if not calendars:
                raise ToolError("this user has no calendar there")
            self._remote = (named or calendars)[0]
            held = [(entry_of(event.icalendar_component), event) for event in self._remote.events()]
        except Exception as error:  # whatever the library or the server says
            raise ToolError(f"{self.place}: the calendar cannot be read ({_first_line(error)})") from error
        self._events = [(entry, event) for entry, event in held if entry]
        calendar.restore([entry for entry, _ in self._events])

    def save(self, box: Toolbox) -> None:
        wanted = Counter(_calendar(box).entries)
        left = []
        try:
            for entry, event in self._events:
                if wanted[entry]:
                    wanted[entry] -= 1
                    left.append((entry, event))
                else:
                    event.delete()
            for entry in wanted.elements():
                whole = _calendar_of(event_of(entry)).to_ical().decode("utf-8")
                left.append((entry, self._remote.save_event(whole)))
        except Exception as error:  # as above
            raise ToolError(f"{self.place}: not everything was kept there ({_first_line(error)})") from error
        self._events = left


def entry_of(event: Any) -> Entry | None:
    """The entry that a VEVENT is, in local time; None for one of whole days, one that recurs, one that none can be."""
    start, end, length = (event.get(name) for name in ("DTSTART", "DTEND", "DURATION"))
    if start is None or not isinstance(start.dt, dt.datetime) or event.get("RRULE") or event.get("RECURRENCE-ID"):
        return None
    begin = _local(start.dt)
    span = length.dt if length is not None else _local(end.dt) - begin if end is not None else dt.timedelta(minutes=30)
    minutes = round(span.total_seconds() / 60)
    title = " ".join(str(event.get("SUMMARY", "")).split())
    if not 0 < minutes <= LONGEST:
        return None
    try:
        return Entry(title, begin.date(), begin.time().replace(second=0, microsecond=0), minutes)
    except ToolError:
        return None


def event_of(entry: Entry) -> Any:
    """The VEVENT of an entry, its time in UTC, so that every calendar shows the same moment."""
    event = _icalendar().Event()
    event.add("uid", f"{uuid.uuid4()}@toolmend")
    event.add("dtstamp", dt.datetime.now(dt.UTC))
    event.add("dtstart", entry.start.astimezone(dt.UTC))
    event.add("duration", dt.timedelta(minutes=entry.duration))
    event.add("summary", entry.title)
    return event


def _local(moment: dt.datetime) -> dt.datetime:
    """The moment on the person's clock; what has no zone is on it already."""
    return moment.astimezone().replace(tzinfo=None) if moment.tzinfo else moment


def _calendar(box: Toolbox) -> Calendar:
    if not isinstance(box, Calendar):
        raise BadOption("only a calendar can live in an .ics file or on a CalDAV server; FILE.json takes any world")
    return box


def _calendar_of(*events: Any) -> Any:
    """A VCALENDAR with these events."""
    whole = _icalendar().Calendar()
    whole.add("prodid", "-//toolmend//calendar//EN")
    whole.add("version", "2.0")
    for event in events:
        whole.add_component(event)
    return whole


def _icalendar() -> Any:
    try:
        import icalendar
    except ImportError as error:
        raise MissingExtra("an iCalendar file", "calendar") from error
    return icalendar


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).partition("\n")[0]
