"""What was collected, as frozen values: a source with its text, every fact about it with where it was found, and exact
quotes: words with the source, its state and the span they stand at.

All offsets count characters of `Source.text`. Knows no file format, no database and no judgement.
"""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, get_args

Kind = Literal["paper", "official", "reference", "news", "expert_blog", "company_blog", "video", "forum", "page"]
KINDS: tuple[Kind, ...] = get_args(Kind)
CLAIMED = "claimed"


@dataclass(frozen=True)
class Found:
    """A fact about a source, where it was found ("meta:author", "bibtex", "url"), and its span if it is in the text."""

    value: str
    where: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True)
class Link:
    """A link out of a source: an absolute address, the words it is on, and where it stood ("body", "reference")."""

    url: str
    text: str = ""
    where: str = "body"


@dataclass(frozen=True)
class Heading:
    """A heading in the text at an offset; level 1 is the highest."""

    start: int
    level: int
    title: str


@dataclass(frozen=True)
class Cue:
    """From this offset on the text was spoken, this many seconds after the beginning."""

    start: int
    seconds: float


@dataclass(frozen=True)
class Source:
    """One thing that was read, in one state.

    `form` is how it was written down ("page", "pdf", "transcript", "markdown", "text", "seed"; once others), `kind`
    what it is. Dates are ISO 8601, with as many parts as are known. `also` are further addresses of the same thing,
    `reference_count` how many references its record claims where the list itself is not here. `notes` name what is
    wrong with the text ("no_times"). `raw` keeps fields of a record that only its own rules read.
    """

    id: str
    url: str
    form: str
    text: str
    kind: Kind = "page"
    kind_from: str = ""
    title: str = ""
    description: str = ""
    site: str = ""
    language: str = ""
    authors: tuple[Found, ...] = ()
    affiliations: tuple[Found, ...] = ()
    published: tuple[Found, ...] = ()
    modified: tuple[Found, ...] = ()
    seen: str = ""
    links: tuple[Link, ...] = ()
    references: tuple[Found, ...] = ()
    reference_count: int | None = None
    also: tuple[str, ...] = ()
    headings: tuple[Heading, ...] = ()
    cues: tuple[Cue, ...] = ()
    encoding: str = "utf-8"
    notes: tuple[str, ...] = ()
    raw: tuple[tuple[str, str], ...] = ()

    @property
    def claimed(self) -> tuple[str, ...]:
        """Addresses that a fetched file gave itself: believed where that speaks against it, and never for it."""
        return tuple(value for name, value in self.raw if name == CLAIMED)

    @property
    def content_hash(self) -> str:
        """The SHA-256 of the text, in hexadecimal digits."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def record_hash(self) -> str:
        """The SHA-256 of everything but the day it was seen: equal states of a source have equal ones."""
        whole = json.dumps(asdict(replace(self, seen="")), sort_keys=True)
        return hashlib.sha256(whole.encode()).hexdigest()

    def record(self) -> dict[str, Any]:
        """Everything but the text, fit for JSON."""
        found = asdict(self)
        del found["text"]
        return found


_PARTS: Mapping[str, type[Any]] = {
    "authors": Found,
    "affiliations": Found,
    "published": Found,
    "modified": Found,
    "references": Found,
    "links": Link,
    "headings": Heading,
    "cues": Cue,
}


def source_of(record: Mapping[str, Any], text: str) -> Source:
    """The source that `Source.record` was made of. Raises KeyError, TypeError or ValueError for anything else."""
    known = {field.name for field in fields(Source)}
    values: dict[str, Any] = {name: value for name, value in record.items() if name in known}
    for name, part in _PARTS.items():
        values[name] = tuple(part(**entry) for entry in values.get(name, ()))
    for name in ("also", "notes"):
        values[name] = tuple(values.get(name, ()))
    values["raw"] = tuple((str(name), str(value)) for name, value in values.get("raw", ()))
    return Source(**values, text=text)


@dataclass(frozen=True)
class Quote:
    """Words of a source: `text` stands at `start` to `end` of the text whose SHA-256 is `content_hash`."""

    source: str
    content_hash: str
    start: int
    end: int
    text: str
    seconds: float | None = None

    def holds(self, source: Source) -> bool:
        """Whether the words stand exactly there, in exactly that state of the source."""
        same = source.id == self.source and source.content_hash == self.content_hash
        return same and 0 <= self.start < self.end and source.text[self.start : self.end] == self.text


def quote(source: Source, start: int, end: int) -> Quote:
    """The words of a span. Raises ValueError for one that is not in the text."""
    if not 0 <= start < end <= len(source.text):
        raise ValueError(f"{start} to {end} is no span of a text of {len(source.text)} characters")
    at = bisect_right([cue.start for cue in source.cues], start) - 1
    seconds = source.cues[at].seconds if at >= 0 else None
    return Quote(source.id, source.content_hash, start, end, source.text[start:end], seconds)


def find_quote(source: Source, words: str) -> Quote | None:
    """Where these words stand in a source, whatever the white space between them; None if they do not."""
    parts = words.split()
    if not parts:
        return None
    found = re.search(r"\s+".join(map(re.escape, parts)), source.text)
    return quote(source, *found.span()) if found else None
