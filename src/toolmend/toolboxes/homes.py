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
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit, urlunsplit

from toolmend.errors import BadFile, BadOption, MissingExtra, ToolError
from toolmend.toolboxes.calendar import LONGEST, Calendar, Entry
from toolmend.tools import Toolbox

PASSWORD = "TOOLMEND_CALDAV_PASSWORD"


class Home(Protocol):
    """Keeps a world. `place` is told to people."""

    place: str

    def load(self, box: Toolbox) -> None:
        """Make the world what is kept, if anything is. Raises BadFile, ToolError."""
        ...

    def save(self, box: Toolbox) -> None:
        """Keep the world. Raises BadFile, ToolError."""
        ...


def home_of(place: str) -> Home:
    """The home of that name. Raises BadOption for one that nobody knows, MissingExtra."""
    if place.startswith("caldav+"):
        return CaldavHome(place.removeprefix("caldav+"))
    path = Path(place).expanduser()
    if path.suffix == ".ics":
        return IcsHome(path)
    if path.suffix == ".json":
        return JsonHome(path)
    raise BadOption(f"{place!r} is no place for a world: FILE.json, FILE.ics, caldav+https://…")


class JsonHome:
    """A file with the world's state."""

    def __init__(self, path: Path) -> None:
        self.path, self.place = path, str(path)

    def load(self, box: Toolbox) -> None:
        """Begin in the state of the file, if there is one."""
        if not self.path.exists():
            return
        try:
            state = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise BadFile(self.path, f"cannot be read as JSON ({error}); move it away to begin anew") from error
        box.set_state(state)

    def save(self, box: Toolbox) -> None:
        """Write the state; the file is whole or as it was."""
        _written(self.path, json.dumps(box.state(), ensure_ascii=False, indent=1, default=str))


class IcsHome:
    """An iCalendar file (RFC 5545)."""

    def __init__(self, path: Path) -> None:
        self._ical = _icalendar()
        self.path, self.place = path, str(path)
        self._whole: Any = None

    def load(self, box: Toolbox) -> None:
        """The entries of the file, if there is one."""
        calendar = _calendar(box)
        self._whole = self._ical.Calendar()
        self._whole.add("prodid", "-//toolmend//calendar//EN")
        self._whole.add("version", "2.0")
        if not self.path.exists():
            return
        try:
            self._whole = self._ical.Calendar.from_ical(self.path.read_bytes())
        except (OSError, ValueError) as error:
            raise BadFile(self.path, f"cannot be read as iCalendar ({error})") from error
        calendar.restore([entry for event in self._whole.walk("VEVENT") if (entry := entry_of(event))])

    def save(self, box: Toolbox) -> None:
        """The entries into the file; what cannot be one stays."""
        entries = Counter(_calendar(box).entries)
        kept = []
        for part in self._whole.subcomponents:
            entry = entry_of(part) if part.name == "VEVENT" else None
            if entry is not None:
                if not entries[entry]:
                    continue
                entries[entry] -= 1
            kept.append(part)
        kept += [event_of(entry, self._ical) for entry in entries.elements()]
        self._whole.subcomponents = kept
        _written(self.path, self._whole.to_ical().decode("utf-8"))


class CaldavHome:
    """A calendar on a server: the URL's own, or the first of that user."""

    def __init__(self, url: str) -> None:
        try:
            import caldav
        except ImportError as error:
            raise MissingExtra("a calendar on a CalDAV server", "calendar") from error
        self._ical = _icalendar()
        parts = urlsplit(url)
        bare = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
        self.place = f"caldav+{bare}"
        self._caldav, self._events = caldav, list[tuple[Entry, Any]]()
        self._client = caldav.DAVClient(
            url=bare, username=parts.username or "", password=os.environ.get(PASSWORD, parts.password or "")
        )
        self._remote: Any = None

    def load(self, box: Toolbox) -> None:
        """The entries on the server."""
        try:
            self._remote = self._found()
            held = [(entry_of(event.icalendar_component), event) for event in self._remote.events()]
        except Exception as error:  # whatever the library or the server says
            raise ToolError(f"{self.place}: the calendar cannot be read ({_first_line(error)})") from error
        self._events = [(entry, event) for entry, event in held if entry]
        _calendar(box).restore([entry for entry, _ in self._events])

    def save(self, box: Toolbox) -> None:
        """What is new to the server, what is gone from it."""
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
                whole = self._ical.Calendar()
                whole.add("prodid", "-//toolmend//calendar//EN")
                whole.add("version", "2.0")
                whole.add_component(event_of(entry, self._ical))
                left.append((entry, self._remote.save_event(whole.to_ical().decode("utf-8"))))
        except Exception as error:  # as above
            raise ToolError(f"{self.place}: not everything was kept there ({_first_line(error)})") from error
        self._events = left

    def _found(self) -> Any:
        calendars = self._client.principal().calendars()
        path = urlsplit(self.place.removeprefix("caldav+")).path.rstrip("/")
        named = [each for each in calendars if urlsplit(str(each.url)).path.rstrip("/") == path]
        if not (named or calendars):
            raise ToolError("this user has no calendar there")
        return (named or calendars)[0]


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


def event_of(entry: Entry, ical: Any) -> Any:
    """The VEVENT of an entry, its time in UTC, so that every calendar shows the same moment."""
    event = ical.Event()
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


def _icalendar() -> Any:
    try:
        import icalendar
    except ImportError as error:
        raise MissingExtra("an iCalendar file", "calendar") from error
    return icalendar


def _written(path: Path, text: str) -> None:
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text, encoding="utf-8", newline="")
        os.replace(part, path)
    except OSError as error:
        raise BadFile(path, f"cannot be written ({error.strerror or error})") from error
    finally:
        with suppress(OSError):  # a folder that is none has no such file
            part.unlink()


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).partition("\n")[0]
