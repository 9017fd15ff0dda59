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
_NAMED = r"[ \t]*(?:([A-Za-z_]\w*)[ \t]*=[ \t]*)?"
_VALUE = (
    rf"(?:\"([^\"{_NEVER}]*)\"|'([^'{_NEVER}]*)'"
    r"|(-?(?:0|[1-9][0-9]{0,14}))(\.[0-9]{1,20})?(?![\w.])|(True|False|None)\b)[ \t]*"
)
_ARGUMENT = re.compile(rf"{_NAMED}(?:{_VALUE}([,)])|(\[)[ \t]*)", re.ASCII)
_ITEM = re.compile(rf"[ \t]*{_VALUE}([,\]])", re.ASCII)
_AFTER_LIST = re.compile(r"[ \t]*([,)])")
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
        name, double, single, whole, fraction, word, mark, opens = argument.groups()
        place = argument.end()
        if opens:
            items, place = _items(source, place)
            after = _AFTER_LIST.match(source, place) if place else None
            if after is None:
                return None
            value, mark, place = items, after[1], after.end()
        else:
            value = _value(double, single, whole, fraction, word)
        if name is None and not named:
            positional.append(value)
        elif name is None or name in named or iskeyword(name):
            return None
        else:
            named[name] = value
        if mark == ")":
            return place
    return None


def _value(double: str | None, single: str | None, whole: str | None, fraction: str | None, word: str | None) -> Any:
    if whole is not None:
        return float(whole + fraction) if fraction else int(whole)
    if word is not None:
        return _WORDS[word]
    return double if double is not None else single


def _items(source: str, place: int) -> tuple[list[Any], int]:
    """The plain values of a list up to its end; the place 0 where it is not so plain."""
    items = list[Any]()
    if source.startswith("]", place):
        return items, place + 1
    while (item := _ITEM.match(source, place)) is not None:
        items.append(_value(*item.groups()[:5]))
        place = item.end()
        if item[6] == "]":
            return items, place
    return items, 0
