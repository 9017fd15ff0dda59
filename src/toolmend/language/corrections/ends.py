"""A length that is told by its end: "until five", "from 3 to 5 pm". Knows one call."""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolmend.language.corrections.part import Part, unclear
from toolmend.language.corrections.slots import Slot
from toolmend.language.corrections.values import Surroundings
from toolmend.language.resolve.clock_ranges import minute

_RANGE = re.compile(
    r"(?:(?:from |between )?(?P<start>.+?) )??(?:to|till|until|til|-|and|ends? at|ending at|finishes at"
    r"|up to) (?P<end>.+)",
    re.I,
)
_CLOCK = {"type": "string", "format": "time"}


def until(slot: Slot, text: str, slots: Sequence[Slot], said: Surroundings) -> Part:
    """A length by its end, or a start and a length: "until five", "from 3 to 5 pm"."""
    match = _RANGE.fullmatch(text.strip())
    start = next((other for other in slots if other.kind == "time"), None)
    length = next(
        (other for other in slots if other.kind == "length" and other.schema.get("x-unit") == "minutes"), None
    )
    if not match or not start or not length:
        return unclear(f"nothing here takes an end: {text!r}")
    starts = said.read(match["start"], _CLOCK).values if match["start"] else (start.old,)
    ends = said.read(match["end"], _CLOCK).values
    spans = sorted(
        (begin != start.old, (minute(end) - minute(begin)) % 1440 or 1440, begin)
        for begin in starts
        for end in ends
        if begin
    )
    if not spans:
        return unclear(f"{slot.label} {text!r}: not understood")
    edits = {start.name: spans[0][2], length.name: spans[0][1]}
    edits = {other.name: edits[other.name] for other in (start, length) if edits[other.name] != other.old}
    return Part(edits, dict.fromkeys(edits, text), how=f"{text!r}") if edits else Part(same={slot.name: text})
