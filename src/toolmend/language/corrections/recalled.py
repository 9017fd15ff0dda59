"""What a sentence repeats of the request: where the call has something that was never said, that is what was meant.

"metallica you muppet" of "One by U2", when "one by metallica" was asked for. The other words may be anything, but a
refusal. Knows one call.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from functools import cached_property
from typing import Any

from toolmend.language.corrections import texts
from toolmend.language.corrections.clauses import TALK, says_meant
from toolmend.language.corrections.cues import by_cues
from toolmend.language.corrections.fits import COMMON, DEGREES
from toolmend.language.corrections.named import Named
from toolmend.language.corrections.part import Part, edit, together
from toolmend.language.corrections.segments import Segment, segments
from toolmend.language.corrections.slots import Slot
from toolmend.language.corrections.texts import bare_words, misheard
from toolmend.language.corrections.typed import Typed
from toolmend.language.corrections.values import Surroundings, value_for
from toolmend.language.resolve import vocabulary

_REFUSED = re.compile(
    r"(?i)\b(?:not|instead of|rather than|isn't|wasn't|never|nor|no)\b(?: (?:at|on|in|for|to|the|an?|from|it's))* "
    r"(?:(?:(?!\bbut\b)[^,.;:!])+|\S+)"
)
_ASKS = re.compile(
    r"(?i)\s*(?:what|where|when|who|how|why|which|(?:is|are|do|does|did|can|could|would|will) (?:you|i|we|they|it|he"
    r"|she)"
    r"|is|are)\b"
)
_MORE = re.compile(
    r"(?i)\b(?:and|also|too|as well|plus|forgot|missed|missing|left (?:\w+ )?(?:off|out)|coming|joining|don't forget"
    r"|add|with|both|include"
    r"|besides)\b"
)
_GOING = vocabulary.words("going")
_ASIDE = re.compile(
    r"(?i)\b[a-z] (?:for|as in) \w+(?: at the (?:end|start|beginning))?"
    r"|(?<![\w'])[b-hj-z](?:[ .-]+[a-z](?![\w']))*(?![\w'])"
    r"|,? (?:the|an?) [\w ]+ (?:kind|sort|type|stuff|variety)\W*$"
)
_VOCATIVE = re.compile(r"(?i),? you (?:silly |daft |stupid |big )?\w+\W*$")
_REMARKS = re.compile(
    r"(?i)\bsee you\b|\bi(?: already|'ve got| have)\b|\bi've\b(?! (?:said|asked))|\b(?:is|are) (?:my|our|an?)\b"
)
_FAULT = re.compile(r"(?i)\b(?:wrong|(?:is|are|'s) off|incorrect|mistake|error|check)\b")
_PRAISED = re.compile(r"(?i)\b(?:right|fine|good|great|ok|okay|perfect|correct|lovely|keep)\b")
_CLAUSES = re.compile(r"[.,;:!?]+(?=\s|$)|\b(?:because|since|cause|so|or(?= (?:it|i|we|they|he|she)))\b")
_LONGEST = 14


class RecallReader:
    """Reads sentences against one call and the request it was made for."""

    def __init__(self, slots: Sequence[Slot], said: Surroundings, typed: Typed, named: Named, own: Set[str]) -> None:
        self.slots, self.said, self.typed, self.named, self.own = slots, said, typed, named, own

    def read(self, text: str) -> Part | None:
        """The new values, each of which the request has; None where a value is none of them, or could be two."""
        if not self.said.request or _ASKS.match(text) or len(text.split()) > _LONGEST:
            return None
        kept = _REFUSED.sub(" ", text)
        if not re.search(r"\w", kept) or _REMARKS.search(text) or (_FAULT.search(kept) and not says_meant(text)):
            return None
        values, rest = segments(kept)
        part = Part()
        for value in values:
            one = self._value(value, rest)
            if one is None:
                return None
            part = together(part, one)
        words = kept
        for value in values:
            words = words.replace(value.text, " | ", 1)
        member, words = self._member(words)
        spoken = self._words(words)
        for one in (member, spoken):
            part = together(part, one) if one else part
        marks = [word.lower() for word in ("|", *((spoken or Part()).words.values()))]
        clauses = [clause for clause in _CLAUSES.split(words) if any(mark in clause.lower() for mark in marks)]
        others = _VOCATIVE.sub("", _ASIDE.sub(" ", " ".join(clauses)))
        unknown = [word for word in bare_words(others) if word not in self._idle | {"|"} and not self._heard(word)]
        if not part.edits or part.unclear or unknown or self._named(kept, part):
            return None
        part.sure = not by_cues(text, (), ["?"]).reason.startswith("is a request")
        return part

    @cached_property
    def _idle(self) -> Set[str]:
        return COMMON | TALK | DEGREES | _GOING | self.own | {word for slot in self.slots for word in slot.labels}

    def _heard(self, word: str) -> bool:
        return word in bare_words(self.said.request)

    def _named(self, text: str, part: Part) -> bool:
        """Whether another argument is named, and not because it is right."""
        named = set(bare_words(text))
        others = [slot for slot in self.slots if slot.name not in part.edits and slot.label in named]
        return bool(others) and not _PRAISED.search(text)

    # values of a kind ---------------------------------------------------------------------------------------------

    @cached_property
    def _asked(self) -> Mapping[str, list[tuple[Any, ...]]]:
        """The values that the request can give each argument, phrase by phrase."""
        values, _ = segments(self.said.request)
        asked: dict[str, list[tuple[Any, ...]]] = {slot.name: [] for slot in self.slots}
        for value in values:
            for slot in self.typed.fitting(value, ""):
                asked[slot.name].append(self.said.read(value.text, slot.schema).values)
                if slot.kind in ("date", "date-time"):
                    asked[slot.name].append(self.said.read(value.text, slot.schema, slot.old).values)
        return asked

    def _value(self, value: Segment, rest: str) -> Part | None:
        fits: list[tuple[Slot, Any]] = []
        same = [slot for slot in self.slots if slot.numeric and self._is(slot, value)]
        if same:
            return Part(same={same[0].name: value.text})
        for slot in self.typed.fitting(value, rest):
            readings = value_for(slot, value.text, self.said).values
            if slot.old in readings:
                return Part(same={slot.name: value.text})
            if (slot.old,) in self._asked[slot.name] or (slot.numeric and self._stands(slot)):
                continue
            asked = {said for phrase in self._asked[slot.name] for said in phrase}
            fits += [(slot, reading) for reading in readings if reading in asked]
        told = f"{value.text!r} is what was asked for"
        return edit(fits[0][0].name, fits[0][1], value.text, told) if len(fits) == 1 else None

    def _is(self, slot: Slot, value: Segment) -> bool:
        return value.kind == "number" and float(value.words.replace("minus ", "-")) == slot.old

    def _stands(self, slot: Slot) -> bool:
        """Whether the request has the number that the argument has."""
        return any(self._is(slot, value) for value in segments(self.said.request)[0])

    def _member(self, text: str) -> tuple[Part | None, str]:
        """A member that the request has, too, where it has not the one that was taken; the text without its words."""
        for slot in self.slots:
            if slot.kind != "enum":
                continue
            asked = self.named.members(self.said.request, slot.schema)[0]
            spoken = [word for word in re.findall(r"[\w'-]+", text) if self.named.members(word, slot.schema)[0]]
            values = [value for word in spoken for value in self.named.members(word, slot.schema)[0] if value in asked]
            if len(set(values)) == 1 and slot.old not in asked and slot.old is not None:
                for word in spoken:
                    text = text.replace(word, " | ", 1)
                return edit(slot.name, values[0], spoken[0], f"{spoken[0]!r} is what was asked for"), text
        return None, text

    # words --------------------------------------------------------------------------------------------------------

    def _words(self, text: str) -> Part | None:
        phrases = self._phrases(text)
        if len(phrases) != 1:
            return None
        ways = [
            (slot, new)
            for slot in self.slots
            if (new := self._with(slot, phrases[0], text)) is not None and new != slot.old
        ]
        added = [(slot, new) for slot, new in ways if slot.kind == "list" and _MORE.search(text)]
        ways = added or ways
        akin = [(slot, new) for slot, new in ways if texts.shares(_flat(slot.old), phrases[0])]
        ways = akin if len(akin) == 1 else ways
        if len(ways) != 1:
            return None
        slot, new = ways[0]
        return edit(slot.name, new, phrases[0], f"{phrases[0]!r} is what was asked for")

    def _with(self, slot: Slot, phrase: str, text: str) -> Any:
        """What the argument becomes with these words of the request; None where they are not for it."""
        asked = set(bare_words(self.said.request))
        if slot.kind == "text" and isinstance(slot.old, str):
            if not set(bare_words(slot.old)) & asked or slot.old.lower() in phrase.lower():
                return texts.fitted(phrase, slot.old)
            return misheard(slot.old, phrase, self.said.request)
        if slot.kind != "list" or "enum" in (slot.schema.get("items") or {}) or not isinstance(slot.old, list):
            return None
        items = [item for item in re.split(r"(?i),? and |, ", phrase) if item]
        unheard = [item for item in slot.old if not set(bare_words(str(item))) & asked]
        if len(unheard) == len(items) == 1:
            return [items[0] if item == unheard[0] else item for item in slot.old]
        return [*slot.old, *items] if not unheard and _MORE.search(text) else None

    def _phrases(self, text: str) -> list[str]:
        """The longest runs of words that stand in the request as well, and have a word the call has not."""
        spoken = [(match[0], match.start(), match.end()) for match in re.finditer(r"[^\s,.;:!?()\"|]+|[|,.;:!?]", text)]
        asked, place, phrases = [f" {' '.join(bare_words(self.said.request))} "], 0, []
        taken = {word for slot in self.slots for word in bare_words(_flat(slot.old))}
        idle = self._idle
        while place < len(spoken):
            size = next(
                (
                    size
                    for size in range(min(6, len(spoken) - place), 0, -1)
                    if (words := bare_words(text[spoken[place][1] : spoken[place + size - 1][2]]))
                    and len(words) == size
                    and f" {' '.join(words)} " in asked[0]
                ),
                0,
            )
            run = [token[0] for token in spoken[place : place + size]]
            while run and bare_words(run[0])[0] in idle:
                run = run[1:]
            while run and bare_words(run[-1])[0] in idle:
                run = run[:-1]
            if set(bare_words(" ".join(run))) - idle - taken:
                phrases.append(" ".join(run))
            place += max(size, 1)
        return [one for one in phrases if not any(one.lower() in other.lower() != one.lower() for other in phrases)]


def _flat(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
