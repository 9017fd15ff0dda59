"""What a sentence says of one call: new values, blame, praise, or that something is wrong.

    part_of("No, two rooms", call, specs, said).edits     # {"rooms": 2}

The values come of one joint assignment (assign.py). Knows one call; asks nobody.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.corrections.assign import Assignment, assign
from toolmend.language.corrections.blame import judged
from toolmend.language.corrections.clauses import TALK, cores, says_meant
from toolmend.language.corrections.evidence import overlap
from toolmend.language.corrections.part import Part
from toolmend.language.corrections.segments import segments
from toolmend.language.corrections.slots import KNOWN_LABELS, Slot, slots_of
from toolmend.language.corrections.values import Surroundings
from toolmend.language.resolve import vocabulary

TAKEN, ASKED, SURE = 0.8, 0.15, 0.95
"""How likely an edit must be to be what was said, one of the things that it could be, or beyond doubt."""
CONTESTS, DIVIDES, POSSIBLE, OFFERED = 0.6, 0.4, 0.05, 3
"""How likely a second value for an argument must be to contest the first, another argument for the same words to forbid
an edit, or to be offered; and how many readings are, at most."""
_CLAUSES = re.compile(r"\s*[.!?;,]+\s+|,?\s+(?:but|and)\s+")
_NO_LABELS = frozenset("thing text message number words word".split())
_FAULTS = vocabulary.words("faults")
_FAULT = re.compile(rf"(?i)\b(?:{vocabulary.either('fault')})\b")


def part_of(text: str, call: Call, specs: Sequence[ToolSpec], said: Surroundings) -> Part | None:
    """What the sentence says of the call; None where nothing in it is understood."""
    slots = slots_of(call, specs)
    if any(_only_wrong(core, slots) for core in (text, *cores(text))):
        return Part(wrong=True)
    told = _judged(text, slots)
    if told is not None:
        return told
    found = assign(text, slots, said)
    if rivals := _contested(found):
        return Part(candidates=rivals, unclear=f"two values for the {next(iter(rivals[0]))}")
    if not found.taken or found.likely < ASKED:
        return _same(text, slots, said) or _unknown(text, slots)
    several = any(len(pair.values) > 1 for pair in found.taken)
    if found.likely >= TAKEN and not several and not _divided(found):
        words = {pair.slot.name: pair.span.text for pair in found.taken}
        likely = found.likely if found.explained else 0.0
        return Part(found.edits, words, how=_how(found), sure=likely >= SURE and says_meant(text), likely=likely)
    return Part(candidates=_readings(found), unclear=_how(found))


def _readings(found: Assignment) -> list[dict[str, Any]]:
    """What it could mean: the values there are for an argument that has several; else the edit, and the same words for
    another argument each."""
    edits = found.edits
    several = next((pair for pair in found.taken if len(pair.values) > 1), None)
    if several is not None:
        return [{**edits, several.slot.name: value} for value in several.values[:OFFERED]]
    taken = {pair.span: pair.slot.name for pair in found.taken}
    others = [pair for pair in found.pairs if pair.span in taken and pair.slot.name not in edits]
    others = sorted((pair for pair in others if pair.likely > POSSIBLE), key=lambda pair: -pair.likely)
    kept = ({name: value for name, value in edits.items() if name != taken[pair.span]} for pair in others)
    moved = ({**rest, pair.slot.name: pair.values[0]} for rest, pair in zip(kept, others, strict=True))
    return [edits, *moved][:OFFERED]


def _same(text: str, slots: Sequence[Slot], said: Surroundings) -> Part | None:
    """That what is said is the value that an argument has."""
    for value in segments(text)[0]:
        for slot in slots:
            if slot.kind not in ("text", "enum", "truth") and said.read(value.text, slot.schema).values == (slot.old,):
                return Part(same={slot.name: value.text})
    return None


def _unknown(text: str, slots: Sequence[Slot]) -> Part | None:
    """That an argument is named which the call has not."""
    named = [word for word in re.findall(r"(?i)\b(?:the|its|that) (\w+)", text.lower()) if word in KNOWN_LABELS]
    labels = {word for slot in slots for label in slot.labels for word in label.split()}
    return Part(unclear=f"there is no {named[0]} here") if named and not labels & set(named) else None


def _contested(found: Assignment) -> list[dict[str, Any]]:
    """Two values that are said for one argument, apart from each other, both likely."""
    for pair in found.taken:
        for other in found.pairs:
            same = other.slot is not pair.slot or other.values == pair.values
            if not same and other.likely > CONTESTS and not any(overlap(one.span, other.span) for one in found.taken):
                said = sorted((pair, other), key=lambda one: one.span.start)
                return [{pair.slot.name: one.values[0]} for one in said]
    return []


def _divided(found: Assignment) -> bool:
    """Whether the words for one argument could as well be for another one."""
    edits, taken = found.edits, {pair.span for pair in found.taken}
    return any(pair.span in taken and pair.slot.name not in edits and pair.likely > DIVIDES for pair in found.pairs)


def _how(found: Assignment) -> str:
    return ", ".join(f"{pair.span.text!r} is the {pair.slot.label}" for pair in found.taken)


def _judged(text: str, slots: Sequence[Slot]) -> Part | None:
    """Blame and praise without a value: of the whole, or of every clause."""
    parts = [next((found for core in cores(text) if any(found := judged(core, slots))), (set(), set()))]
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
