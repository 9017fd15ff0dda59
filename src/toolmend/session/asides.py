"""Sentences about the talk itself, which no model is asked about: undo the last two, what did I change, leave.

Knows no screen: it names what is meant, and whoever has the talk does it.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

_COUNTS = {"": 1, "one": 1, "two": 2, "couple": 2, "three": 3, "four": 4, "five": 5}
_UNDO = re.compile(
    r"(?:please )?(?:undo|take back|revert|reverse) (?:the |my )?last (?P<count>one|two|three|four|five|couple|\d)"
    r"(?: of)?(?: (?:changes?|things?|calls?|ones|messages?|of them))?(?: please)?"
)
_CHANGED = re.compile(
    r"what (?:did (?:i|you|we) (?:just )?(?:change|do)|have (?:i|you|we) (?:changed|done)|was changed|has changed"
    r"|changed)(?: (?:so far|today|just now|here))?"
)
_LEAVE = re.compile(r"exit|quit|bye|good ?bye|leave|:q|q")


class Aside(NamedTuple):
    """What is meant; `number` is how many messages to take back."""

    kind: Literal["undo", "changes", "leave"]
    number: int = 0


def aside(text: str) -> Aside | None:
    """What a sentence says about the talk; None for one that is about anything else."""
    said = " ".join(text.lower().rstrip(" .!?").split())
    if match := _UNDO.fullmatch(said):
        count = match["count"]
        return Aside("undo", int(count) if count.isdigit() else _COUNTS[count])
    if _CHANGED.fullmatch(said):
        return Aside("changes")
    return Aside("leave") if _LEAVE.fullmatch(said) else None
