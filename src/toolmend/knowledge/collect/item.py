"""What collectors are given, and the text they write: pieces one after the other, headings and links with offsets."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePath
from urllib.parse import quote

from toolmend.knowledge.source import Cue, Found, Heading, Link

# More is not read of one thing, however it is packed: a long book is 3 MB.
BYTES_AT_MOST = 25_000_000
TEXT_AT_MOST = 5_000_000


@dataclass(frozen=True)
class Item:
    """Bytes with what is known of them: a name for messages and for its ending, an address, a Content-Type header.

    A `fetched` one is who it was fetched from, whatever it calls itself; a file of one's own may say what it was.
    """

    data: bytes
    name: str
    url: str
    header: str = ""
    seen: str = ""
    fetched: bool = False

    @property
    def ending(self) -> str:
        """The last part of the name, small, with its dot: `.html`."""
        return PurePath(self.name).suffix.lower()

    def part(self, name: str, own: str) -> str:
        """The address of a part: `own` in a file of one's own; in a fetched one an address that nothing else has."""
        if not self.fetched:
            return own
        whole = self.url.partition("#")[0]
        return f"{whole}{'&' if '?' in whole else '?'}part={quote(name, safe='')}"


@dataclass
class Writing:
    """A text that grows; what is asked of it are offsets into the whole."""

    pieces: list[str] = field(default_factory=list)
    length: int = 0
    headings: list[Heading] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    cues: list[Cue] = field(default_factory=list)
    references: list[Found] = field(default_factory=list)

    def put(self, text: str) -> int:
        """Append text as it is; the offset where it begins."""
        start = self.length
        self.pieces.append(text)
        self.length += len(text)
        return start

    def block(self, text: str, gap: str = "\n\n") -> int:
        """Append a paragraph, apart from what is there; where it begins. Nothing for a blank one."""
        bare = text.strip()
        if bare and self.length:
            self.put(gap)
        return self.put(bare)

    def head(self, title: str, level: int) -> None:
        """Append a heading."""
        if bare := " ".join(title.split()):
            self.headings.append(Heading(self.block(bare), level, bare))

    @property
    def text(self) -> str:
        """Everything so far."""
        return "".join(self.pieces)

    @property
    def in_references(self) -> bool:
        """Whether the heading above is that of a list of references."""
        return bool(self.headings) and is_reference_title(self.headings[-1].title)


def is_reference_title(title: str) -> bool:
    """Whether a heading opens a list of references."""
    bare = title.strip(" #:.0123456789").lower()
    return bare in (
        "references",
        "bibliography",
        "works cited",
        "sources",
        "further reading",
        "literature",
        "notes and references",
    )
