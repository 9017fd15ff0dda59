"""The wordings of sentences.txt: what a person says about a mistake, by level and kind. Knows no mistake."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def _sections() -> Mapping[str, tuple[str, ...]]:
    text = files("toolmend.corrections").joinpath("sentences.txt").read_text(encoding="utf-8")
    blocks = (block.partition("]\n") for block in text.split("\n[")[1:])
    return {name: tuple(filter(None, lines.splitlines())) for name, _, lines in blocks}


def lines(level: int, of: str = "") -> tuple[str, ...]:
    """The wordings of a level for a kind of mistake, as sentences.txt names it; () where there are none."""
    return _sections().get(f"{level} {of}".strip(), ())
