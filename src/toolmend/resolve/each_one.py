"""Several values in the words of an argument that takes one: a call for each.

"Convert 750 CHF into SEK, NOK and DKK" is three calls; weights and heights that are said in the same number go in
pairs. Pure: knows a tool's schema and the words of one line.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

from toolmend.messages import ToolSpec
from toolmend.resolve.parameters import typed
from toolmend.resolve.said import Said

_BETWEEN = re.compile(r"\s*,(?!\d{3}(?!\d))\s*(?:and\b|or\b|&)?\s*|\s+(?:and|or|&)\s+(?!a (?:half|quarter|third)\b)")
_BOTH = re.compile(r"(?i)^(?:both|either|each of|all of)\s+")
_EITHER = re.compile(r"(?i)\bor\b")  # of two: one of them
_NUMBER = re.compile(r"\W*[-+−]?\d[\d.,/]*(?=\D*$)")
_PROSE = frozenset("text message body note notes comment description reason details content title subject".split())
_WORDS = 3  # of an item that names something
_NAMES = 3  # so many, that "Salt and Plums" stays a title


def each_one(spec: ToolSpec | None, line: Said, things: Mapping[str, Container[str]]) -> tuple[Said, ...]:
    """The line once for each of the values that its arguments list, but for those that name things there are (`things`
    of each tool). Lists of the same length go in pairs, others in every combination."""
    if spec is None:
        return (line,)
    names = [name for name in line.words if name not in things.get(spec.full_name, ())]
    listed = {name: items for name in names if len(items := _items(spec, name, line.words)) > 1}
    lengths = {len(items) for items in listed.values()}
    rows = zip(*listed.values(), strict=True) if len(lengths) == 1 else product(*listed.values())
    return tuple(replace(line, words={**line.words, **dict(zip(listed, row, strict=True))}) for row in rows)


def _items(spec: ToolSpec, name: str, words: Mapping[str, Any]) -> list[str]:
    """What an argument lists: members, numbers, three names and more; nothing where it takes a list, or one text."""
    schema, text = typed(name, spec.properties.get(name, {})), words[name]
    if not isinstance(text, str) or schema.get("type") not in ("string", "integer", "number") or "format" in schema:
        return []
    items = [item.strip() for item in _BETWEEN.split(_BOTH.sub("", text.strip(" .!?"))) if item.strip()]
    if len(items) < 2 or (len(items) == 2 and _EITHER.search(text)):
        return []
    if members := [str(member).casefold() for member in schema.get("enum", ())]:
        return items if all(item.casefold().replace(" ", "_") in members or item.casefold() in members
                            for item in items) else []  # fmt: skip
    if schema["type"] != "string":
        return _numbers(items)
    short = all(len(item.split()) <= _WORDS for item in items)
    return items if len(items) >= _NAMES and short and name.rpartition("_")[2] not in _PROSE else []


def _numbers(items: list[str]) -> list[str]:
    """The numbers, with the unit that is said with the last; none where one is no number."""
    found = [_NUMBER.match(item) for item in items]
    if not all(found):
        return []
    unit = items[-1][found[-1].end() :] if found[-1] else ""
    ends = [match.end() if match else 0 for match in found]
    return [item if item[end:].strip() else f"{item}{unit}" for item, end in zip(items, ends, strict=True)]
