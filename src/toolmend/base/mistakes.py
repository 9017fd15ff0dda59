"""What can be wrong with a reply, how a reply is marked, and what a correction is. Values only.

The vocabulary is that of docs/measures.md; how mistakes are found is grading's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """Every kind of mistake; five concern one argument, the last the world after the calls."""

    NO_CALL = "no_call"
    CHATTER = "chatter"
    SYNTAX = "syntax"
    UNKNOWN_TOOL = "unknown_tool"
    WRONG_TOOL = "wrong_tool"
    MISSING_CALL = "missing_call"
    EXTRA_CALL = "extra_call"
    REPEATED_CALL = "repeated_call"
    UNWANTED_CALL = "unwanted_call"
    MISSING_ARGUMENT = "missing_argument"
    UNKNOWN_ARGUMENT = "unknown_argument"
    WRONG_VALUE = "wrong_value"
    WRONG_FORMAT = "wrong_format"
    WRONG_TYPE = "wrong_type"
    WRONG_STATE = "wrong_state"


@dataclass(frozen=True, slots=True)
class Mistake:
    """One difference between a reply and what was expected.

    `tool` is the expected tool's full name where there is one; `argument` the parameter concerned, for `wrong_state`
    the part of the world, in words; `expected` and `got` are JSON-able values (or rule texts) for display and for
    corrections, for `wrong_state` the sentences that say what is due, and what was found.
    """

    kind: Kind
    argument: str | None = None
    tool: str | None = None
    expected: Any = None
    got: Any = None

    @property
    def key(self) -> tuple[str, str | None]:
        """What makes two mistakes the same one: kind and argument."""
        return (self.kind.value, self.argument)

    def __str__(self) -> str:
        """`wrong_value(time)`, or the bare kind."""
        return f"{self.kind.value}({self.argument})" if self.argument else self.kind.value


class Mark(StrEnum):
    """A mark on a reply, stored as a word and shown as a glyph."""

    CORRECT = "correct"
    MISTAKE = "mistake"
    GARBAGE = "garbage"
    FIXED = "fixed"
    RECURRING = "recurring"
    REGRESSED = "regressed"

    @property
    def glyph(self) -> str:
        """The blog's sign for it."""
        return _GLYPHS[self]


_GLYPHS = {
    Mark.CORRECT: "✔",
    Mark.MISTAKE: "🍄",
    Mark.GARBAGE: "🔥",
    Mark.FIXED: "🥦",
    Mark.RECURRING: "(🍄)",
    Mark.REGRESSED: "↩",
}


def glyphs(marks: Sequence[Mark]) -> str:
    """Marks as the blog shows them: `🥦 🍄`; neighbouring 🔥 stand together."""
    return " ".join(mark.glyph for mark in marks).replace("🔥 🔥", "🔥🔥")


@dataclass(frozen=True, slots=True)
class Correction:
    """One short English sentence about a mistake.

    `level` says what it gives away: 0 nothing ("Try again."), 1 that it is wrong, 2 the argument or the rule,
    3 also the value, in words. `mistake` is what it names (None at level 0, and for a person's own sentence).
    """

    text: str
    level: int | None = None
    mistake: Mistake | None = None
