"""Reads the made-up tools of data/tools/*.txt: their parameters, and the sentences in which people ask for them.

    tool: water_zone — Water one zone of the garden.
      zone: front|back|roof terrace — which part
      minutes: minutes = 10 — for how long
      at: time ? — when to begin
    > water the {zone} for {minutes}[ at {at}]
    missing zone: > the plants need water, {minutes} please

Knows the form of the files; it says no value and plays no talk.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from toolmend.base.errors import BadFile
from toolmend.base.messages import ToolSpec
from toolmend.language.resolve import Resolved, resolve

_TOOL = re.compile(r"tool:\s*([A-Za-z]\w*)\s+—\s+(\S.*)")
_PARAMETER = re.compile(r"\s+([A-Za-z]\w*):\s*(\S.*?)\s+—\s+(\S.*)")
_MISSING = re.compile(r"missing\s+(\w+):\s*>\s*(\S.*)")
_RANGE = re.compile(r"(int|number)\{(-?[\d.]+)\.\.(-?[\d.]+)\}")
SLOT = re.compile(r"\{(\w+)(?:=([^{}]*))?\}")
_WHOLE = ("minutes", "seconds", "days", "weeks", "grams")
SAID_UNITS = (*_WHOLE, *"hours EUR USD GBP percent celsius kilograms litres kilometres metres centimetres".split())
_FORMATS = ("date", "time", "date-time")


@dataclass(frozen=True, slots=True)
class ValueKind:
    """What a parameter takes. `name` is text, date, time, date-time, a unit, int, number, yes|no, enum or list;
    `members` are the examples of a text and the members of an enum, `item` what a list is of."""

    name: str
    members: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 0.0
    item: ValueKind | None = None

    def schema(self) -> dict[str, Any]:
        """The JSON Schema."""
        if self.item:
            return {"type": "array", "items": self.item.schema()}
        if self.name in SAID_UNITS:
            return {"type": "integer" if self.name in _WHOLE else "number", "x-unit": self.name}
        if self.name in ("int", "number"):
            whole = self.name == "int"
            low, high = (int(self.low), int(self.high)) if whole else (self.low, self.high)
            return {"type": "integer" if whole else "number", "minimum": low, "maximum": high}
        if self.name == "enum":
            return {"type": "string", "enum": list(self.members)}
        if self.name == "yes|no":
            return {"type": "boolean"}
        return {"type": "string", **({"format": self.name} if self.name in _FORMATS else {})}

    def read(self, text: str) -> Any:
        """A value as it stands in a file. Raises ValueError where it is none of this kind."""
        if self.name == "enum" and text in self.members:
            return text
        if self.name == "yes|no" and text in ("yes", "no"):
            return text == "yes"
        if self.name in ("text", *_FORMATS):
            return text
        if text.isdigit() and self.name in _WHOLE:
            return int(text)
        result = resolve(text, self.schema()) if self.name in (*SAID_UNITS, "int", "number") else None
        if not isinstance(result, Resolved):
            raise ValueError(text)
        return result.value


@dataclass(frozen=True, slots=True)
class MadeParameter:
    """One parameter of a made-up tool. `default` is None where it has none."""

    name: str
    kind: ValueKind
    about: str
    required: bool = True
    default: Any = None

    def schema(self) -> dict[str, Any]:
        """Its JSON Schema with description and default."""
        told = {} if self.default is None else {"default": self.default}
        return {**self.kind.schema(), "description": self.about, **told}


@dataclass(frozen=True, slots=True)
class MadeTool:
    """A made-up tool of a field, with the wordings that ask for it, and those that lack a required parameter."""

    field: str
    name: str
    about: str
    parameters: Mapping[str, MadeParameter]
    wordings: tuple[str, ...] = ()
    lacking: tuple[tuple[str, str], ...] = ()

    def spec(self, name: str, names: Mapping[str, str]) -> ToolSpec:
        """As a model sees it, under other names."""
        properties = {names[old]: parameter.schema() for old, parameter in self.parameters.items()}
        required = [names[old] for old, parameter in self.parameters.items() if parameter.required]
        return ToolSpec(name, self.about, {"type": "object", "properties": properties, "required": required})


def read_toolkit(text: str, name: str) -> tuple[MadeTool, ...]:
    """The tools of one file. Raises BadFile with `name` and the number of the line where it is not in the format."""
    tools: list[tuple[str, str, str, dict[str, MadeParameter], list[str], list[tuple[str, str]]]] = []
    topic = ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("field:"):
            topic = line.removeprefix("field:").strip()
        elif match := _TOOL.fullmatch(line.rstrip()):
            tools.append((topic, match[1], match[2], {}, [], []))
        elif match := _PARAMETER.fullmatch(line.rstrip()):
            try:
                tools[-1][3][match[1]] = _parameter(match[1], match[2], match[3])
            except ValueError as error:
                raise BadFile(name, f"{match[2]!r} is no type with a default ({error})", number) from error
        elif line.startswith(">"):
            tools[-1][4].append(line[1:].strip())
        elif match := _MISSING.fullmatch(line.rstrip()):
            tools[-1][5].append((match[1], match[2]))
        elif line.strip() and not line.startswith("#"):
            raise BadFile(name, "should be `  name: TYPE — description`, `> …` or `missing PARAMETER: > …`", number)
    return tuple(MadeTool(topic, tool, about, parameters, tuple(wordings), tuple(lacking))
                 for topic, tool, about, parameters, wordings, lacking in tools)  # fmt: skip


def _parameter(name: str, told: str, about: str) -> MadeParameter:
    form, default, required = told, "", True
    if told.endswith("?"):
        form, required = told[:-1].rstrip(), False
    elif match := re.fullmatch(r"([^{}]*\S|.*[}\]])\s+=\s+(\S.*)", told):
        form, default, required = match[1], match[2], False
    kind = _kind(form)
    return MadeParameter(name, kind, about, required, kind.read(default) if default else None)


def _kind(form: str) -> ValueKind:
    if form.startswith("[") and form.endswith("]"):
        return ValueKind("list", item=_kind(form[1:-1]))
    if form.startswith("text{") and form.endswith("}"):
        return ValueKind("text", tuple(example.strip() for example in form[5:-1].split(";") if example.strip()))
    if match := _RANGE.fullmatch(form):
        return ValueKind(match[1], low=float(match[2]), high=float(match[3]))
    if form in (*_FORMATS, *SAID_UNITS, "yes|no"):
        return ValueKind(form)
    if "|" in form and "{" not in form:
        return ValueKind("enum", tuple(member.strip() for member in form.split("|")))
    raise ValueError(form)


def is_held_out(topic: str) -> bool:
    """Whether a field is kept for tests: a tenth of them, by their names."""
    return hashlib.sha256(f"exam {topic}".encode()).digest()[0] % 10 == 0


@cache
def toolkits(*, held_out: bool = False) -> Mapping[str, tuple[MadeTool, ...]]:
    """The tools by field: those to train on, or those of the fields that are held out."""
    kits: dict[str, tuple[MadeTool, ...]] = {}
    folder = files(__package__).joinpath("data", "tools")
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        for tool in read_toolkit(entry.read_text(encoding="utf-8"), entry.name) if entry.name.endswith(".txt") else ():
            if is_held_out(tool.field) == held_out:
                kits[tool.field] = (*kits.get(tool.field, ()), tool)
    return kits
