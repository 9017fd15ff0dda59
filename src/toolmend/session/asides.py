"""Sentences about the talk itself, which no model is asked about: undo the last two, what did I change, leave.

Knows no screen: it names what is meant, and whoever has the talk does it. To undo is to bring back what was before, the
former value too; to cancel something is to have it gone, and is no matter of these.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

_COUNTS = {"": 1, "one": 1, "two": 2, "couple": 2, "three": 3, "four": 4, "five": 5}
_UNDO = re.compile(
    r"(?:please )?(?:undo|take back|revert|reverse) (?:the |my )?last (?P<count>one|two|three|four|five|couple|\d)"
    r"(?: of)?(?: (?:changes?|things?|calls?|ones|messages?|of them))?(?: please)?"
)
_IT = (
    r"(?:it|that|this|(?:the|my|that|this) (?:last )?(?:change|one|thing|edit|correction|step|call)"
    r"|what you (?:just )?did)"
)
_WAS = r"(?:it|they|things) (?:was|were)(?: before)?"
_ASKS = r"(?:(?:please|no|oh no|oops|wait|sorry|actually|just|can you|could you|would you|will you)[,!.]? )*"
_ONCE = re.compile(
    rf"{_ASKS}(?:(?:undo|revert|reverse|roll back)(?: {_IT})?|take {_IT} back|roll {_IT} back"
    r"|go back(?: one(?: step)?)?"
    rf"|(?:put|change|set|switch|turn|bring) (?:{_IT}|everything|things|them) back(?: again)?"
    rf"|(?:put|leave|set|have) (?:{_IT}|everything|things) (?:back )?(?:(?:to )?(?:how|the way)|as|like) {_WAS}"
    rf"|(?:back to )?(?:as|how|the way) it was(?: before)?|restore {_IT})"
    r"(?: (?:again|please|now|for me|after all))*",
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
    if _ONCE.fullmatch(said):
        return Aside("undo", 1)
    if _CHANGED.fullmatch(said):
        return Aside("changes")
    return Aside("leave") if _LEAVE.fullmatch(said) else None
