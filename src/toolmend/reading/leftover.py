"""The text outside the calls: what is left over after calls, fences and forgiven noise are taken out.

Knows nothing of what a call looks like; readers tell it the places they took.
"""

from __future__ import annotations

import re

from toolmend.reading.scan import FENCE

_REASONING = re.compile(r"\s*<(think|thinking|reasoning)>.*?</\1>\s*", re.DOTALL)
_REASONING_END = re.compile(r"^[ \t]*</(?:think|thinking|reasoning)>[ \t]*\n?", re.MULTILINE)
_BLANK = " \t\n\r\v\f\xa0\ufeff\u200b\u2060\u2028\u2029\u3000"  # zero-width characters are nobody's words
_ONLY_LIST = re.compile(r"[\s,\[\]()]*")
_ONLY_CLOSERS = re.compile(r"[\s)\]}\"']+")


def without_reasoning(text: str) -> int:
    """Where the answer begins after a block of reasoning at the start of a reply; 0 if there is none."""
    if "</" not in text:
        return 0
    match = _REASONING.match(text) or _REASONING_END.search(text)
    return match.end() if match else 0


class Leftover:
    """Collects the places taken in a text, in order, and says what remains."""

    __slots__ = ("_bare", "_taken", "end", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.end = 0
        self._taken: list[tuple[int, int]] = []
        self._bare: list[tuple[int, int]] = []

    def take(self, start: int, stop: int, call: tuple[int, int] | None = None, bare: bool = True) -> None:
        """Take a place out; `call` is the part of it that is the call alone, `bare=False` if it holds none."""
        self._taken.append((start, stop))
        if bare:
            self._bare.append(call or (start, stop))
        self.end = stop

    def finish(self, called: bool, lenient: bool = True) -> tuple[str, list[str], str]:
        """What remains, the leniencies it took, and closing marks that belong to nothing ("" if none)."""
        if not lenient:
            return "\n".join(self._gaps(self._bare)), ["fence"] if self._fences() else [], ""
        notes = []
        taken = list(self._taken)
        if fences := self._fences():
            notes.append("fence")
            taken = sorted(taken + fences[:2])  # one fence is forgiven: its opening and its closing line
        gaps = self._gaps(taken)
        rest = "\n".join(gaps)
        if rest and called:
            if _ONLY_LIST.fullmatch(rest) and rest.count("[") == rest.count("]") and rest.count("(") == rest.count(")"):
                return "", [*notes, "list"], ""
            if _ONLY_CLOSERS.fullmatch(rest):
                return "", [*notes, "brackets"], rest
        return rest, notes, ""

    def _fences(self) -> list[tuple[int, int]]:
        if "```" not in self.text and "~~~" not in self.text:
            return []
        marks = [match.span() for match in FENCE.finditer(self.text)]
        return [mark for mark in marks if not any(start <= mark[0] < stop for start, stop in self._taken)]

    def _gaps(self, taken: list[tuple[int, int]]) -> list[str]:
        gaps, place = [], 0
        for start, stop in taken:
            gaps.append(self.text[place:start].strip(_BLANK))
            place = max(place, stop)
        gaps.append(self.text[place:].strip(_BLANK))
        return [gap for gap in gaps if gap]
