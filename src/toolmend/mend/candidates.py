"""What else a call could be, by how people and models err: another reading of a phrase, its twin, a slip.

The weights are a guess to start from, to be counted from stored corrections. Knows no model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolmend.corrections.slots import Slot
from toolmend.corrections.understood import Place
from toolmend.mend.case import Case, Edits
from toolmend.mend.support import Support, support
from toolmend.resolve.references import Referred, refer

WEIGHTS: Mapping[str, float] = {
    "the entry that is named": 9.0,
    "the words give another value": 8.0,
    "a slip of a word that was said": 6.0,
    "another reading of the same words": 5.0,
    "the other way round": 3.0,
    "some words give another value": 3.0,
    "another entry": 2.0,
    "not asked for": 2.0,
    "the other half of the day": 1.5,
}
CLEARLY = 2.0
"""How much likelier than the next one a candidate must be to be taken without asking."""
ENOUGH = 4.0
"""The least weight of a candidate that is taken without asking."""
AWAKE = ("07:00", "22:00")  # who says "at five" means seldom the other half of the night


@dataclass(frozen=True, slots=True)
class Candidate:
    """What could be meant, why, and how likely that is beside the others."""

    edits: Edits
    why: str
    words: str = ""

    @property
    def weight(self) -> float:
        """Out of WEIGHTS."""
        return WEIGHTS[self.why]


def candidates(case: Case, places: Sequence[Place], words: Mapping[int, str] | None = None) -> tuple[Candidate, ...]:
    """What the calls could be where these arguments are doubted, likeliest first, nothing that was tried.

    `words` are those that were used for the thing that a call is about.
    """
    ranked: list[Candidate] = []
    for candidate in sorted(_all(case, set(places), words or {}), key=lambda each: -each.weight):
        if case.is_new(candidate.edits) and candidate.edits not in [other.edits for other in ranked]:
            ranked.append(candidate)
    return tuple(ranked)


def clear(ranked: Sequence[Candidate]) -> Candidate | None:
    """The first, where it is clearly ahead."""
    if not ranked or ranked[0].weight < ENOUGH:
        return None
    return ranked[0] if len(ranked) == 1 or ranked[0].weight >= CLEARLY * ranked[1].weight else None


def _all(case: Case, places: set[Place], words: Mapping[int, str]) -> Iterator[Candidate]:
    for number in range(len(case.calls)):
        slots = case.slots(number)
        doubted = [slot for slot in slots if (number, slot.name) in places]
        for slot in doubted:
            for value, why, said in _of_one(slot, support(slot, slots, case.background)):
                yield Candidate({number: {slot.name: value}}, why, said)
        for place, one in enumerate(doubted):
            for other in doubted[place + 1 :]:
                if one.kind == other.kind != "truth" and None not in (one.old, other.old) and one.old != other.old:
                    yield Candidate({number: {one.name: other.old, other.name: one.old}}, "the other way round")
        yield from _entries(case, number, {slot.name for slot in doubted}, words.get(number, ""))


def _of_one(slot: Slot, stands: Support) -> Iterator[tuple[Any, str, str]]:
    supported = any(phrase.values == (slot.old,) for phrase in stands.phrases)
    for phrase in stands.others:
        if slot.kind == "text":
            yield phrase.values[0], "a slip of a word that was said", phrase.words
            continue
        why = "another reading of the same words"
        if len(phrase.values) == 1 and slot.old not in phrase.values:
            why = "some words give another value" if supported else "the words give another value"
        for value in phrase.values:
            asleep = slot.kind == "time" and slot.old in phrase.values and not AWAKE[0] <= value <= AWAKE[1]
            if value != slot.old:
                yield value, "the other half of the day" if asleep else why, phrase.words
    if slot.kind == "time" and isinstance(slot.old, str) and not stands.firm:
        yield f"{(int(slot.old[:2]) + 12) % 24:02}{slot.old[2:]}", "the other half of the day", ""
    default = slot.schema.get("default")
    if not slot.required and slot.old not in (None, default) and not stands.phrases:
        yield default, "not asked for", ""


def _entries(case: Case, number: int, doubted: set[str], words: str) -> Iterator[Candidate]:
    """Other things of the same make, for a call that is about one of them as a whole."""
    values = dict(case.calls[number].arguments)
    things = [{name: thing[name] for name in values} for thing in case.things if values.keys() <= thing.keys()]
    if values in things and values.keys() <= doubted:
        others = [thing for thing in things if thing != values]
        named = refer(words, others, now=case.now) if words and others else None
        places = named.places if isinstance(named, Referred) and named.by == "its words" else ()
        for place, thing in enumerate(others):
            yield Candidate({number: thing}, "the entry that is named" if place in places else "another entry")
