"""Several values in the words of an argument that takes one: a call for each.

"Convert 750 CHF into SEK, NOK and DKK" is three calls; weights and heights that are said in the same number go in
pairs. Pure: knows a tool's schema and the words of one line.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve.background import Background
from toolmend.language.resolve.parameters import typed
from toolmend.language.resolve.said import Said

_BETWEEN = re.compile(r"\s*,(?!\d{3}(?!\d))\s*(?:and\b|or\b|&)?\s*|\s+(?:and|or|&)\s+(?!a (?:half|quarter|third)\b)")
_BOTH = re.compile(r"(?i)^(?:both|either|each of|all of)\s+")
_EITHER = re.compile(r"(?i)\bor\b")  # of two: one of them
_IN_PAIRS = re.compile(r"(?i)\brespective|\bin (?:that|this) order\b")
_EVERY = re.compile(
    r"(?i)\b(?:every|each|all|both|any) (?:combination|of (?:the|these|those|them)|two|for|in|times?)\b|\bboth\b"
)
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_NUMBER = re.compile(r"\W*[-+−]?\d[\d.,/]*(?=\D*$)")
_PROSE = frozenset("text message body note notes comment description reason details content title subject".split())
_WORDS = 3  # of an item that names something
_NAMES = 3  # so many, that "Salt and Plums" stays a title


def taken_apart(lines: Sequence[Said], specs: Mapping[str, ToolSpec], background: Background) -> tuple[Said, ...]:
    """The lines, with one for each of the values that an argument lists, but for those that name things there are."""
    tool = specs.get(lines[0].tool) if len({line.tool for line in lines}) == 1 else None
    if tool is not None:
        lines = _crossed(tool, lines, background.text)
    return tuple(one for line in lines for one in _each_one(specs.get(line.tool), line, background.named))


def _each_one(spec: ToolSpec | None, line: Said, things: Mapping[str, Container[str]]) -> Sequence[Said]:
    """Lists of the same length go in pairs, others in every combination."""
    if spec is None:
        return (line,)
    names = [name for name in line.words if name not in things.get(spec.full_name, ())]
    listed = {name: items for name in names if len(items := _items(spec, name, line.words)) > 1}
    paired = len({len(items) for items in listed.values()}) == 1
    return _with(line, listed, zip(*listed.values(), strict=True) if paired else product(*listed.values()))


def _crossed(spec: ToolSpec, lines: Sequence[Said], sentence: str) -> Sequence[Said]:
    """The lines of one tool in every combination, where each gives the next of two lists that the sentence has:
    "rainfall in Manila and Jakarta in 2018 and 2021"; as they are where the lists go in pairs."""
    names = dict.fromkeys(name for line in lines for name in line.words)
    values = {name: [str(line.words.get(name)) for line in lines] for name in names}
    lists = {name: told for name, told in values.items() if len(set(told)) > 1}
    if len(lists) != 2 or len(lines) != 2 or _IN_PAIRS.search(sentence):
        return lines
    every = _EVERY.search(sentence) or any(_classes(spec, name, told) for name, told in lists.items())
    spans = sorted(filter(None, (_listed(told, sentence) for told in lists.values())))
    listed = every and len(spans) == 2 and spans[0][1] < spans[1][0]  # one list, then the other
    return _with(lines[0], lists, product(*lists.values())) if listed else lines


def _with(line: Said, names: Iterable[str], rows: Iterable[tuple[str, ...]]) -> Sequence[Said]:
    """The line once with each row of words for these arguments."""
    return tuple(replace(line, words={**line.words, **dict(zip(names, row, strict=True))}) for row in rows)


def _listed(values: Sequence[str], sentence: str) -> tuple[int, int] | None:
    """Where the sentence says one right behind the other: "in 2018 and 2021"."""
    one, other = (re.escape(value).replace("_", "[_ ]") for value in values)
    found = re.search(rf"(?i)\b{one}\b\W*(?:\w+ )?(?:and|or|&)(?: \w+){{0,2}} \b{other}\b", sentence)
    return found.span() if found else None


def _classes(spec: ToolSpec, name: str, values: Sequence[str]) -> bool:
    """Whether values stand for what many things have, as years, days and members do; measures are of one thing."""
    schema = typed(name, spec.properties.get(name, {}))
    return bool({"enum", "format"} & schema.keys()) or all(map(_YEAR.fullmatch, values))


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
    ends = [match.end() for item in items if (match := _NUMBER.match(item))]
    if len(ends) < len(items):
        return []
    unit = items[-1][ends[-1] :]
    return [item if item[end:].strip() else f"{item}{unit}" for item, end in zip(items, ends, strict=True)]
