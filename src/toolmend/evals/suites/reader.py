"""Taking loaded YAML apart, strictly: whatever is not as it should be is one BadFile with file, line and key.

Knows the file for its messages; what a suite is made of stands in suites/file.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from toolmend.errors import BadFile, UnknownName
from toolmend.evals.suites.yaml12 import Located

T = TypeVar("T")


class YamlReader:
    """Takes loaded YAML apart, strictly; knows the file, for its error messages."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def bad(self, what: str, where: Located | None = None, key: str = "") -> BadFile:
        """The error, with the line of that key."""
        line = where.lines.get(key, where.line) if where is not None else None
        return BadFile(self.path, f"{key}: {what}" if key else what, line)

    def mapping(self, value: Any, where: Located | None, key: str, what: str = "") -> Located:
        """The value as a mapping."""
        if not isinstance(value, Located):
            raise self.bad(f"{what}must be a mapping of keys to values, not {value!r:.40}", where, key)
        return value

    def filled(self, where: Located, key: str) -> Located:
        """The mapping under a key, which must not be empty."""
        value = where.get(key)
        if value is None or value == {}:
            raise self.bad("is missing" if key not in where else "must not be empty", where, key)
        return self.mapping(value, where, key)

    def only(self, where: Located, known: Iterable[str]) -> None:
        """Refuse any other key."""
        for key in where:
            if key not in known:
                raise self.bad(str(UnknownName("key", key, known)), where, key)

    def text(self, where: Located, key: str) -> str:
        """The text under a key."""
        value = where.get(key)
        if not isinstance(value, str) or not value.strip():
            raise self.bad("is missing" if value is None else f"must be text, not {value!r:.40}", where, key)
        return value

    def optional_text(self, where: Located, key: str) -> str | None:
        """The text under a key, None where the key is not there."""
        return self.text(where, key) if key in where else None

    def choice(self, where: Located, key: str, among: tuple[str, ...], default: T) -> str | T:
        """One of these words."""
        if key not in where:
            return default
        value = where[key]
        if value not in among:
            raise self.bad(f"must be {' or '.join(among)}, not {value!r:.40}", where, key)
        return str(value)

    def flag(self, where: Located, key: str, default: bool) -> bool:
        """true or false."""
        value = where.get(key, default)
        if not isinstance(value, bool):
            raise self.bad(f"must be true or false, not {value!r:.40}", where, key)
        return value

    def number(self, where: Located, key: str, default: int, least: int = 0) -> int:
        """A whole number."""
        value = where.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise self.bad(f"must be a whole number of at least {least}, not {value!r:.40}", where, key)
        return value

    def items(self, where: Located, key: str) -> list[Any]:
        """A list that is not empty."""
        value = where.get(key)
        if not isinstance(value, list) or not value:
            raise self.bad("must be a list with at least one item", where, key)
        return value

    def names(self, where: Located, key: str, kind: str, known: Iterable[str]) -> list[str]:
        """A list of known names, none of them twice."""
        value, made = where[key], list[str]()
        if not isinstance(value, list):
            raise self.bad(f"must be a list of names, not {value!r:.40}", where, key)
        for name in value:
            if not isinstance(name, str) or name not in known:
                raise self.bad(str(UnknownName(kind, str(name), known)), where, key)
            if name in made:
                raise self.bad(f"{name!r} stands twice", where, key)
            made.append(name)
        return made
