"""What else a call could be, by how people and models err: another reading of a phrase, its twin, a slip.

The weights are a guess to start from; how a person's corrections came out moves them (leanings.py). Knows no model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolmend.language.corrections.slots import Slot
from toolmend.language.corrections.understood import Place
from toolmend.language.resolve.references import Referred, refer
from toolmend.session.mend.case import Edits, MendCase, folded
from toolmend.session.mend.rereading import rereadings
from toolmend.session.mend.support import AWAKE, Support, support
from toolmend.session.mend.titles import grown, named_in, says_something, texts_in

WEIGHTS: Mapping[str, float] = {
    "the entry that is named": 9.0,
    "what the sentence calls it": 9.0,
    "the words give another value": 8.0,
    "the request read once more": 8.0,
    "a slip of a word that was said": 6.0,
    "its words to their edges": 6.0,
    "what is left of the sentence": 6.0,
    "another reading of the same words": 5.0,
    "the only other one": 3.5,
    "the other way round": 3.0,
    "some words give another value": 3.0,
    "another entry": 2.0,
    "not asked for": 2.0,
    "the other half of the day": 1.5,
    "other words of the sentence": 1.0,
}
_RANGE = re.compile(r"(?i)\b(?:till|until|to)\b|[-–]")
CLEARLY = 2.0
"""How much likelier than the next one a candidate must be to be taken without asking."""
ENOUGH = 4.0
"""The least weight of a candidate that is taken without asking."""
BLAMED = 3.0
"""The same where the argument was named: what it was is wrong."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What could be meant, why, and how likely that is beside the others."""

    edits: Edits
    why: str
    words: str = ""
    factor: float = 1.0

    @property
    def weight(self) -> float:
        """Out of WEIGHTS, times what is known of the person."""
        return WEIGHTS[self.why] * self.factor


def candidates(
    case: MendCase, places: Sequence[Place], words: Mapping[int, str] | None = None
) -> tuple[Candidate, ...]:
    """What the calls could be where these arguments are doubted, likeliest first, nothing that was tried.

    `words` are those that were used for the thing that a call is about.
    """
    ranked: list[Candidate] = []
    for candidate in sorted(_all(case, set(places), words or {}), key=lambda found: -found.weight):
        told = str(candidate.edits).casefold()
        if case.is_new(candidate.edits) and told not in [str(other.edits).casefold() for other in ranked]:
            ranked.append(candidate)
    return tuple(ranked)


def clear(ranked: Sequence[Candidate], enough: float = ENOUGH) -> Candidate | None:
    """The first, where it is clearly ahead."""
    if not ranked or ranked[0].weight < enough:
        return None
    return ranked[0] if len(ranked) == 1 or ranked[0].weight >= CLEARLY * ranked[1].weight else None


def _all(case: MendCase, places: set[Place], words: Mapping[int, str]) -> Iterator[Candidate]:
    for number in range(len(case.calls)):
        slots = case.slots(number)
        doubted = [slot for slot in slots if (number, slot.name) in places]
        reread = _reread(case) if any(slot.kind in ("date", "length") for slot in doubted) else {}
        for slot in doubted:
            if slot.kind in ("date", "length") and reread.get(slot.name, slot.old) != slot.old:
                yield Candidate({number: {slot.name: reread[slot.name]}}, "the request read once more")
                continue
            for value, why, said in _of_one(slot, _free(case, number, slot)):
                yield Candidate({number: {slot.name: value}}, why, said)
            if slot.kind == "text" and slot.required and not _is_there(case, number):
                for value, why in _texts(case, slot.old if isinstance(slot.old, str) else ""):
                    yield Candidate({number: {slot.name: value}}, why, value)
        for place, one in enumerate(doubted):
            for other in doubted[place + 1 :]:
                if one.kind == other.kind != "truth" and None not in (one.old, other.old) and one.old != other.old:
                    yield Candidate({number: {one.name: other.old, other.name: one.old}}, "the other way round")
        yield from _entries(case, number, {slot.name for slot in doubted}, words.get(number, ""))


def _reread(case: MendCase) -> Mapping[str, Any]:
    """The one call that the request can mean by all that was there, where it is nearly this one: it has a value of it,
    or its text; those of its values that stand on words of the request. Days and lengths lean on what was there: "that
    same Sunday"."""
    call = case.calls[0]
    for one in rereadings(case) if len(case.calls) == 1 else ():
        other = one.calls[0]
        new, old = folded(other.arguments), folded(call.arguments)
        alike = other.tool == call.tool and any(old.get(name) == value for name, value in new.items())
        if len(one.calls) == 1 and not one.back and alike:
            heard = case.latest.casefold()
            said = {name for name, words in other.said.items() if words.casefold() in heard}
            return {name: value for name, value in other.arguments.items() if name in said}
    return {}


def _free(case: MendCase, number: int, slot: Slot) -> Support:
    """What the request has for an argument, without words that give another one its value: "18h" is the time, and no
    length."""
    stands = support(slot, case.slots(number), case.background)
    phrases = tuple(phrase for phrase in stands.phrases if not given(case, number, slot, phrase.words))
    return Support(phrases, stands.firm if any(phrase.words == stands.firm for phrase in phrases) else "")


def given(case: MendCase, number: int, slot: Slot, words: str) -> bool:
    """Whether words give another argument than this one its value."""
    said = case.calls[number].said
    return any(
        case.background.read(words, other.schema).values == (other.old,)
        or (words in (told := said.get(other.name, "")) and not _RANGE.search(told))
        for other in case.slots(number)
        if other.name != slot.name and other.kind not in ("text", "list", "object") and other.old is not None
    )


def _of_one(slot: Slot, stands: Support) -> Iterator[tuple[Any, str, str]]:
    supported = any(phrase.values == (slot.old,) for phrase in stands.phrases)
    if slot.kind == "truth" and isinstance(slot.old, bool):
        yield not slot.old, "the only other one", ""
    members = [member for member in slot.schema.get("enum", ()) if member != slot.old]
    if len(members) == 1 and slot.old is not None:
        yield members[0], "the only other one", ""
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
        other = f"{(int(slot.old[:2]) + 12) % 24:02}{slot.old[2:]}"
        if AWAKE[0] <= other <= AWAKE[1]:
            yield other, "the other half of the day", ""
    default = slot.schema.get("default")
    if not slot.required and slot.old not in (None, default) and not stands.phrases:
        yield default, "not asked for", ""


def like(case: MendCase, number: int) -> list[dict[str, Any]]:
    """The things that have what the call names, each with that alone."""
    names = case.calls[number].arguments
    return [{name: thing[name] for name in names} for thing in case.things if names.keys() <= thing.keys()]


def _is_there(case: MendCase, number: int) -> bool:
    """Whether the call is about a thing there is, as a whole."""
    return dict(case.calls[number].arguments) in like(case, number)


def _texts(case: MendCase, old: str) -> Iterator[tuple[str, str]]:
    """What else a text can be. What is left of a sentence is it where the old one has nothing of that sentence."""
    heard, own = (set(re.findall(r"\w+", text.lower().replace("w/", "with "))) for text in (case.latest, old))
    carried = not own <= heard or not says_something(old)
    called, whole = named_in(case.latest), grown(case.latest, old)
    for place, text in enumerate(texts_in(case.latest, old)):
        if _cut_short(text, old, case.latest):
            continue
        if text == called:
            yield text, "what the sentence calls it"
        elif text == whole:
            yield text, "its words to their edges"
        elif not set(re.findall(r"\w+", text.lower())) <= own:
            yield text, "what is left of the sentence" if carried and not place else "other words of the sentence"


def _cut_short(text: str, old: str, request: str) -> bool:
    """Whether a text is but a part of one that was said as it stands, and no figure is left out."""
    whole = old.casefold() in request.casefold() and text.casefold() in old.casefold()
    return whole and not re.search(r"\d", old.casefold().replace(text.casefold(), ""))


def _entries(case: MendCase, number: int, doubted: set[str], words: str) -> Iterator[Candidate]:
    """Other things of the same make, for a call that is about one of them as a whole."""
    values, things = dict(case.calls[number].arguments), like(case, number)
    texts = {slot.name for slot in case.slots(number) if slot.kind == "text"}
    if values not in things or not (values.keys() <= doubted or texts & doubted):
        return
    others = [thing for thing in things if thing != values]
    named = refer(words or case.latest, others, now=case.now) if others else None
    places = named.places if isinstance(named, Referred) and named.by == "its words" else ()
    if not words and any(case.copied(number, slot) for slot in case.slots(number) if slot.name in texts):
        places = ()  # the words that were said name this one
    for place, thing in enumerate(others):
        yield Candidate({number: thing}, "the entry that is named" if place in places else "another entry")
