"""Lists of words and phrases found in a text: whole ones only, with their spans. Knows no topic and no judgement."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache


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


@lru_cache(4096)
def _pattern(terms: tuple[str, ...], plural: bool) -> re.Pattern[str]:
    # Most texts hold few of the terms, and a pattern of those few is many times faster than one of all.
    written = [r"\s+".join(map(re.escape, term.split())).replace("'", "['’]") for term in terms]
    cased = [each if term.isupper() else f"(?i:{each})" for term, each in zip(terms, written, strict=True)]
    ending = "(?:'?s)?" if plural else ""
    return re.compile(rf"(?<![\w-])(?:{'|'.join(cased)}){ending}(?![\w-])")
