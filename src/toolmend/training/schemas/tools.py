"""The tools of data/tools.txt: each with the other names it may go by and sentences with the calls due.

Those marked `held` are the exam's alone, with all their sentences. Knows no dialogue.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from toolmend.messages import ToolSpec
from toolmend.reading import read_python
from toolmend.training.teach.examples import Example
from toolmend.training.teach.templates import Template, template_of

_TYPES: dict[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "date": {"type": "string", "format": "date"},
    "time": {"type": "string", "format": "time"},
    "list": {"type": "array", "items": {"type": "string"}},
}
_TOOL = re.compile(r"(?P<held>held )?tool (?P<names>[\w|]+): (?P<abouts>.*)")
_ARGUMENT = re.compile(r"  (?P<names>[\w|]+): (?P<kind>\S+)(?: = (?P<default>[^#]*?))? # (?P<about>.*)")


@dataclass(frozen=True)
class Kit:
    """A tool as it can come: `spec` under its first names, all names and descriptions it may have, its sentences."""

    spec: ToolSpec
    names: tuple[str, ...]
    abouts: tuple[str, ...]
    arguments: dict[str, tuple[str, ...]]
    templates: tuple[Template, ...]
    held_out: bool


@cache
def kits(held_out: bool) -> tuple[Kit, ...]:
    """The tools of training, or those of the exam."""
    return tuple(kit for kit in _all() if kit.held_out is held_out)


@cache
def _all() -> tuple[Kit, ...]:
    text = files("toolmend.training.schemas").joinpath("data", "tools.txt").read_text(encoding="utf-8")
    blocks: list[list[tuple[int, str]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(("tool ", "held tool ")):
            blocks.append([])
        if blocks and line.strip():
            blocks[-1].append((number, line))
    return tuple(map(_kit, blocks))


def _kit(block: list[tuple[int, str]]) -> Kit:
    head = _TOOL.fullmatch(block[0][1])
    assert head, block[0]
    names, abouts = tuple(head["names"].split("|")), tuple(head["abouts"].split(" | "))
    found = [match for _, line in block[1:] if "=>" not in line and (match := _ARGUMENT.fullmatch(line))]
    arguments = {match["names"].split("|")[0]: tuple(match["names"].split("|")) for match in found}
    required = [each for each, match in zip(arguments, found, strict=True) if match["default"] is None]
    properties = {each: _schema(match) for each, match in zip(arguments, found, strict=True)}
    spec = ToolSpec(names[0], abouts[0], {"type": "object", "properties": properties, "required": required})
    templates = tuple(template_of(each, {spec.full_name: spec}) for each in _examples(block, spec))
    return Kit(spec, names, abouts, arguments, templates, bool(head["held"]))


def _schema(match: re.Match[str]) -> dict[str, Any]:
    kind, default = match["kind"], match["default"]
    schema = _TYPES.get(kind) or {"type": "string", "enum": kind.split("/")}
    if default == "none":
        return {"anyOf": [schema, {"type": "null"}], "default": None, "description": match["about"]}
    given = {} if default is None else {"default": ast.literal_eval(default)}
    return {**schema, **given, "description": match["about"]}


def _examples(block: list[tuple[int, str]], spec: ToolSpec) -> Iterator[Example]:
    for number, line in block[1:]:
        if "=>" in line:
            said, due = (part.strip() for part in line.split("=>"))
            reading = read_python(due, (spec,), lenient=False)
            assert len(reading.calls) == 1, f"tools.txt, line {number}: {reading.detail}"
            yield Example(said, reading.calls, line=number)
