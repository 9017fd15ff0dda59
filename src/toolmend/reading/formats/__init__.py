"""Every model's way of writing calls into its text: one table of formats, a file a family, an entry point for others.

`sections` walks through a text once: what is a block of a format is read by it; the rest is words.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from toolmend.reading.formats.block import Block, Format
from toolmend.reading.mention import hedged
from toolmend.reading.reading import Names
from toolmend.registry import formats as registered

__all__ = ["Block", "Format", "Section", "formats", "marks", "sections"]

Section = tuple[int, Block, str]
"""Where a block begins, what it comes to, and the name of its format."""


@functools.cache
def formats() -> dict[str, Format]:
    """All formats by name."""
    return {name: registered.get(name) for name in registered.names()}


@functools.cache
def marks() -> re.Pattern[str]:
    """What any block can begin with, longer texts first."""
    texts = sorted({mark for one in formats().values() for mark in one.marks}, key=lambda text: (-len(text), text))
    return re.compile("|".join(map(re.escape, texts)))


@functools.cache
def _of_mark(mark: str) -> Sequence[tuple[str, Format]]:
    own = [(name, one) for name, one in formats().items() if mark in one.marks]
    return sorted(own, key=lambda pair: (pair[0] == "hermes", pair[0]))  # JSON between any marks is tried last


def sections(text: str, names: Names) -> list[Section]:
    """The blocks in a text, in order; their work is bounded by a multiple of the text's length."""
    found: list[Section] = []
    place, budget = 0, 8 * len(text) + 1_000
    while budget > 0 and (mark := marks().search(text, place)) is not None:
        place = mark.end()
        if _only_named(text, mark):
            continue
        for name, one in _of_mark(mark[0]):
            block = one.read(text, mark.start(), names)
            budget -= (block.stop if block else len(text)) - mark.start()
            if block is not None and block.stop > mark.start():
                found.append((mark.start(), block, name))
                place = block.stop
                break
    return found


def _only_named(text: str, mark: re.Match[str]) -> bool:
    """Whether a sentence speaks of the tag: it stands between backticks, or behind words that refuse or suppose it."""
    if not mark[0][:2].strip("<").isalpha() or mark[0].startswith("<|"):
        return False
    before = text[text.rfind("\n", 0, mark.start()) + 1 : mark.start()]
    return before.endswith("`") or (bool(before.strip()) and hedged(before) and not before.rstrip().endswith(">"))
