"""Finding where a call begins and ends in a text, without understanding it. Knows brackets, strings and comments."""

from __future__ import annotations

import re

from toolmend.reading.reading import MAX_DEPTH

CALL = re.compile(r"(?<![\w.])([^\W\d]\w*+(?:\.[^\W\d]\w*+)*+)([ \t]{0,3})\(")
"""A dotted name before an opening parenthesis: group 1 the name, group 2 the blanks between them."""
FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[ \t]*[\w+.-]*[ \t\r]*$", re.MULTILINE)
"""A line that opens or closes a code fence."""
_DOUBLES, _SINGLES = "“”„‟«»″", "‘’‚‛`´′"
TYPOGRAPHIC = {ord(char): mark for mark, chars in (('"', _DOUBLES), ("'", _SINGLES)) for char in chars}
"""Typographic quotes and what they stand for; one character for one, so that places in a text stay."""

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
