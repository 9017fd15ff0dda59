"""Calls of one reply that say the same once more: dropped where another says as much, joined where lists differ; and
numbers that one call has from another.

A small model that is asked for several things in one list writes a line for each.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.resolve.allotted import first_number, in_digits, is_numeric, numbers_in
from toolmend.language.resolve.durations import SPAN
from toolmend.language.resolve.said import Said
from toolmend.language.resolve.words import Words

_EACH = re.compile(
    rf"(?<!\S){SPAN} (?:long )?(?:each|apiece|both|all of them)(?!\S)|(?<!\S)(?:each|all|both) {SPAN}(?!\S)"
)


def own_numbers(lines: Sequence[Said], named: Mapping[str, ToolSpec], sentence: str) -> tuple[Said, ...]:
    """The lines, each without the numbers that it need not have, that the sentence says once, and that a line before it
    must have: "heat the bed to eighty and print the hinge" is no eighty copies."""
    said = [number.value for number in numbers_in(sentence)]
    taken: set[str] = set()
    kept = []
    for line in lines:
        spec = named.get(line.tool)
        told = {name: first_number(in_digits(str(text))) for name, text in line.words.items()}
        numeric = {name for name in told if spec and is_numeric(spec.properties.get(name, {}))}
        needed = {name for name in numeric if spec and name in spec.required}
        gone = {name for name in numeric - needed if told[name] in taken and said.count(told[name]) == 1}
        kept.append(replace(line, words={name: text for name, text in line.words.items() if name not in gone}))
        taken |= {told[name] for name in needed}
    return tuple(kept)


def each_as_long(calls: Sequence[Call], specs: Mapping[str, ToolSpec], sentence: str) -> Sequence[Call]:
    """The new calls, all as long as one of them where the sentence says it of each: "8:15 and 9. 40 mins each"."""
    lasting = [call.arguments["duration"] for call in calls if "duration" in call.arguments and not call.amends]
    if len(calls) < 2 or len(set(lasting)) != 1 or not _EACH.search(Words(sentence).text):
        return calls
    lacks = [not call.amends and "duration" not in call.arguments and call.tool in specs
             and "duration" in specs[call.tool].properties for call in calls]  # fmt: skip
    return [replace(call, arguments={**call.arguments, "duration": lasting[0]}) if lacking else call
            for call, lacking in zip(calls, lacks, strict=True)]  # fmt: skip


def joined(calls: Sequence[Call]) -> list[Call]:
    """The calls without those that another one has all of; those of one tool that differ in one list are one."""
    kept: list[Call] = []
    for call in calls:
        for place, other in enumerate(kept):
            if (whole := _whole(other, call)) is not None:
                kept[place] = whole
                break
        else:
            kept.append(call)
    return kept


def _whole(one: Call, other: Call) -> Call | None:
    """The one call that both are; None where they are two."""
    if one.tool != other.tool or one.amends or other.amends:
        return None
    if _has(one, other):
        return one
    if _has(other, one):
        return other
    differing = {name for name in one.arguments.keys() | other.arguments.keys() if _of(one, name) != _of(other, name)}
    lists = [name for name in differing if isinstance(_of(one, name), list) and isinstance(_of(other, name), list)]
    if len(differing) != 1 or not lists:
        return None
    both = [*_of(one, lists[0]), *(value for value in _of(other, lists[0]) if value not in _of(one, lists[0]))]
    return Call(one.tool, {**one.arguments, lists[0]: both}, said=one.said, rules=one.rules)


def _has(one: Call, other: Call) -> bool:
    """Whether one call has all that the other has."""
    return all(name in one.arguments and one.arguments[name] == value for name, value in other.arguments.items())


def _of(call: Call, name: str) -> Any:
    return call.arguments.get(name)
