"""The spoken notation (docs/notation.md): lines of Python whose values are the words that were said.

Reads them, and writes them. What the words mean is computed in resolve/; nothing is evaluated here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.resolve.said import AGAIN, CHANGE, MISSING, UNDO, Said
from toolmend.reading.python import read_python

_GIVEN = re.compile(r'(?P<name>[^\W\d]\w*)="(?P<words>[^"\\]*)"')
_VERBS = tuple(ToolSpec(verb) for verb in (CHANGE, AGAIN, UNDO))


@dataclass(frozen=True, slots=True)
class SpokenReading:
    """What was read of a reply: its lines, the text outside them, and what had to be forgiven or was broken."""

    lines: tuple[Said, ...] = ()
    rest: str = ""
    leniencies: tuple[str, ...] = ()
    broken: str = ""


def read_spoken(text: str, specs: Sequence[ToolSpec]) -> SpokenReading:
    """The lines of a reply. Never raises; a line that cannot be read is `broken`."""
    reading = read_python("\n".join(map(_each_once, text.splitlines())), (*specs, *_VERBS))
    lines = tuple(_said(call) for call in reading.calls)
    broken = reading.detail if reading.problem == "syntax" else ""
    return SpokenReading(lines, reading.rest, reading.leniencies, broken)


def _each_once(line: str) -> str:
    """The line with every argument once: the first words that are given for it stand."""
    given: dict[str, str] = {}
    for match in _GIVEN.finditer(line):
        if match["name"] not in given or given[match["name"]] == MISSING:
            given[match["name"]] = match["words"]
    if len(given) == len(_GIVEN.findall(line)):
        return line
    left = dict(given)

    def once(match: re.Match[str]) -> str:
        name = match["name"]
        return f"{name}={json.dumps(left.pop(name), ensure_ascii=False)}" if left.get(name) == match["words"] else ""

    return re.sub(r",\s*(?=[,)])|(?<=\()\s*,\s*", "", _GIVEN.sub(once, line))


def _said(call: Call) -> Said:
    words = dict(call.arguments)
    if call.tool not in (CHANGE, AGAIN, UNDO):
        return Said(call.tool, words)
    of = words.pop("of", words.pop("*1", ""))
    return Said(call.tool, words, of if isinstance(of, str) else str(of))


def write_spoken(lines: Sequence[Said], specs: Sequence[ToolSpec]) -> str:
    """The lines as a model is to write them: tools by their last name, arguments in the order of the signature."""
    named = {spec.full_name: spec for spec in specs}
    return "\n".join(_line(line, named.get(line.tool)) for line in lines)


def _line(line: Said, spec: ToolSpec | None) -> str:
    order = list(spec.properties) if spec else []
    words = sorted(line.words.items(), key=lambda item: order.index(item[0]) if item[0] in order else -1)
    if line.of:
        words.insert(0, ("of", line.of))
    name = spec.name if spec else line.tool
    return f"{name}({', '.join(f'{argument}={written(value)}' for argument, value in words)})"


def written(value: Any) -> str:
    """A value as it stands in the notation: text as JSON writes it, lists and objects as Python does."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{written(str(key))}: {written(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(written(item) for item in value) + "]"
    return repr(value) if isinstance(value, bool) or value is None else json.dumps(str(value))
