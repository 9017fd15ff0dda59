"""One line of a model's reply as it was said: a tool and the words for its arguments, or a change of a call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

NOTATION = 1
"""The version of the spoken notation (docs/notation.md); adapters record theirs."""

CHANGE, AGAIN, UNDO = "change", "again", "undo"
MISSING = "?"
"""The word for what was not said."""


@dataclass(frozen=True, slots=True)
class Said:
    """One line: the tool's full name, or `change`, `again` or `undo`; its arguments in the words that were used; `of`
    are those for the call that is changed or undone, "" where none are given."""

    tool: str
    words: Mapping[str, Any] = field(default_factory=dict)
    of: str = ""
