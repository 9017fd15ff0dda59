"""Where the values of a call stand in what the person had said, and which other values could stand there."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from toolmend.language.corrections import texts
from toolmend.language.corrections.segments import Segment, segments
from toolmend.language.corrections.slots import Slot
from toolmend.language.corrections.typed import Typed
from toolmend.language.corrections.values import Surroundings
from toolmend.language.resolve.clock_ranges import clock_range
from toolmend.language.resolve.words import Words

_SMALL = frozenset(
    "a an the my our your his her their this that them they it and or but so for to of in on at with by from".split()
)
_NAME = re.compile(r"[^\W\d_][\w'’-]*")
_RANK = re.compile(r"(?i)(?:the )?(?:first|second|third|fourth|fifth|sixth|last|next)")
_NO_THING = r"(?!(?:of|at|in|on|and|or|from|till?|until|to|not|please|instead|rather|for|with|is|was)\b)"
_HOURS = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d")  # "0800"
_WEEKS = 21  # days from the clock within which a weekday is the clock's
AWAKE = ("07:00", "20:59")  # who says "at five" means seldom the other half of the night
_LONGEST = 4  # words of a name, or of a member


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words of the request that give an argument these values."""

    words: str
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Support:
    """What the request has for an argument: `firm` are the words that give its value and nothing else does; `phrases`
    all words that give it any value."""

    phrases: tuple[Phrase, ...] = ()
    firm: str = ""

    @property
    def others(self) -> tuple[Phrase, ...]:
        """Phrases, where the value stands on none of them alone."""
        return () if self.firm else self.phrases


def support(slot: Slot, slots: Sequence[Slot], said: Surroundings) -> Support:
    """What the request says of the argument."""
    if slot.kind == "text":
        return _of_text(slot, slots, said)
    phrases = tuple(_phrases(slot, slots, said))
    alone = phrases[0] if len({phrase.values for phrase in phrases}) == 1 else None
    return Support(phrases, alone.words if alone and _stands_alone(slot, alone.values) else "")


def _stands_alone(slot: Slot, values: tuple[Any, ...]) -> bool:
    """Whether the value is what its words mean, as far as anybody says such a thing: "at five" is not at night."""
    likely = tuple(value for value in values if slot.kind != "time" or AWAKE[0] <= value <= AWAKE[1])
    return slot.old in values and (likely or values) == (slot.old,)


def _phrases(slot: Slot, slots: Sequence[Slot], said: Surroundings) -> list[Phrase]:
    """The words of the request that can be for the argument, with their values."""
    if slot.kind in ("enum", "truth", "list", "object"):
        return _members(slot, said) if slot.kind == "enum" else []
    values, rest = segments(said.request)
    typed = Typed(slots, said, frozenset())
    spans = _spans(slots, values, said)
    phrases = [Phrase(words, (span[slot.kind],)) for words, span in spans.items() if slot.kind in span]
    for value in values:
        if any(value.text in words for words in spans):
            continue
        # to something else, not to this value
        relative = value.before == "by" or re.search(r"shift|change|factor|half|minutes", value.kind)
        left = re.search(rf"(?i)\b(?:instead of|rather than|not) (?:at |on )?{re.escape(value.text)}\b", said.request)
        one = value.text.lower() == "one" and not re.search(r"(?i)\bat one\b", said.request)  # "a second one"
        one = one or (_RANK.fullmatch(value.text) is not None and _ranks(value.text, said.request))
        hours = value.kind == "number" and _HOURS.fullmatch(value.text)
        if slot.kind == "time" and hours:
            phrases.append(Phrase(value.text, (f"{value.text[:2]}:{value.text[2:]}",)))
        elif not (relative or left or hours or one) and slot in typed.fitting(value, rest):
            reading = _values(slot, value.text, said)
            if reading:
                phrases.append(Phrase(value.text, reading))
    units = [phrase for phrase in phrases if slot.kind == "length" and re.search(r"[^\W\d]", phrase.words)]
    return units or phrases  # beside "2h" a bare number is no length: "long run 18k, 2h"


def _ranks(words: str, request: str) -> bool:
    """Whether words that could be a day tell which of several things is meant: "the second appointment"."""
    return bool(re.search(rf"(?i)\b{re.escape(words)} {_NO_THING}[^\W\d_]{{3,}}", request))


def _spans(slots: Sequence[Slot], values: Sequence[Segment], said: Surroundings) -> dict[str, dict[str, Any]]:
    """The words from when to when, with the start and the length: where one argument is a time and one a length."""
    if [sum(slot.kind == kind for slot in slots) for kind in ("time", "length")] != [1, 1]:
        return {}
    length = next(slot for slot in slots if slot.kind == "length")
    told = [value.text for value in values if value.kind == "clock range"]
    for one, other in pairwise(values):
        pair = rf"{re.escape(one.text)}\s*(?:to|till?|until|[-–])\s*{re.escape(other.text)}"
        match = re.search(pair, said.request, re.IGNORECASE)
        told += [match[0]] if match and {one.kind, other.kind} <= {"clock", "number"} else []
    spans = {}
    for words in told:
        if span := clock_range(words, said.hours):
            minutes = said.read(f"{span[1]} minutes", length.schema).values
            spans[words] = {"time": span[0], "length": minutes[0]} if len(minutes) == 1 else {}
    return spans


def _values(slot: Slot, words: str, said: Surroundings) -> tuple[Any, ...]:
    """What the words can mean. A day that was said without its year, or its week, is the day of the call where it can
    be: the talk may be of another year than the clock."""
    against = said.read(words, slot.schema, slot.old).values
    if slot.kind in ("date", "date-time") and (slot.old in against or (against and _far(slot.old, words, said))):
        return (slot.old,) if slot.old in against else against
    return said.read(words, slot.schema).values or against


def _far(day: Any, words: str, said: Surroundings) -> bool:
    """Whether a weekday is said in a talk of other weeks than the clock's: then it is one of those."""
    if said.now is None or not isinstance(day, str) or re.search(r"\d", re.sub(r"weekday\d", "", Words(words).text)):
        return False
    try:
        return abs((dt.date.fromisoformat(day[:10]) - said.now.date()).days) > _WEEKS
    except ValueError:  # a day that was called wrongly
        return False


def _members(slot: Slot, said: Surroundings) -> list[Phrase]:
    reading = said.read(said.request, slot.schema).values if said.request else ()
    return [Phrase(str(value).replace("_", " "), (value,)) for value in reading]


def _of_text(slot: Slot, slots: Sequence[Slot], said: Surroundings) -> Support:
    """A text is firm where the request has all of it; a word that is nearly one of it could be meant instead."""
    if not isinstance(slot.old, str) or not said.request:
        return Support()
    plain = re.sub(r"(?i)\bw/", "with", said.request)
    if match := re.search(rf"(?i)(?<!\w){re.escape(slot.old)}(?!\w)", plain):
        return Support((Phrase(match[0], (slot.old,)),), match[0])
    heard = set(_NAME.findall(said.request.lower()))
    kept = [word for word in _NAME.findall(slot.old) if word.lower() in heard]
    if len(kept) == len(slot.old.split()):
        return Support((Phrase(slot.old, (slot.old,)),), slot.old)
    words = _NAME.findall(said.request)
    taken = {word.lower() for other in slots if isinstance(other.old, str) for word in _NAME.findall(other.old)}
    near = [
        Phrase(name, (changed,))
        for size in range(1, _LONGEST)
        for start in range(len(words) - size + 1)
        if not {word.lower() for word in words[start : start + size]} <= taken | _SMALL
        and (changed := texts.likened(slot.old, name := " ".join(words[start : start + size])))
        and all(word in changed for word in kept)
    ]
    return Support(tuple({phrase.values: phrase for phrase in reversed(near)}.values()))
