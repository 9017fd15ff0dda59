"""Words that only complain, ask politely, or name tools and their arguments: they are no value, whoever says them.

"the title is nonsense" names no title. Knows no call.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.corrections.names import split_name
from toolmend.language.corrections.slots import KNOWN_LABELS, slots_of
from toolmend.language.corrections.understood import Understood
from toolmend.language.resolve import vocabulary

_WORD = re.compile(r"[^\W_]+(?:'[a-z]+)?")
_COMPLAINING = vocabulary.words("talk") | vocabulary.words("faults") | vocabulary.words("complaining") | KNOWN_LABELS
_JOINTS = frozenset("at with for and by to in of on from".split())  # "lunch at Hanna" of "lunch with Hanna"
_NAMING = re.compile(r"(?i)\b(?:call|name|rename) (?:it|that|this)\b|\bcalled\b|[\"“:]|(?<!\w)'")
_TRY = re.compile(r"(?i)\b(?:try|again|once|time|over|go|shot|do)\b")
_AGAIN = re.compile(
    r"(?i)(?:(?:please|can you|could you|just|no|ok|then|and)[, ]+)*(?:try|do|have|go|give|once|again|one)\b"
    r"(?: (?:it|that|this|a|another|more|one|go|shot|try|time|once|again|over))*(?:,? please)?[.!? ]*"
)


def is_again(sentence: str) -> bool:
    """Whether a sentence asks for another try and says nothing else: "Try again.", "Once more, please."."""
    return bool(_AGAIN.fullmatch(sentence.strip()) and _TRY.search(sentence))


def complains(words: str, own: Set[str] = frozenset()) -> bool:
    """Whether there are words, and none but those of complaints and these."""
    said = _words(words)
    return bool(said) and said <= _COMPLAINING | own


def no_value(value: Any, old: Any, heard: str, own: Set[str] = frozenset()) -> bool:
    """Whether all that a text has new are words that complain, and that nobody had said before."""
    new = _words(value) - _words(old) if isinstance(value, str) else set()
    if any(word.lower() in new for word in re.findall(r"(?<= )[A-Z][a-z]+", str(value))):
        return False  # somebody wrote it as a name
    return bool(new - _JOINTS) and new <= _COMPLAINING | own and not new <= _words(heard)


def without_complaints(
    understood: Understood, said: str, calls: Sequence[Call], specs: Sequence[ToolSpec], request: str
) -> Understood:
    """What was understood without texts that are no values; where none is left, what the sentence complains of."""
    if not (understood.edits or understood.candidates) or _NAMING.search(said):
        return understood
    slots = [slots_of(call, specs) for call in calls]
    texts = {slot.name for group in slots for slot in group if slot.kind == "text"}
    own = {word for group in slots for slot in group for label in slot.labels for word in label.split()}
    own |= {word for call in calls for word in split_name(call.tool.rpartition(".")[2])}

    def valued(edits: Mapping[int, Mapping[str, Any]]) -> dict[int, dict[str, Any]]:
        kept = {
            number: {
                name: value
                for name, value in changes.items()
                if name not in texts or not no_value(value, calls[number].arguments.get(name), request, own)
            }
            for number, changes in edits.items()
        }
        return {number: changes for number, changes in kept.items() if changes}

    edits, candidates = valued(understood.edits), tuple(filter(None, map(valued, understood.candidates)))
    if edits or candidates or understood.blamed:
        return replace(understood, edits=edits, candidates=candidates)
    blamed = tuple(
        (number, slot.name)
        for number, group in enumerate(slots)
        for slot in group
        if slot.label in said.lower() and slot.name in calls[number].arguments
    )
    return Understood("blame" if blamed else "wrong", blamed=blamed, reason="nothing but a complaint")


def _words(text: Any) -> set[str]:
    return set(_WORD.findall(str(text).lower().replace("’", "'")))
