"""Calls whose arguments are plain texts, numbers, True, False or None, read by one pattern: no syntax tree is made.

Whatever is not of this form is None here and left to the parser, which reads the same where both can.
"""

from __future__ import annotations

import re
from keyword import iskeyword
from typing import Any

MAX_SOURCE = 8_000
_HEAD = re.compile(r"\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\(", re.ASCII)
_NEVER = r"\\\n\r\0\ud800-\udfff"
_ARGUMENT = re.compile(
    r"[ \t]*(?:([A-Za-z_]\w*)[ \t]*=[ \t]*)?"
    rf"(?:\"([^\"{_NEVER}]*)\"|'([^'{_NEVER}]*)'"
    r"|(-?(?:0|[1-9][0-9]{0,14}))(\.[0-9]{1,20})?(?![\w.])|(True|False|None)\b)[ \t]*([,)])",
    re.ASCII,
)
_BETWEEN = re.compile(r"[ \t]*,[ \t]*")
_WORDS = {"True": True, "False": False, "None": None}

Plain = tuple[str, list[Any], dict[str, Any]]
"""Name, positional and named values of a call."""


def plain_calls(source: str) -> list[Plain] | None:
    """The calls of a text that is one call or a list of them; None if it is not, or is not so plain."""
    if len(source) > MAX_SOURCE:
        return None
    listed = source.startswith("[")
    calls, place = list[Plain](), int(listed)
    while (end := _call(source, place, calls)) is not None:
        if not listed:
            return calls if end == len(source) else None
        if source.startswith("]", end):
            return calls if end + 1 == len(source) else None
        comma = _BETWEEN.match(source, end)
        if comma is None:
            return None
        place = comma.end()
    return None


def _call(source: str, place: int, calls: list[Plain]) -> int | None:
    """Where the call at this place ends, which is added to the calls; None if there is none so plain."""
    head = _HEAD.match(source, place)
    if head is None or any(map(iskeyword, head[1].split("."))):
        return None
    positional, named, place = list[Any](), dict[str, Any](), head.end()
    calls.append((head[1], positional, named))
    if source.startswith(")", place):
        return place + 1
    while (argument := _ARGUMENT.match(source, place)) is not None:
        name, double, single, whole, fraction, word, mark = argument.groups()
        value: Any = double if double is not None else single
        if whole is not None:
            value = float(whole + fraction) if fraction else int(whole)
        elif word is not None:
            value = _WORDS[word]
        if name is None and not named:
            positional.append(value)
        elif name is None or name in named or iskeyword(name):
            return None
        else:
            named[name] = value
        place = argument.end()
        if mark == ")":
            return place
    return None
