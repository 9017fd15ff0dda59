"""The arguments of a call that was made, each with the kind of its values and the words that name it.

Where a tool gives no schema for an argument, the shape of its value tells the kind. Knows no sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.corrections import names
from toolmend.language.resolve import vocabulary

_SHAPES = (
    ("date", re.compile(r"\d{4}-\d\d-\d\d")),
    ("time", re.compile(r"\d\d:\d\d(:\d\d)?")),
    ("date-time", re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?\S*")),
)
_LENGTHS = {"seconds", "minutes", "hours", "days", "weeks"}
_MONEY = {"EUR", "USD", "GBP"}
_KIND_OF_UNIT = {
    **dict.fromkeys(_LENGTHS, "length"),
    **dict.fromkeys(_MONEY, "money"),
    "percent": "percent",
    **dict.fromkeys(("celsius", "fahrenheit", "kelvin"), "degrees"),
}
SYNONYMS = vocabulary.table("synonyms")
_MEMBERS = vocabulary.table("members")
"""What else members are called that many tools have."""
KNOWN_LABELS = vocabulary.words("labels")


@dataclass(frozen=True, slots=True)
class Slot:
    """An argument: its name, its schema as resolve() takes it, the kind of its values, its value (None where it was
    left out), the words that name it."""

    name: str
    schema: Mapping[str, Any]
    kind: str
    old: Any
    labels: frozenset[str]
    label: str
    required: bool = False

    @property
    def numeric(self) -> bool:
        """Whether its values are numbers, with a unit or without."""
        return self.kind in ("length", "money", "percent", "degrees", "number", "unit")


def slots_of(call: Call, specs: Sequence[ToolSpec]) -> tuple[Slot, ...]:
    """The arguments that the call has or could have, in the order of the tool."""
    spec = next((spec for spec in specs if call.tool in (spec.full_name, spec.name)), None)
    known = list(spec.properties) if spec else []
    required = spec.required if spec else tuple(call.arguments)
    order = [*known, *(name for name in call.arguments if name not in known)]
    return tuple(_slot(spec, name, call.arguments.get(name), name in required) for name in order if name[:1] != "*")


def _slot(spec: ToolSpec | None, name: str, value: Any, required: bool) -> Slot:
    given = dict(names.schema_of(spec, name))
    kind, schema = _kind(name, given, value)
    if value is None and "default" in given:
        value = given["default"]
    split = names.split_name(name)
    labels = {*split, names.label(name)}
    for word in split:
        labels |= SYNONYMS.get(word, set())
    labels |= {f"{word}s" if not word.endswith("s") else word[:-1] for word in labels if len(word) > 3}
    return Slot(name, schema, kind, value, frozenset(labels), names.label(name), required)


def _kind(name: str, schema: dict[str, Any], value: Any) -> tuple[str, dict[str, Any]]:
    """The kind, and the schema that resolve() is given."""
    types = schema.get("type")
    kind = next((word for word in types if word != "null"), None) if isinstance(types, list) else types
    if "enum" in schema:
        members = [member for member in schema["enum"] if member is not None]
        also = {member: list(words) for member in members if (words := _MEMBERS.get(str(member).lower()))}
        return "enum", {"x-synonyms": also, **schema, "enum": members}
    if kind is None:
        kind = _type_of(value)
        schema = {**schema, "type": kind}
    if kind == "string":
        return _text_kind(schema, value)
    if kind in ("integer", "number"):
        unit = schema.get("x-unit") or (f"{names.unit(name, schema)}s".strip("s") and f"{names.unit(name, schema)}s")
        if unit in ("minutes", "seconds", "hours"):
            schema = {**schema, "x-unit": unit}
        return _KIND_OF_UNIT.get(unit, "unit" if unit else "number"), schema
    return {"boolean": "truth", "array": "list", "object": "object"}.get(str(kind), "text"), schema


def _text_kind(schema: dict[str, Any], value: Any) -> tuple[str, dict[str, Any]]:
    form = schema.get("format")
    if form in ("date", "time", "date-time"):
        return str(form), schema
    if isinstance(value, str) and not form:
        for shape, pattern in _SHAPES:
            if pattern.fullmatch(value):
                return shape, {**schema, "format": shape}
    return "text", schema


def _type_of(value: Any) -> str:
    kinds = {bool: "boolean", int: "integer", float: "number", list: "array", tuple: "array", dict: "object"}
    return kinds.get(type(value), "string")
