"""Whether what was understood of a sentence explains all of it: only then code may act before the model has heard it.

A word that nothing explains, a value that could be another argument's, a text that nothing points at: each is a reason
to ask the model first. Knows one call's arguments and the words; changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from toolmend.language.corrections import Understood
from toolmend.language.corrections.clauses import tidy
from toolmend.language.corrections.complaining import complains
from toolmend.language.corrections.names import split_name
from toolmend.language.corrections.segments import segments
from toolmend.language.corrections.slots import Slot
from toolmend.language.corrections.texts import shares
from toolmend.session.mend.case import MendCase

_WORD = re.compile(r"[^\W_]+(?:['.:&/-][^\W_]+)*")
_FILLING = frozenset(
    "a an the it it's its this that that's these those i i'd i'm i'll i've we we'd we'll you my our your me us is"
    " are was were be been am do does did have has had would could should must can may will want wanted need"
    " needed like prefer please sorry no nope nah not n't oh oops ok okay well actually wait hmm uh um er but and"
    " so just really only instead rather meant mean said say saying told asked wrong mistake bad right correct"
    " change changed make made set put use take give book booked move go let get keep for at on in to of by from"
    " with into as than then there here thanks thank don't didn't isn't wasn't".split()
)
"""Words that only say that something is meant: beside them nothing is left to explain."""
_LEADING = frozenset("called named see watch find search play now another".split())
_JOINTS = re.compile(r"(?i)\b(?:to|for|at|in|by|with|from|on|now)\b|^(?:the|an?)\b")
_DENIES = re.compile(r"(?i)\b(?:no|not|without|off|never|\w+n't)\b")
_OPENING = re.compile(r"(?i)^(?:no|nope|nah)\b[\s,.;:!-]*")
_NAME = re.compile(r"(?<=[^\W_] )(?!I\b)[A-Z][\w'-]+")


def says_more(case: MendCase) -> bool:
    """Whether a complaint also gives something: a value of a kind, a member, a name that nobody had said. The values
    that the calls have are no news."""
    olds = [str(value).casefold() for call in case.calls for value in call.arguments.values()]
    heard = "\n".join((case.request, *olds)).casefold()
    slots = [slot for number in range(len(case.calls)) for slot in case.slots(number)]
    for value in segments(case.said)[0]:
        if not any(slot.old in case.background.read(value.text, slot.schema).values for slot in slots if _typed(slot)):
            return True
    if any(name.casefold() not in heard for name in _NAME.findall(case.said)):
        return True
    words = {word.casefold() for word in _WORD.findall(case.said)}
    members = {str(member).casefold() for slot in slots for member in slot.schema.get("enum", ())}
    return any(set(member.split()) <= words for member in members if member not in olds)


def only_complains(case: MendCase) -> bool:
    """Whether a complaint has no words but those of complaints, and those of the calls."""
    slots = [slot for number in range(len(case.calls)) for slot in case.slots(number)]
    own = {word for slot in slots for label in slot.labels for word in label.split()}
    own |= {word for slot in slots for word in re.findall(r"[^\W_]+", str(slot.old or "").casefold())}
    own |= {word for call in case.calls for word in split_name(call.tool.rpartition(".")[2])}
    return not says_more(case) and complains(case.said, own)


def explains(case: MendCase, understood: Understood) -> bool:
    """Whether each word of the sentence is one of the new values, names its argument or its old value, or says only
    that something is meant; and each value could be no other argument's."""
    said = tidy(case.said)
    left = said.casefold()
    for number, edits in understood.edits.items():
        slots = case.slots(number)
        for name, value in edits.items():
            slot = next((slot for slot in slots if slot.name == name), None)
            words = understood.words.get((number, name), str(value))
            if slot is None or not _is_the_one(slot, slots, words, value, said):
                return False
            for told in (*_telling(slot, words, value, case), str(slot.old or "")):
                left = _without(left, told)
            for label in sorted(slot.labels, key=len, reverse=True):
                left = _without(left, label)
            left = _without_olds(left, slot, case)
    return all(word in _FILLING for word in _WORD.findall(left))


def _is_the_one(slot: Slot, slots: Sequence[Slot], words: str, value: Any, said: str) -> bool:
    """Whether the words can be for this argument alone, and mean this value."""
    named = _names(slot, slots, said)
    told = slot.old is not None and _has(said, str(slot.old))  # "not Dermatologist"
    if slot.kind in ("list", "object", "any"):
        return False
    if slot.kind == "truth" or value is None:
        denied = bool(_DENIES.search(_OPENING.sub("", said)))
        return named and denied == (not value)
    if slot.kind == "text":
        return _is_a_name(str(value), said, slot, pointed=named or told)
    sole = not any(_rivals(other, slot, words) for other in slots if other is not slot)
    return sole or told or _has(said, slot.label)


def _is_a_name(text: str, said: str, slot: Slot, *, pointed: bool) -> bool:
    """Whether a text stands in the sentence as it is, has no value of a kind in it and no words that lead to it; and is
    a form of the old one, or the sentence points at its argument."""
    if not _has(said, text) or segments(text)[0] or text.split()[0].casefold() in _FILLING | _LEADING:
        return False
    new = " ".join(word for word in text.split() if word.casefold() not in slot.labels)
    return shares(str(slot.old or ""), new) or (pointed and not _JOINTS.search(new))


def _telling(slot: Slot, words: str, value: Any, case: MendCase) -> list[str]:
    """Of the words that a value was read from, those that say it."""
    if slot.kind == "text" or value is None:
        return [str(value)]
    if slot.kind in ("enum", "truth"):
        return re.split(r"[\s_]+", str(value)) if len(words.split()) > len(str(value).split()) else [words]
    found = (part.text for part in segments(words)[0])
    return [text for text in found if value in case.background.read(text, slot.schema, slot.old).values] or [words]


def _rivals(other: Slot, slot: Slot, words: str) -> bool:
    """Whether words for one argument could be for the other: they are of one kind, or a mere number for both."""
    if slot.kind == "enum":
        return other.kind == "enum" and bool(set(other.schema["enum"]) & set(slot.schema["enum"]))
    bare = {value.kind for value in segments(words)[0]} <= {"number"}
    return other.kind == slot.kind or (bare and (other.numeric or other.kind in ("time", "date", "date-time")))


def _names(slot: Slot, slots: Sequence[Slot], said: str) -> bool:
    """Whether the sentence has a name of this argument that is none of another, nor the beginning of one."""
    others = {label for other in slots if other is not slot for label in other.labels}
    own = [label for label in slot.labels if len(label) > 2]
    whole = [label for label in own if not any(label.startswith(other) or other.startswith(label) for other in others)]
    return _has(said, slot.label) or any(_has(said, label) for label in whole)


def _typed(slot: Slot) -> bool:
    return slot.kind not in ("text", "list", "object", "any") and slot.old is not None


def _without_olds(left: str, slot: Slot, case: MendCase) -> str:
    """What is left when the old value's words are gone, where it is of a kind: "not five"."""
    for value in segments(left)[0] if _typed(slot) else ():
        if slot.old in case.background.read(value.text, slot.schema).values:
            left = _without(left, value.text)
    return left


def _has(said: str, words: str) -> bool:
    return any(True for _ in _places(said.casefold(), words))


def _without(left: str, words: str) -> str:
    place = next(_places(left, words), None)
    return left if place is None else f"{left[: place.start()]} {left[place.end() :]}"


def _places(text: str, words: str) -> Iterator[re.Match[str]]:
    plain = " ".join(words.casefold().split())
    return re.finditer(rf"(?<!\w){re.escape(plain)}(?!\w)", text) if plain else iter(())
