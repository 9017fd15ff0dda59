"""The lists of words and of patterns that rules read by: vocabulary.txt, patterns.txt. Knows no rule."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from functools import cache
from importlib.resources import files


@cache
def _sections(file: str) -> Mapping[str, str]:
    text = files("toolmend.resolve").joinpath(file).read_text(encoding="utf-8")
    return {name: lines.strip("\n") for name, _, lines in (part.partition("]\n") for part in text.split("\n[")[1:])}


def words(section: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(word.replace("_", " ") for word in _sections("vocabulary.txt")[section].split())


def either(section: str) -> str:
    """The alternatives of a pattern."""
    return filled("|".join(_sections("patterns.txt")[section].split("\n")))


def filled(pattern: str) -> str:
    """A pattern with others in place of their names."""
    return re.sub("«(.+?)»", lambda name: f"(?:{either(name[1])})", pattern)


def table(section: str) -> Mapping[str, Set[str]]:
    """The words of a table by its keys, in order."""
    rows: dict[str, dict[str, None]] = {}
    keys: list[str] = []
    for line in _sections("vocabulary.txt")[section].splitlines():
        told, colon, rest = line.rpartition(":")
        keys = [key.replace("_", " ") for key in told.split()] if colon else keys
        for key in keys:
            rows.setdefault(key, {}).update(dict.fromkeys(word.replace("_", " ") for word in rest.split()))
    return {key: row.keys() for key, row in rows.items()}
