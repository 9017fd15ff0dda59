"""Places in a text: where a call begins and ends, without understanding it, and what is left over outside the calls.

Knows brackets, strings, comments and fences; readers tell the places that they took.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolmend.reading.reading import MAX_DEPTH

CALL = re.compile(r"(?<![\w.])([^\W\d]\w*+(?:\.[^\W\d]\w*+)*+)([ \t]{0,3})\(")
"""A dotted name before an opening parenthesis: group 1 the name, group 2 the blanks between them."""
FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[ \t]*[\w+.-]*[ \t\r]*$", re.MULTILINE)
"""A line that opens or closes a code fence."""
_DOUBLES, _SINGLES = "“”„‟«»″", "‘’‚‛`´′"
TYPOGRAPHIC = {ord(char): mark for mark, chars in (('"', _DOUBLES), ("'", _SINGLES)) for char in chars}
"""Typographic quotes and what they stand for; one character for one, so that places in a text stay."""

_BLANK = " \t\n\r\v\f\xa0\ufeff\u200b\u2060\u2028\u2029\u3000"  # zero-width characters are nobody's words
_ONLY_LIST = re.compile(r"[\s,;\[\]()]*")
_ONLY_CLOSERS = re.compile(r"[\s)\]}\"']+")
_TOKEN = re.compile(r'"""|\'\'\'|["\'()\[\]{}#]')
_STRING_ENDS = {
    '"': re.compile(r'(?:[^"\\\n]|\\.)*+"', re.DOTALL),
    "'": re.compile(r"(?:[^'\\\n]|\\.)*+'", re.DOTALL),
    '"""': re.compile(r'(?:[^"\\]|\\.|"(?!""))*+"""', re.DOTALL),
    "'''": re.compile(r"(?:[^'\\]|\\.|'(?!''))*+'''", re.DOTALL),
}
_CLOSES = {"(": ")", "[": "]", "{": "}"}


def scan(text: str, start: int, stop: int) -> tuple[int, str | None]:
    """Where the bracket at `start` is closed: (place after the closing one, "").

    Otherwise (place where it failed, what would close it): closers if brackets are left open at `stop`, None if a
    string is left open or brackets do not match.
    """
    waiting: list[str] = []
    place = start
    while (token := _TOKEN.search(text, place, stop)) is not None:
        mark, place = token[0], token.end()
        if mark in _CLOSES:
            waiting.append(_CLOSES[mark])
            if len(waiting) > MAX_DEPTH:
                return place, None
        elif mark in ")]}":
            if waiting.pop() != mark:
                return place, None
            if not waiting:
                return place, ""
        elif mark == "#":
            newline = text.find("\n", place, stop)
            place = stop if newline < 0 else newline
        else:
            ending = _STRING_ENDS[mark].match(text, place, stop)
            if ending is None:
                return stop, None
            place = ending.end()
    return stop, "".join(reversed(waiting))


def unclosed_stop(text: str, start: int) -> int:
    """Where a call that is never closed may be taken to end: its line, or the last of lines that go on."""
    place = start
    for _ in range(30):
        newline = text.find("\n", place)
        if newline < 0:
            return len(text)
        if not text[place:newline].rstrip().endswith((",", "(", "[", "{")) or FENCE.match(text, newline + 1):
            return newline
        place = newline + 1
    return place


class Leftover:
    """Collects the places taken in a text, in order, and says what remains."""

    __slots__ = ("_bare", "_hidden", "_taken", "end", "text")

    def __init__(self, text: str, hidden: Sequence[tuple[int, int]] = ()) -> None:
        """`hidden` are places whose text counts for nothing, thoughts."""
        self.text = text
        self.end = 0
        self._hidden = hidden
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
        taken = sorted([*self._taken, *self._hidden]) if self._hidden else list(self._taken)
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
        return [
            mark for mark in marks if not any(start <= mark[0] < stop for start, stop in (*self._taken, *self._hidden))
        ]

    def _gaps(self, taken: list[tuple[int, int]]) -> list[str]:
        gaps, place = [], 0
        for start, stop in taken:
            gaps.append(self.text[place:start].strip(_BLANK))
            place = max(place, stop)
        gaps.append(self.text[place:].strip(_BLANK))
        return [gap for gap in gaps if gap]
