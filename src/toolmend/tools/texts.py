"""How tool errors show values and list names: short, because weak models imitate what an error dumps on them.

And when two names are the same to a person.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

_SHOWN = 60
_NAME = 80


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
