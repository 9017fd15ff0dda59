"""How tool errors show values and list names: short, because weak models imitate what an error dumps on them.

And when two names are the same to a person; and text from outside, without what only a model would see.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

_SHOWN = 60
_NAME = 80
_SEEN = frozenset("\n\t\u200c\u200d")  # the last two join letters, or keep them apart, in scripts that need it
_TAGS = range(0xE0000, 0xE1000)
_SPACES = str.maketrans("\n\t", "  ")


def shown(value: Any) -> str:
    """The repr of a value, shortened."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """At most three of the known names, the most similar first."""
    return get_close_matches(name[:_NAME], list(known), n=3, cutoff=0.0)


def folded(name: str) -> str:
    """The same text for names that are the same to a person: NFC, letter case folded, white space collapsed."""
    composed = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
    return " ".join(composed.split())


def clean(text: str, most: int | None = None) -> str:
    """A text without control characters and without those that no reader sees and a model does (tags, reversals of
    direction); cut where it is longer than `most`."""
    plain = text.isascii() and text.translate(_SPACES).isprintable()
    seen = text if plain else "".join(filter(_is_seen, text))
    if most is None or len(seen) <= most:
        return seen
    return f"{seen[:most]} … ({len(seen) - most:,} characters more)"


def _is_seen(character: str) -> bool:
    hidden = unicodedata.category(character) in ("Cc", "Cf", "Cs") or ord(character) in _TAGS
    return character in _SEEN or not hidden
