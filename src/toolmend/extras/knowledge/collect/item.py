"""What collectors are given: the items at a place, a file or every file of a folder; and the text they write: pieces
one after the other, headings and links with offsets. An address is refused: fetching is another's (../fetch)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from toolmend.extras.knowledge.outcome import Outcome
from toolmend.extras.knowledge.source import Cue, Found, Heading, Link

# More is not read of one thing, however it is packed: a long book is 3 MB.
BYTES_AT_MOST = 25_000_000
TEXT_AT_MOST = 5_000_000
_REFERENCES = (
    *("references", "bibliography", "works cited", "sources", "further reading", "literature"),
    "notes and references",
)


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
    return bare in _REFERENCES


def items_at(place: str, *, url: str = "", seen: str = "") -> Iterator[Item | Outcome]:
    """What stands at `place`; `url` is where a single file was saved from, `seen` the day. Hidden files are left out.

    Without `url` a file's address is its own, `file://…`: given again from another folder it is the same source.
    """
    if "://" in place and not place.startswith("file://"):
        yield _refused(place)
        return
    path = Path(place.removeprefix("file://")).expanduser()
    if path.is_dir():
        files = files_in(path)
        yield from (_item(file, file.relative_to(path).as_posix(), "", seen) for file in files)
        if not files:
            yield Outcome("no_text", place, "a folder without files")
    else:
        yield _item(path, place, url, seen)


def files_in(folder: Path) -> list[Path]:
    """The files of a folder and of those in it, in order, but for hidden ones and links to what is not in it."""
    home = folder.resolve()
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and path.resolve().is_relative_to(home)
    ]


def _refused(url: str) -> Outcome:
    """Why an address is not read."""
    if not url.startswith(("http://", "https://")):
        return Outcome("not_web", url, "only http:// and https:// are addresses of the web")
    says = f"fetched only with --fetch; or save the page and `toolmend know add FILE --url {url}`"
    return Outcome("not_fetched", url, says)


def _item(path: Path, name: str, url: str, seen: str) -> Item | Outcome:
    try:
        with path.open("rb") as file:
            data = file.read(BYTES_AT_MOST + 1)
        return Item(data, name, url or path.resolve().as_uri(), seen=seen)
    except (OSError, ValueError) as error:
        return Outcome("unreadable", name, getattr(error, "strerror", None) or str(error))
