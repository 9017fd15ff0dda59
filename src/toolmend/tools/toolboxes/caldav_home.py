"""A calendar on a CalDAV server (RFC 4791): the URL's own, or the first of that user.

Only what changed is written, with If-Match: what somebody else changed meanwhile is never overwritten, both versions
are told. The password is in TOOLMEND_CALDAV_PASSWORD.
"""

from __future__ import annotations

import os
import uuid
from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit

from toolmend.base.errors import ToolError
from toolmend.tools import Toolbox
from toolmend.tools.toolboxes.caldav_wire import CAL, DAV, DavAnswer, DavBroken, DavResource, DavWire, said
from toolmend.tools.toolboxes.home import Home
from toolmend.tools.toolboxes.ics_document import Clash, IcsDocument, Kept, edited
from toolmend.tools.toolboxes.ics_home import calendar_in, show, told

PASSWORD = "TOOLMEND_CALDAV_PASSWORD"
_NAMES = '<d:{method} xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">{inner}</d:{method}>'
_FIND = _NAMES.format(
    method="propfind",
    inner="<d:prop><d:resourcetype/><d:current-user-principal/><c:calendar-home-set/>"
    "<c:supported-calendar-component-set/></d:prop>",
)
_EVENTS = (
    '<c:calendar-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><d:getetag/><c:calendar-data/>'
    '</d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"/></c:comp-filter></c:filter>'
    "</c:calendar-query>"
)


@dataclass(slots=True, eq=False)
class _Held:
    """One address and what stands there. `known` is what the server has, b"" for nothing; `sent` what it was sent and
    perhaps has: that broke off. `dirty`: the document was changed here since."""

    url: str
    etag: str = ""
    known: bytes = b""
    sent: bytes | None = None
    dirty: bool = False
    document: IcsDocument = field(default_factory=IcsDocument)

    def take(self, data: bytes, etag: str) -> None:
        """The server has this, and so has this talk."""
        self.document, self.dirty = _document(data), False
        self.keep(data, etag)

    def keep(self, data: bytes, etag: str) -> None:
        """The server has this; what was changed here is still to be written."""
        self.known, self.etag, self.sent = data, etag, None
        self.dirty = self.dirty and not _same(self.due, data)

    @property
    def due(self) -> bytes:
        """What the server should have; b"" for nothing."""
        return b"" if self.document.emptied else self.document.to_bytes()

    def clash(self) -> list[Clash]:
        """What is wanted here and cannot be, for somebody else changed it."""
        was, mine = (_entries(_document(data)) for data in (self.known, self.due))
        return [Clash((was or mine)[0], mine[0] if mine else None)] if was or mine else []


class CaldavHome(Home):
    """A calendar on a server."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        bare = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
        self.place, self._url = f"caldav+{bare}", bare
        user, password = (unquote(word or "") for word in (parts.username, parts.password))
        self._wire = DavWire(bare, user, os.environ.get(PASSWORD, password))
        self._calendar = ""
        self._held: list[_Held] = []
        self._was: list[Kept] = []

    def load(self, box: Toolbox) -> None:
        """Make the calendar what the server has. Raises ToolError."""
        calendar = calendar_in(box)
        try:
            with self._wire.open():
                self._calendar = self._calendar or self._found()
                rows = self._wire.listed("REPORT", self._calendar, _EVENTS, "1")
                self._held = [self._row(row) for row in rows if row.url.rstrip("/") != self._calendar.rstrip("/")]
        except ToolError as error:
            raise ToolError(f"{self.place}: the calendar cannot be read ({error})") from error
        self._was = show(calendar, [held.document for held in self._held])
        self.notes = calendar.unread

    def save(self, box: Toolbox) -> None:
        """Change on the server what changed here. Raises ToolError: for what somebody else changed meanwhile, and where
        not everything arrived; that is sent with the next change."""
        calendar = calendar_in(box)
        wanted = list(calendar.snapshot())
        failures: list[str] = []
        clashes: list[Clash] = []
        try:
            with self._wire.open():
                self._calendar = self._calendar or self._found()
                clashes += self._refreshed(wanted)
                clashes += self._edited(wanted)
                for held in [held for held in self._held if held.dirty]:
                    clashes += self._tried(held, failures)
        except (ToolError, ValueError) as error:
            failures.append(str(error))
        if not failures:
            self._was = show(calendar, [held.document for held in self._held], wanted)
        told_of = [told(self.place, clashes, self._was)] if clashes else []
        if failures:
            why = "; ".join(dict.fromkeys(failures))
            told_of.append(f"{self.place}: not everything was kept there ({why}); the next change tries it again")
        if told_of:
            raise ToolError("\n".join(told_of))

    def _tried(self, held: _Held, failures: list[str]) -> list[Clash]:
        """Write one address; a refusal goes to the failures, and stops none of the others."""
        try:
            return self._sent(held)
        except DavBroken:
            raise
        except ToolError as error:
            failures.append(str(error))
            return []

    def _edited(self, wanted: list[Kept]) -> list[Clash]:
        """Have the documents hold what is wanted; what could not be done. Raises ValueError."""
        documents = [held.document for held in self._held]
        try:
            return edited(documents, self._was, wanted, self._fresh)[1]
        finally:  # what was done before an error is to be written too
            self._was = [entry for held in self._held for entry in _entries(held.document)]
            for held in self._held:
                readable = held.document.emptied or held.document.text.events
                held.dirty = held.dirty or (bool(readable) and not _same(held.due, held.known))

    def _found(self) -> str:
        """The address of the calendar: what was named, else the first of the user's."""
        here = self._first("PROPFIND", self._url)
        if _is_calendar(here):
            return here.url
        home = here.href(f"{CAL}calendar-home-set")
        if not home:
            principal = here.href(f"{DAV}current-user-principal")
            home = self._first("PROPFIND", principal).href(f"{CAL}calendar-home-set") if principal else ""
        if not home:
            raise ToolError("it names no calendars of this user")
        for row in self._wire.listed("PROPFIND", home, _FIND, "1"):
            if _is_calendar(row):
                return row.url
        raise ToolError("this user has no calendar there")

    def _first(self, method: str, url: str) -> DavResource:
        answer = self._wire.send(method, url, _FIND.encode(), Depth="0", Content_Type="application/xml")
        if answer.status in (404, 405) and url == self._url:
            url = urljoin(url, "/.well-known/caldav")
        rows = self._wire.listed(method, url, _FIND, "0")
        if not rows:
            raise ToolError("it says nothing about that address")
        return rows[0]

    def _row(self, row: DavResource) -> _Held:
        held = _Held(row.url)
        data = row.text(f"{CAL}calendar-data").encode()
        if data:
            held.take(data, row.text(f"{DAV}getetag").strip())
        else:
            self._ask(held)
        return held

    def _refreshed(self, wanted: list[Kept]) -> list[Clash]:
        """See what the server has now where something is to be changed: the text as it is there, with its line ends,
        which XML does not keep; and what became of a write that broke off."""
        gone = Counter(self._was) - Counter(wanted)
        clashes = []
        for held in self._held:
            if held.sent is not None or any(gone[entry] for entry in _entries(held.document)):
                clashes += self._ask(held)
        return clashes

    def _ask(self, held: _Held) -> list[Clash]:
        """Learn what the server has; what was changed both here and there."""
        answer = self._wire.send("GET", held.url)
        if not answer.ok and answer.status not in (404, 410):
            raise ToolError(said(answer))
        body, etag = (answer.body, answer.etag) if answer.ok else (b"", "")
        mine = [text for text in (held.known, held.due, held.sent) if text is not None]
        if held.dirty and any(_same(body, text) for text in mine):
            held.keep(body, etag)
            return []
        clashes = held.clash() if held.dirty else []
        if not held.dirty and body == held.document.to_bytes():
            held.keep(body, etag)  # its past is kept, so that old bytes can be had back
        else:
            held.take(body, etag)
        return clashes

    def _fresh(self, entry: Kept) -> IcsDocument:
        held = _Held(urljoin(self._calendar.rstrip("/") + "/", f"{uuid.uuid4()}.ics"))
        self._held.append(held)
        return held.document

    def _sent(self, held: _Held) -> list[Clash]:
        """Write one address; what somebody else had changed there."""
        due = held.due
        for _ in range(2):
            answer = self._write(held, due)
            if answer.ok or (not due and answer.status in (404, 410)):
                held.keep(due, answer.etag if due else "")
                if due and (not held.etag or held.etag.startswith("W/")):  # it may have written something else
                    self._ask(held)
                return []
            if answer.status != 412:
                raise ToolError(said(answer))
            now = self._wire.send("GET", held.url)
            body = now.body if now.ok else b""
            if not _same(body, due) and not _same(body, held.known):
                clashes = held.clash()
                held.take(body, now.etag)
                return clashes
            held.keep(body, now.etag)  # an earlier try arrived, or the version it told before was wrong
            if not held.dirty:
                return []
        raise ToolError("the server says it was changed meanwhile, and it was not")

    def _write(self, held: _Held, due: bytes) -> DavAnswer:
        weak = held.etag.startswith("W/")  # RFC 9110: no If-Match by a weak one
        old, new = ("" if weak else held.etag, "") if held.known else ("", "*")
        held.sent = due
        if not due:
            return self._wire.send("DELETE", held.url, If_Match=old, If_None_Match=new)
        kind = "text/calendar; charset=utf-8"
        return self._wire.send("PUT", held.url, due, Content_Type=kind, If_Match=old, If_None_Match=new)


def _is_calendar(row: DavResource) -> bool:
    """Whether events can stand there."""
    kinds = row.props.get(f"{DAV}resourcetype")
    if kinds is None or kinds.find(f"{CAL}calendar") is None:
        return False
    held = row.props.get(f"{CAL}supported-calendar-component-set")
    names = [component.get("name", "").upper() for component in held] if held is not None else []
    return not names or "VEVENT" in names


def _document(data: bytes) -> IcsDocument:
    """The document of these bytes; a text that is none holds nothing."""
    try:
        return IcsDocument(data)
    except ValueError:
        return IcsDocument()


def _entries(document: IcsDocument) -> list[Kept]:
    return [entry for _, entry in document.entries()]


def _same(one: bytes, other: bytes) -> bool:
    """Whether two texts are the same but for line ends."""
    return one.replace(b"\r\n", b"\n").strip() == other.replace(b"\r\n", b"\n").strip()
