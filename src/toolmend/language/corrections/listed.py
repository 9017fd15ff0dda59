"""A correction that lists arguments by their names: "Title Ave Maria, composer Biebl, soloist Sunniva".

Every part begins with the label of another argument; what follows is its value. Knows slots and values, no sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolmend.language.corrections.part import Part
from toolmend.language.corrections.slots import Slot
from toolmend.language.corrections.values import Surroundings, value_for
from toolmend.language.resolve.copied import without_article

_PARTS = re.compile(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+(?:the\s+)?(?=\w+ (?:is|are) )")
_JOINT = r"(?:\s+(?:is|are|should be|must be|was)\b|\s*[:=])?\s+"
_LEAD = re.compile(r"(?i)^(?:no|nope|sorry|actually|i said|i meant)\b[\s,:]*")


def listed(text: str, slots: Sequence[Slot], said: Surroundings) -> Part | None:
    """What a list of two or more named arguments says; None where it is none, or a value has no one reading."""
    part, parts = Part(sure=True), _PARTS.split(_LEAD.sub("", text.strip(" .!")))
    for words in parts if len(parts) > 1 else ():
        named = [(slot, match["value"]) for slot in slots if (match := _named(slot, words))]
        if len(named) != 1 or named[0][0].name in part.edits:
            return None
        slot, value = named[0]
        bare = value.strip("\"'“”")
        values = (without_article(bare, bare),) if slot.kind == "text" else value_for(slot, value, said).values
        if len(values) != 1:
            return None
        part.edits[slot.name], part.words[slot.name] = values[0], value
    return part if part.edits else None


def _named(slot: Slot, words: str) -> re.Match[str] | None:
    """The part where it begins with the argument's own name, or what it is called."""
    names = "|".join(sorted((re.escape(name) for name in {slot.label, slot.name}), key=len, reverse=True))
    return re.fullmatch(rf"(?i)(?:the\s+)?(?:{names}){_JOINT}(?P<value>\S.*)", words)
