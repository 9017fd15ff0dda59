"""A number told by what was wrong with it: "one nought too many", "hours, not minutes", "and a half"; a size by steps.

Knows one call.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

from toolmend.language.corrections.part import Part, edit, unclear
from toolmend.language.corrections.segments import segments
from toolmend.language.corrections.slots import Slot
from toolmend.language.corrections.values import Surroundings
from toolmend.language.resolve.units import KINDS, UNITS, WORDS, convert

_ZERO = r"(?:zero|nought|naught|0)s?"
_BIG = re.compile(
    rf"(?:(?:you|you've|there's|there is|it has|that's|it's|with) )*(?:(?:put|added|typed|got) )?(?:an? |one )?"
    rf"(?:(?:extra |spare )?{_ZERO} (?:too many|less|fewer)(?: than that)?|(?:extra|spare) {_ZERO}|(?:10"
    rf"|ten) times too (?:much|many|high|big|long|large))"
    rf"|(?:drop|lose|remove|knock off|take off|delete|strike|minus|without) (?:a|one|the (?:last|extra)) {_ZERO}",
    re.I,
)
_LITTLE = re.compile(
    rf"(?:(?:you|you've|there's|there is|it's|that's|it needs) )*(?:(?:missed|missing|forgot|forgotten|dropped|lost"
    rf"|left off|left out|add|needs) )?(?:an? |one |another )(?:more )?{_ZERO}(?: (?:short|missing|is missing|too few"
    rf"|more|at the end|on the end))?|(?:10|ten) times too (?:little|few|low|small|short)",
    re.I,
)
_UNITS = re.compile(
    r"(?:it's |in |that's |i (?:said|meant) |make (?:it"
    r"|that) )*(?P<new>[a-z]+)(?:,? (?:and )?not(?: in)? (?P<old>[a-z]+))?",
    re.I,
)


class Reckoned:
    """Reads sentences about how a number is wrong against one call."""

    def __init__(self, slots: Sequence[Slot], said: Surroundings) -> None:
        self.slots, self.said = slots, said

    def read(self, text: str) -> Part | None:
        """The number as it should be, or the next size; None where the sentence tells neither."""
        numbers = [slot for slot in self.slots if slot.numeric and isinstance(slot.old, (int, float)) and slot.old]
        if _BIG.fullmatch(text):
            return self._one(text, [(slot, Fraction(str(slot.old)) / 10) for slot in numbers if slot.old >= 10])
        if _LITTLE.fullmatch(text):
            return self._one(text, [(slot, Fraction(str(slot.old)) * 10) for slot in numbers])
        if match := _UNITS.fullmatch(text):
            return self._in_unit(match["new"].lower(), (match["old"] or "").lower(), text)
        return None

    def _one(self, text: str, ways: Iterable[tuple[Slot, Fraction]]) -> Part | None:
        """The one change there can be; of several the one that the request has."""
        fits = [
            (slot, _plain(value))
            for slot, value in ways
            if value.denominator == 1 or slot.schema.get("type") != "integer"
        ]
        asked = {
            float(value.words)
            for value in segments(self.said.request)[0]
            if re.fullmatch(r"\d+(?:\.\d+)?", value.words)
        }
        fits = [(slot, value) for slot, value in fits if value in asked] or fits
        if len(fits) > 1:
            return unclear(f"{text!r}: which number?", [{slot.name: value} for slot, value in fits])
        return edit(fits[0][0].name, fits[0][1], text, f"{text!r}", sure=True) if fits else None

    def _in_unit(self, new: str, old: str, text: str) -> Part | None:
        """The same figure in another unit."""
        slots = [
            slot
            for slot in self.slots
            if slot.numeric and slot.old and UNITS.get(slot.schema.get("x-unit", "")) in KINDS
        ]
        for slot in slots:
            own = UNITS[slot.schema["x-unit"]]
            words = WORDS[KINDS[own]]
            if new not in words or (old and old not in words) or KINDS[own] in ("money", "percent", "temperature"):
                continue
            said, taken = words[new], words.get(old, own)
            if said == taken:
                continue
            value = convert(convert(Fraction(str(slot.old)), own, taken), said, own)
            return self._one(text, [(slot, value)])
        return None


def _plain(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else round(float(value), 10)
