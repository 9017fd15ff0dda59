"""The text of iCalendar files (RFC 5545) and of their forerunners, to be edited and never rebuilt.

    text = IcsText.of(data)     for event in text.events: event.first("SUMMARY").value …     text.to_bytes()

A line that is not touched keeps its bytes: folds, line ends, encoding, order, what nobody understands. Knows no days
and no times.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

_LINE = re.compile(rb"[^\r\n]*(?:\r*\n|\r|$)")  # "\r\r\n" is what a text mode makes of "\r\n"
_CONTENT = re.compile(
    r'(?P<name>[A-Za-z0-9][\w-]*)(?P<params>(?:;[^:;"=]+(?:=(?:"[^"]*"|[^:;"])*)?)*):(?P<value>.*)', re.S
)
_PARAM = re.compile(r';(?P<name>[^:;"=]+)=?(?P<value>(?:"[^"]*"|[^:;"])*)')
_ESCAPED = re.compile(r"\\(.)", re.S)
_WIDTH = 75
_MARKS = (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")


@dataclass(slots=True, eq=False)
class ContentLine:
    """One line, unfolded. `raw` are its bytes with their ends; `params` is what stands before the colon, from the first
    semicolon on. A line that is none of RFC 5545 has no name."""

    raw: bytes
    name: str = ""
    params: str = ""
    value: str = ""

    def param(self, name: str) -> str:
        """A parameter without its quotes; "" for none."""
        given = {match["name"].upper(): match["value"] for match in _PARAM.finditer(self.params)}
        return given.get(name, "").strip('"')

    @property
    def text(self) -> str:
        """The value as people read it."""
        value = self.value
        if self.param("ENCODING").upper() == "QUOTED-PRINTABLE" or ";QUOTED-PRINTABLE" in self.params.upper():
            value = _decoded(codecs.decode(value.encode(), "quopri"))
        return _ESCAPED.sub(lambda match: "\n" if match[1] in "nN" else match[1], value)


@dataclass(slots=True, eq=False)
class IcsPart:
    """A component: its lines and the components in it, in their order; BEGIN and END are the first and the last line.

    One that is `gone` keeps its place and is written no more.
    """

    name: str
    items: list[ContentLine | IcsPart] = field(default_factory=list)
    parent: IcsPart | None = None
    gone: bool = False

    @property
    def lines(self) -> list[ContentLine]:
        """Its own lines that have a name."""
        return [item for item in self.items if isinstance(item, ContentLine) and item.name]

    @property
    def parts(self) -> list[IcsPart]:
        """The components in it."""
        return [item for item in self.items if isinstance(item, IcsPart) and not item.gone]

    def all(self, name: str) -> list[ContentLine]:
        """Its lines of that name."""
        return [line for line in self.lines if line.name == name]

    def first(self, name: str) -> ContentLine | None:
        """Its first line of that name."""
        return next(iter(self.all(name)), None)

    def walk(self) -> Iterator[IcsPart]:
        """It and what is in it, in the order of the file."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def to_bytes(self) -> bytes:
        """As it stands in the file."""
        if self.gone:
            return b""
        return b"".join(item.raw if isinstance(item, ContentLine) else item.to_bytes() for item in self.items)


class IcsText:
    """A whole file. Raises ValueError where its bytes are no text."""

    def __init__(self, root: IcsPart, mark: bytes, wide: str, narrow: bool) -> None:
        """`mark` opens the file, `wide` is its encoding where that is UTF-16, `narrow`: new words go in as cp1252."""
        self.root, self._mark, self._wide, self._narrow = root, mark, wide, narrow
        ends = [item.raw for part in root.walk() for item in part.items if isinstance(item, ContentLine)]
        self._end = b"\n" if ends and not ends[0].endswith(b"\r\n") and ends[0].endswith(b"\n") else b"\r\n"

    @classmethod
    def of(cls, data: bytes) -> IcsText:
        """The file with these bytes."""
        mark, wide = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", ""))
        body = data[len(mark) :]
        if not mark and b"\0" in body[:2]:
            wide = "utf-16-le" if body[1:2] == b"\0" else "utf-16-be"
        if wide == "utf-8":
            wide = ""
        if wide:
            body = body.decode(wide).encode()
        lines = list(_content_lines(body))
        narrow = any(not _is_utf8(line.raw) for line in lines)
        return cls(_tree(lines), mark, wide, narrow)

    @property
    def events(self) -> list[IcsPart]:
        """Its VEVENTs."""
        return [part for part in self.root.walk() if part.name == "VEVENT"]

    def to_bytes(self) -> bytes:
        """The file."""
        body = self.root.to_bytes()
        return self._mark + (body.decode().encode(self._wide) if self._wide else body)

    def line(self, name: str, params: str, value: str, end: bytes = b"") -> ContentLine:
        """A new line, folded, in the encoding of the file. Raises ValueError where that has not all its letters."""
        raw = f"{name}{params}:{value}"
        try:
            data = raw.encode("cp1252" if self._narrow else "utf-8")
        except UnicodeEncodeError as error:
            letter = raw[error.start : error.end]
            raise ValueError(f"its encoding (cp1252) has no {letter!r}; save the file as UTF-8 first") from error
        return ContentLine(_folded(data, end or self._end, utf8=not self._narrow), name, params, value)

    def put(self, part: IcsPart, name: str, params: str, value: str) -> None:
        """Set the first line of that name where it stands, or add one behind the part's own lines."""
        old = part.first(name)
        if old is not None:
            if (old.params, old.value) != (params, value):
                end = old.raw[len(old.raw.rstrip(b"\r\n")) :]
                part.items[part.items.index(old)] = self.line(name, params, value, end)
            return
        self.add_line(part, name, params, value)

    def add_line(self, part: IcsPart, name: str, params: str, value: str) -> None:
        """One more line of that name behind the part's own lines. Raises ValueError as `line` does."""
        place = max(part.items.index(line) for line in part.lines if line.name != "END")
        self._ended(part, place)
        part.items.insert(place + 1, self.line(name, params, value))

    def add(self, lines: list[tuple[str, str, str]], inner: Iterable[IcsPart] = ()) -> IcsPart:
        """A new VEVENT with these lines at the end of the file's first calendar; one is made where there is none."""
        calendar = next((part for part in self.root.walk() if part.name == "VCALENDAR"), None)
        if calendar is None:
            opening = [("BEGIN", "", "VCALENDAR"), ("VERSION", "", "2.0"), ("PRODID", "", "-//toolmend//calendar//EN")]
            calendar = IcsPart(
                "VCALENDAR", [self.line(*row) for row in (*opening, ("END", "", "VCALENDAR"))], self.root
            )
            if self.root.items:
                self._ended(self.root, len(self.root.items) - 1)
            self.root.items.append(calendar)
        event = IcsPart("VEVENT", [self.line(*row) for row in lines], calendar)
        event.items.insert(0, self.line("BEGIN", "", "VEVENT"))
        event.items += [IcsPart(part.name, list(part.items), event) for part in inner]
        event.items.append(self.line("END", "", "VEVENT"))
        last = calendar.items[-1]
        closed = isinstance(last, ContentLine) and last.name == "END"
        place = len(calendar.items) - closed
        self._ended(calendar, place - 1)
        calendar.items.insert(place, event)
        return event

    def _ended(self, part: IcsPart, place: int) -> None:
        """See that what stands there ends with a line end: the last line of a file need not."""
        item = part.items[place]
        if isinstance(item, IcsPart):
            self._ended(item, len(item.items) - 1)
        elif not item.raw.endswith((b"\n", b"\r")):
            item.raw += self._end


def escaped(text: str) -> str:
    """A text as the value of a line (RFC 5545, 3.3.11)."""
    return re.sub(r"[\\;,]", r"\\\g<0>", text).replace("\n", "\\n")


def _content_lines(body: bytes) -> Iterator[ContentLine]:
    """The lines, folded ones as one. What stands on a line of its own and is none belongs to the line before it."""
    rows: list[list[bytes]] = []
    soft = False
    for raw in _LINE.findall(body):
        if not raw:
            continue
        bare = raw.rstrip(b"\r\n")
        if rows and bare.strip() and (soft or bare[:1] in b" \t" or not _is_content(bare)):
            rows[-1].append(raw)
        else:
            rows.append([raw])
        soft = bare.endswith(b"=") and b"QUOTED-PRINTABLE" in rows[-1][0].upper()
    for row in rows:
        yield _content_line(row)


def _content_line(row: list[bytes]) -> ContentLine:
    words = row[0].rstrip(b"\r\n")
    for raw in row[1:]:
        bare = raw.rstrip(b"\r\n")
        if words.endswith(b"=") and b"QUOTED-PRINTABLE" in row[0].upper():
            words = words[:-1] + bare
        elif bare[:1] in (b" ", b"\t"):
            words += bare[1:]
        elif bare:
            words += b" " + bare
    match = _CONTENT.fullmatch(_decoded(words))
    if match is None:
        return ContentLine(b"".join(row))
    return ContentLine(b"".join(row), match["name"].upper(), match["params"], match["value"])


def _is_content(bare: bytes) -> bool:
    return _CONTENT.fullmatch(bare.decode("latin-1")) is not None


def _tree(lines: list[ContentLine]) -> IcsPart:
    """The components; one that is not closed goes on to where an outer one is, an END of nothing stands for nothing."""
    root = IcsPart("")
    part = root
    for line in lines:
        if line.name == "BEGIN":
            inner = IcsPart(line.value.strip().upper(), [line], part)
            part.items.append(inner)
            part = inner
            continue
        part.items.append(line)
        if line.name != "END":
            continue
        ended: IcsPart | None = part
        while ended is not None and ended.name != line.value.strip().upper():
            ended = ended.parent
        if ended is not None and ended.parent is not None:
            if ended is not part:  # the END belongs to the outer one
                part.items.pop()
                ended.items.append(line)
            part = ended.parent
    return root


def _folded(data: bytes, end: bytes, *, utf8: bool) -> bytes:
    """At most 75 octets a line, no letter cut."""
    rows, row = [], b""
    letters = [letter.encode() for letter in data.decode()] if utf8 else [bytes([byte]) for byte in data]
    for letter in letters:
        if len(row) + len(letter) > _WIDTH:
            rows.append(row)
            row = b" "
        row += letter
    return b"".join(each + end for each in (*rows, row))


def _is_utf8(data: bytes) -> bool:
    """Whether these bytes, folds taken out, are UTF-8: old writers fold inside of letters."""
    try:
        re.sub(rb"\r*\n[ \t]", b"", data).decode()
    except UnicodeDecodeError:
        return False
    return True


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        try:
            return data.decode("cp1252")
        except UnicodeDecodeError:
            return data.decode("latin-1")
