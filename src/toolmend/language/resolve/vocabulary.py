"""The lists of words and of patterns that rules read by: vocabulary.txt, patterns.txt. Knows no rule."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from functools import cache
from importlib.resources import files
from types import MappingProxyType


@cache
def _sections(file: str) -> Mapping[str, str]:
    text = files("toolmend.language.resolve").joinpath(file).read_text(encoding="utf-8")
    return {name: lines.strip("\n") for name, _, lines in (part.partition("]\n") for part in text.split("\n[")[1:])}


def words(section: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(word.replace("_", " ") for word in _sections("vocabulary.txt")[section].split())


def each(section: str) -> tuple[str, ...]:
    """The patterns of a list, in order."""
    return tuple(_sections("patterns.txt")[section].split("\n"))


def either(section: str) -> str:
    """The alternatives of a pattern."""
    return filled("|".join(each(section)))


def filled(pattern: str, parts: Mapping[str, str] = MappingProxyType({})) -> str:
    """A pattern with others in place of their names, those of `parts` first."""
    return re.sub("«(.+?)»", lambda name: f"(?:{filled(parts.get(name[1]) or either(name[1]), parts)})", pattern)


def rules(section: str, parts: Mapping[str, str] = MappingProxyType({})) -> tuple[tuple[str, str], ...]:
    """The rules of a table, in order: what each reads, and its pattern."""
    lines = (line.partition(" => ") for line in each(section))
    return tuple((name, filled(pattern, parts)) for name, _, pattern in lines)


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
