"""What a sentence says of one call: new values, blame, praise, or that something is wrong.

    part_of("No, two rooms", call, specs, said).edits     # {"rooms": 2}

The values come of one joint assignment (assign.py). Knows one call; asks nobody.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from toolmend.corrections.blame import judged
from toolmend.corrections.clauses import TALK
from toolmend.corrections.part import Part
from toolmend.corrections.slots import Slot, slots_of
from toolmend.corrections.values import Surroundings
from toolmend.language.assign import Assignment, assign
from toolmend.messages import Call, ToolSpec
from toolmend.resolve import vocabulary

TAKEN, ASKED, SURE = 0.8, 0.3, 0.95
"""How likely an edit must be to be what was said, one of the things that it could be, or beyond doubt."""
_CLAUSES = re.compile(r"\s*[.!?;,]+\s+|,?\s+(?:but|and)\s+")
_NO_LABELS = frozenset("thing text message number words word".split())
_FAULTS = vocabulary.words("faults")
_FAULT = re.compile(rf"(?i)\b(?:{vocabulary.either('fault')})\b")


def part_of(text: str, call: Call, specs: Sequence[ToolSpec], said: Surroundings) -> Part | None:
    """What the sentence says of the call; None where nothing in it is understood."""
    slots = slots_of(call, specs)
    if _only_wrong(text, slots):
        return Part(wrong=True)
    told = _judged(text, slots)
    if told is not None:
        return told
    found = assign(text, slots, said)
    if not found.taken or found.sure < ASKED:
        return None
    several = [pair for pair in found.taken if len(pair.values) > 1]
    if found.sure >= TAKEN and not several:
        words = {pair.slot.name: pair.span.text for pair in found.taken}
        likely = found.sure if found.explained else 0.0
        return Part(found.edits, words, how=_how(found), sure=likely >= SURE, likely=likely)
    return Part(candidates=_readings(found), unclear=_how(found))


def _readings(found: Assignment) -> list[dict[str, Any]]:
    """What it could mean: the values there are for the first argument that has several; else each pair by itself."""
    edits = found.edits
    several = next((pair for pair in found.taken if len(pair.values) > 1), None)
    if several is not None:
        return [{**edits, several.slot.name: value} for value in several.values[:3]]
    spans = {pair.span for pair in found.taken}
    others = sorted(
        (pair for pair in found.pairs if pair not in found.taken and pair.span in spans), key=lambda pair: -pair.likely
    )
    swapped = [
        {
            **{one.slot.name: one.values[0] for one in found.taken if one.span != pair.span},
            pair.slot.name: pair.values[0],
        }
        for pair in others[:2]
        if pair.likely > 0.05 and pair.slot.name not in edits
    ]
    return [edits, *swapped]


def _how(found: Assignment) -> str:
    return ", ".join(f"{pair.span.text!r} is the {pair.slot.label}" for pair in found.taken)


def _judged(text: str, slots: Sequence[Slot]) -> Part | None:
    """Blame and praise without a value: of the whole, or of every clause."""
    parts = [judged(text, slots)]
    if parts == [(set(), set())]:
        parts = [judged(clause, slots) for clause in _CLAUSES.split(text) if clause.strip()]
    if not all(blamed or praised for blamed, praised in parts):
        return None
    blamed: set[str] = set().union(*(one for one, _ in parts))
    praised: set[str] = set().union(*(other for _, other in parts)) - blamed
    olds = {slot.name: (slot.old,) for slot in slots if slot.name in blamed and slot.old is not None}
    return Part(blamed=blamed, praised=praised, excluded=olds)


def _only_wrong(text: str, slots: Sequence[Slot]) -> bool:
    """Whether the words say that something is wrong and nothing else."""
    words = re.findall(r"[\w']+", text.lower())
    labels = {label for slot in slots for label in slot.labels} - _NO_LABELS
    return words != [] and not set(words) & labels and set(words) <= TALK | _FAULTS and bool(_FAULT.search(text))
