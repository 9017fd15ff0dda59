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
import keyword
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from toolmend.errors import BadFile
from toolmend.messages import ToolSpec
from toolmend.resolve import Resolved, resolve

_TOOL = re.compile(r"tool:\s*([A-Za-z]\w*)\s+—\s+(\S.*)")
_PARAMETER = re.compile(r"\s+([A-Za-z]\w*):\s*(\S.*?)\s+—\s+(\S.*)")
_MISSING = re.compile(r"missing\s+(\w+):\s*>\s*(\S.*)")
_RANGE = re.compile(r"(int|number)\{(-?[\d.]+)\.\.(-?[\d.]+)\}")
SLOT = re.compile(r"\{(\w+)(?:=([^{}]*))?\}")
_CHOICE = re.compile(r"\(([^()\[\]]*\|[^()\[\]]*)\)")
_MAYBE = re.compile(r"\[([^\[\]()]*)\]")
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


@dataclass(frozen=True, slots=True)
class _Place:
    name: str
    line: int

    def wrong(self, what: str) -> BadFile:
        return BadFile(self.name, what, self.line)


@dataclass(slots=True)
class _Draft:
    where: _Place
    topic: str
    name: str
    about: str
    parameters: dict[str, MadeParameter] = field(default_factory=dict)
    wordings: list[str] = field(default_factory=list)
    lacking: list[tuple[str, str]] = field(default_factory=list)

    def tool(self) -> MadeTool:
        if not self.wordings:
            raise self.where.wrong(f"{self.name} has no wording; write one as `> …`")
        return MadeTool(
            self.topic, self.name, self.about, dict(self.parameters), tuple(self.wordings), tuple(self.lacking)
        )


def read_toolkit(text: str, name: str) -> tuple[MadeTool, ...]:
    """The tools of one file. Raises BadFile with `name` and the number of the line where it is not in the format."""
    tools: list[MadeTool] = []
    draft: _Draft | None = None
    topic = ""
    for number, line in enumerate(text.splitlines(), 1):
        where = _Place(name, number)
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("field:"):
            topic = line.removeprefix("field:").strip()
        elif line.startswith("tool:"):
            tools += [draft.tool()] if draft else []
            draft = _begun(line, topic, where)
            if any(tool.name == draft.name for tool in tools):
                raise where.wrong(f"{draft.name} is there twice; give one another name")
        elif draft is None:
            raise where.wrong(f"{line.strip()[:40]!r} stands before the first `tool:` line")
        else:
            _take(line, draft, where)
    return tuple([*tools, draft.tool()] if draft else tools)


def _begun(line: str, topic: str, where: _Place) -> _Draft:
    match = _TOOL.fullmatch(line.strip())
    if not match or not topic:
        raise where.wrong("should be `tool: name — description`, below a `field:` line")
    return _Draft(where, topic, match[1], match[2])


def _take(line: str, draft: _Draft, where: _Place) -> None:
    """A parameter, a wording, or a wording that lacks a parameter."""
    if line.startswith(">"):
        draft.wordings.append(_checked(line[1:].strip(), draft, where))
    elif line.startswith("missing"):
        match = _MISSING.fullmatch(line.strip())
        if not match or match[1] not in draft.parameters:
            raise where.wrong(f"should be `missing PARAMETER: > …` with a parameter of {draft.name}")
        draft.lacking.append((match[1], _checked(match[2], draft, where, lacks=match[1])))
    elif match := _PARAMETER.fullmatch(line.rstrip()):
        if keyword.iskeyword(match[1]) or match[1] in ("of", *draft.parameters):
            raise where.wrong(f"{match[1]} cannot be the name of a parameter here; choose another")
        draft.parameters[match[1]] = _parameter(match[1], match[2], match[3], where)
    else:
        raise where.wrong("should be `  name: TYPE — description`, `> …` or `missing PARAMETER: > …`")


def _parameter(name: str, told: str, about: str, where: _Place) -> MadeParameter:
    form, default, required = told, "", True
    if told.endswith("?"):
        form, required = told[:-1].rstrip(), False
    elif match := re.fullmatch(r"([^{}]*\S|.*[}\]])\s+=\s+(\S.*)", told):
        form, default, required = match[1], match[2], False
    kind = _kind(form, where)
    return MadeParameter(name, kind, about, required, _default(kind, default, where) if default else None)


def _kind(form: str, where: _Place) -> ValueKind:
    if form.startswith("[") and form.endswith("]"):
        item = _kind(form[1:-1], where)
        if item.item or item.name == "yes|no":
            raise where.wrong(f"a list of {form[1:-1]} cannot be said in a sentence; make it a list of values")
        return ValueKind("list", item=item)
    if form.startswith("text{") and form.endswith("}"):
        examples = tuple(example.strip() for example in form[5:-1].split(";") if example.strip())
        if len(examples) < 4:
            raise where.wrong(f"text has {len(examples)} examples; write at least 6, between semicolons")
        return ValueKind("text", examples)
    if match := _RANGE.fullmatch(form):
        return ValueKind(match[1], low=float(match[2]), high=float(match[3]))
    if form in (*_FORMATS, *SAID_UNITS, "yes|no"):
        return ValueKind(form)
    if "|" in form and "{" not in form:
        return ValueKind("enum", tuple(member.strip() for member in form.split("|")))
    raise where.wrong(f"{form!r} is no type; should be text{{…;…}}, date, minutes, int{{1..9}}, yes|no, a|b, […] …")


def _default(kind: ValueKind, text: str, where: _Place) -> Any:
    """A default, or the value that a wording sets."""
    try:
        return kind.read(text)
    except ValueError:
        raise where.wrong(f"{text!r} is no value of {kind.name}") from None


def _checked(wording: str, draft: _Draft, where: _Place, lacks: str = "") -> str:
    """A wording that says every required parameter but the lacking one, whatever is chosen in it."""
    bare = wording
    for _ in range(8):
        bare = _MAYBE.sub("", _CHOICE.sub(lambda match: match[1].split("|")[0], bare))
    if re.search(r"[\[\]|]", bare) or SLOT.sub("", bare).count("{"):
        raise where.wrong(f"a bracket is left open in {wording[:50]!r}")
    for match in SLOT.finditer(wording):
        if match[1] not in draft.parameters:
            raise where.wrong(f"{draft.name} has no parameter {match[1]}")
        if match[2]:
            _default(draft.parameters[match[1]].kind, match[2], where)
    said = {match[1] for match in SLOT.finditer(bare)}
    due = {name for name, parameter in draft.parameters.items() if parameter.required} - {lacks}
    if due - said or lacks in {match[1] for match in SLOT.finditer(wording)}:
        told = f"does not say {sorted(due - said)[0]}" if due - said else f"says {lacks}, which should be missing"
        raise where.wrong(f"the wording {told}")
    return wording


def is_held_out(topic: str) -> bool:
    """Whether a field is kept for tests: a tenth of them, by their names."""
    return hashlib.sha256(f"exam {topic}".encode()).digest()[0] % 10 == 0


def _texts() -> Iterator[tuple[str, str]]:
    folder = files("toolmend.training.adapter").joinpath("data", "tools")
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".txt"):
            yield entry.name, entry.read_text(encoding="utf-8")


@cache
def toolkits(*, held_out: bool = False) -> Mapping[str, tuple[MadeTool, ...]]:
    """The tools by field: those to train on, or those of the fields that are held out."""
    kits: dict[str, tuple[MadeTool, ...]] = {}
    for name, text in _texts():
        for tool in read_toolkit(text, name):
            if is_held_out(tool.field) == held_out:
                kits[tool.field] = (*kits.get(tool.field, ()), tool)
    return kits
