"""What a text was resolved to: one value with its evidence, or the values that are left to ask about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Resolved:
    """One value, as the JSON Schema wants it.

    `span` is the part of the text it was read from (start, end), `rule` the name of the rule that read it.
    """

    value: Any
    span: tuple[int, int]
    rule: str


@dataclass(frozen=True, slots=True)
class Unclear:
    """No single value: the readings that are left, in order (none where nothing acceptable is there), and why."""

    candidates: tuple[Any, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What a reader of one kind made of normalised words: the values left, where, by which rule, or why none."""

    values: tuple[Any, ...]
    start: int = 0
    end: int = 0
    rule: str = ""
    reason: str = ""


def nothing(reason: str) -> Finding:
    """No value, and why."""
    return Finding((), reason=reason)
