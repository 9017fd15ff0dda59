"""Sentences that say that something was moved the wrong way, and where it would be, moved the other way as far.

"Wrong direction with the time." after "an hour later" blames the time, and is never a request. Pure.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

from toolmend.base.messages import Call
from toolmend.language.corrections.segments import segments
from toolmend.language.corrections.slots import KNOWN_LABELS, Slot

_WAY = r"(?:later|earlier|forwards?|backwards?|back|ahead|up|down|sooner)"
_OTHER = re.compile(
    r"(?i)\b(?:wrong|other|opposite|reverse|incorrect|inverse) (?:direction|way)\b"
    r"|\bdirection\b.*\b(?:wrong|off|reversed)\b"
    r"|\b(?:in|to|quite|exactly|just) the opposite\b|\bthe opposite of (?:what|that)\b"
    rf"|\bnot {_WAY}\b[,;.]? *(?:but |rather )?{_WAY}\b|\b{_WAY}\b[,;]? (?:please,? )?(?:and )?not {_WAY}\b"
)
_MOST = 12  # words; a longer sentence says something else, too
_MINUTES = 24 * 60


def says_other_way(sentence: str) -> bool:
    """Whether a sentence says that something went the wrong way, and gives no value."""
    return bool(_OTHER.search(sentence)) and len(sentence.split()) <= _MOST and not segments(sentence)[0]


def in_one_form(sentence: str) -> str:
    """Such a sentence as one says it plainly, with the argument that it names; any other as it is."""
    if not says_other_way(sentence):
        return sentence
    named = [word for word in re.findall(r"[a-z]+", sentence.lower()) if word in KNOWN_LABELS]
    return f"The {named[0]} went the wrong way." if named else "That went the wrong way."


def moved(slots: Sequence[Slot], before: Call | None) -> dict[str, str]:
    """The arguments that a change moved, each with the value that it would have, moved as far the other way; "" where
    there is no such value."""
    values = dict[str, str]()
    for slot in slots:
        old = before.arguments.get(slot.name) if before else None
        if slot.kind in ("date", "time") and isinstance(old, str) and old != slot.old:
            values[slot.name] = _mirrored(slot.kind, old, str(slot.old))
    return values


def _mirrored(kind: str, old: str, new: str) -> str:
    try:
        if kind == "date":
            first, last = dt.date.fromisoformat(old), dt.date.fromisoformat(new)
            return (first - (last - first)).isoformat()
        first_time, last_time = dt.time.fromisoformat(old), dt.time.fromisoformat(new)
    except (ValueError, OverflowError):
        return ""
    minute = 2 * (first_time.hour * 60 + first_time.minute) - (last_time.hour * 60 + last_time.minute)
    return f"{minute // 60:02}:{minute % 60:02}" if 0 <= minute < _MINUTES else ""
