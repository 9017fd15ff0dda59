"""The lists of words that rules read by, from vocabulary.txt: one place for all of them. Knows no rule."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import cache
from importlib.resources import files


@cache
def _sections() -> Mapping[str, str]:
    text = files("toolmend.resolve").joinpath("vocabulary.txt").read_text(encoding="utf-8")
    return {name: lines for name, _, lines in (block.partition("]\n") for block in text.split("\n[")[1:])}


def words(section: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(word.replace("_", " ") for word in _sections()[section].split())


def table(section: str) -> Mapping[str, Set[str]]:
    """The words of a table by its keys, in order."""
    rows: dict[str, dict[str, None]] = {}
    keys: list[str] = []
    for line in _sections()[section].splitlines():
        told, colon, rest = line.rpartition(":")
        keys = [key.replace("_", " ") for key in told.split()] if colon else keys
        for key in keys:
            rows.setdefault(key, {}).update(dict.fromkeys(word.replace("_", " ") for word in rest.split()))
    return {key: row.keys() for key, row in rows.items()}
