"""A small grammar: named rules as regular expressions over normalised words, compiled into one alternation.

Earlier rules win where two begin at the same word. A part is written `{name}` and stands for a piece of pattern; the
groups of a rule reach its function by name. It knows neither dates nor numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

Groups = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Match:
    """A rule that read the words from `start` to `end`, with what its groups hold (absent where they took no part)."""

    rule: str
    groups: Groups
    start: int
    end: int


class Grammar:
    """Rules in order of preference: (name, pattern)."""

    def __init__(self, rules: Sequence[tuple[str, str]], parts: Mapping[str, str] | None = None) -> None:
        self._rules: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {}
        branches = []
        for number, (name, pattern) in enumerate(rules):
            for part, piece in (parts or {}).items():
                pattern = pattern.replace("{" + part + "}", piece)
            inner = tuple((group, f"{group}_{number}") for group in re.findall(r"\(\?P<(\w+)>", pattern))
            pattern = re.sub(r"\(\?P([<=])(\w+)", rf"(?P\1\2_{number}", pattern)
            branches.append(f"(?P<rule_{number}>{pattern})")
            self._rules[f"rule_{number}"] = (name, inner)
        self._search = re.compile(rf"(?<!\S)(?:{'|'.join(branches)})(?!\S)")

    def read(self, words: str) -> Iterator[Match]:
        """Every match, from left to right, none over another."""
        for match in self._search.finditer(words):
            yield self._named(match)

    def read_all(self, words: str) -> Match | None:
        """The rule that reads all the words; None if there is none."""
        match = self._search.fullmatch(words)
        return self._named(match) if match else None

    def _named(self, match: re.Match[str]) -> Match:
        name, inner = self._rules[match.lastgroup or ""]
        groups = {group: value for group, key in inner if (value := match[key]) is not None}
        return Match(name, groups, match.start(), match.end())
