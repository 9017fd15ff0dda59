"""Topics of a text, from whole words with the spans that show them. A word of many meanings counts only in company.

The words are data/topics.toml. No word is found inside another, and no tag comes without a span.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from toolmend.extras.knowledge.source import Source

_DATA = Path(__file__).parent / "data" / "topics.toml"
TAGS_AT_MOST = 5
_POINTS = 3
_SPANS = 3
_SHARE = 0.1  # of the hits of the clearest


class Terms:
    """Words and phrases to look for, whatever the white space between words and the form of the apostrophe.

    Terms in capitals are found in capitals only; a final s may follow where `plural`.
    """

    def __init__(self, terms: Iterable[str], *, plural: bool = False) -> None:
        # The longest first, as a regular expression takes the first that fits; its longest word tells whether to look.
        ordered = sorted(terms, key=lambda term: (-len(term), term))
        self._terms = [(max(term.split(), key=len).lower(), term) for term in ordered]
        self._plural = plural

    def finditer(self, text: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
        """Every place where a term stands, in order; none lies in another."""
        part = text[start:end].lower().replace("’", "'")
        present = tuple(term for word, term in self._terms if word in part)
        return (
            _pattern(present, self._plural).finditer(text, start, len(text) if end is None else end)
            if present
            else iter(())
        )

    def search(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        """The first place."""
        return next(self.finditer(text, start, end), None)


@dataclass(frozen=True)
class Topic:
    """A topic with its words and the years after which half of what is written on it is out of date (0: never)."""

    name: str
    half_life: float
    clear: Terms
    also: Terms


@dataclass(frozen=True)
class Tag:
    """A topic found in a text: how often its words stand there, and where the first do."""

    topic: str
    hits: int
    spans: tuple[tuple[int, int], ...]
    half_life: float


def tags_of(source: Source) -> tuple[Tag, ...]:
    """The topics of a source, the clearest first, at most five; one that is only mentioned beside it is none."""
    found = [tag for topic in topics() if (tag := _tag(topic, source)) is not None]
    least = _SHARE * max((tag.hits for tag in found), default=0)
    found = [tag for tag in found if tag.hits >= least]
    return tuple(sorted(found, key=lambda tag: (-tag.hits, tag.topic))[:TAGS_AT_MOST])


@cache
def topics() -> tuple[Topic, ...]:
    """All topics there are."""
    data = tomllib.loads(_DATA.read_text(encoding="utf-8"))
    return tuple(
        Topic(name, float(topic["half_life"]), Terms(topic["clear"], plural=True), Terms(topic["also"], plural=True))
        for name, topic in data.items()
    )


def _tag(topic: Topic, source: Source) -> Tag | None:
    clear = [found for found in topic.clear.finditer(source.text)]
    titled = topic.clear.search(source.title) is not None
    if not clear:
        return None
    also = list(topic.also.finditer(source.text))
    words = {found[0].lower().rstrip("s") for found in clear}
    company = {found[0].lower().rstrip("s") for found in also}
    points = 2 * len(words) + len(company) + (2 if titled else 0) + (1 if len(clear) >= 3 else 0)
    if points < _POINTS:
        return None
    spans = sorted(found.span() for found in clear)[:_SPANS]
    # A word of many meanings weighs a quarter: it tells which of two topics is nearer, and makes none.
    return Tag(topic.name, 4 * len(clear) + len(also), tuple(spans), topic.half_life)


@lru_cache(4096)
def _pattern(terms: tuple[str, ...], plural: bool) -> re.Pattern[str]:
    # Most texts hold few of the terms, and a pattern of those few is many times faster than one of all.
    written = [r"\s+".join(map(re.escape, term.split())).replace("'", "['’]") for term in terms]
    cased = [text if term.isupper() else f"(?i:{text})" for term, text in zip(terms, written, strict=True)]
    ending = "(?:'?s)?" if plural else ""
    return re.compile(rf"(?<![\w-])(?:{'|'.join(cased)}){ending}(?![\w-])")
