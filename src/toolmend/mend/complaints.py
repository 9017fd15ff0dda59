"""Sentences that only complain: of the calls as such, of an argument, or of nothing in particular."""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolmend.corrections import understand
from toolmend.corrections.as_such import said_as_such
from toolmend.corrections.names import split_name
from toolmend.messages import Call, ToolSpec

_AGAIN = re.compile(
    r"(?i)(?:(?:please|can you|could you|just|no|ok|then|and)[, ]+)*(?:try|do|have|go|give|once|again|one)\b"
    r"(?: (?:it|that|this|a|another|more|one|go|shot|try|time|once|again|over))*(?:,? please)?[.!? ]*"
)
_ANYTHING = Call("anything", {"title": "x", "date": "2000-01-01", "time": "00:00", "duration": 0})


def is_again(sentence: str) -> bool:
    """Whether a sentence asks for another try and says nothing else: "Try again.", "Once more, please."."""
    return bool(_AGAIN.fullmatch(sentence.strip()))


def is_complaint(sentence: str) -> bool:
    """Whether a sentence asks for nothing of its own: it finds fault, or asks for another try."""
    return (
        is_again(sentence)
        or bool(said_as_such(sentence))
        or understand(sentence, [_ANYTHING], ()).kind in ("blame", "wrong")
    )


def tool_named(sentence: str, specs: Sequence[ToolSpec]) -> str:
    """The one tool whose name a sentence says, as it is written or in words; "" where it says none, or several."""
    said = " ".join(re.findall(r"[a-z0-9]+", sentence.lower()))
    named = [spec.full_name for spec in specs if f" {' '.join(split_name(spec.name))} " in f" {said} "]
    loose = [
        spec.full_name
        for spec in specs
        if not named and set(split_name(spec.name)) <= set(said.split()) and len(split_name(spec.name)) > 1
    ]
    return (named or loose)[0] if len(named or loose) == 1 else ""
