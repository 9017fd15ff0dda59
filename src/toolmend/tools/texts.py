"""How tool errors show values and list names: short, because weak models imitate what an error dumps on them."""

from __future__ import annotations

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
