"""Exact quotes: words with the source, its state and the span they stand at. Knows no search and no answer."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from toolmend.knowledge.source import Source


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
