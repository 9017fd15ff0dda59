"""A tool's parameters as short typed lines: what a model needs to write values, in a tenth of the schema's length.

- hp (number, 1 to 20): health points
- direction (north | south | east | west; may be left out): which side
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolmend.messages import ToolSpec
from toolmend.schemas import branches, followed, levels, plain

_TYPES = {"integer": "whole number", "number": "number", "string": "text", "boolean": "true or false"}
_FORMATS = {"date": "YYYY-MM-DD", "time": "HH:MM", "date-time": "YYYY-MM-DDTHH:MM"}
DEPTH = 4
"""Values nested deeper than this are "any"."""


def parameters(spec: ToolSpec) -> str:
    """One line per parameter, in the order of the signature."""
    root, depth = spec.parameters, levels(spec.parameters, DEPTH)
    return "\n".join(
        _line(name, schema, name in spec.required, root, depth) for name, schema in spec.properties.items()
    )


def _line(name: str, schema: Any, required: bool, root: Mapping[str, Any], depth: int) -> str:
    kind, default = kind_of(schema, root, depth), followed(schema, root).get("default")
    notes = [kind] if kind != _TYPES["string"] else []  # text goes without saying
    if not required:
        notes.append("may be left out" if default in (None, "", [], {}) else f"{default} if left out")
    said = " ".join(str(plain(schema, root).get("description", "")).split())
    about = f" ({'; '.join(notes)})" if notes else ""
    return f"- {name}{about}{f': {said}' if said else ''}"


def kind_of(schema: Any, root: Mapping[str, Any], depth: int = DEPTH) -> str:
    """What a value may be, in words."""
    choices = branches(schema, root) if depth else []
    if len(choices) != 1:
        return " or ".join(dict.fromkeys(kind_of(each, root, depth - 1) for each in choices)) or "any"
    (one,) = choices
    if "const" in one or one.get("enum"):
        return " | ".join(str(each) for each in one.get("enum") or [one["const"]])
    if one.get("format") in _FORMATS:
        return _FORMATS[one["format"]]
    kind = one.get("type")
    if kind == "array":
        return f"list of {kind_of(one.get('items'), root, depth - 1)}"
    if kind == "object" and one.get("properties"):
        inner = (f"{key}: {kind_of(each, root, depth - 1)}" for key, each in one["properties"].items())
        return f"{{{', '.join(inner)}}}"
    return _TYPES.get(str(kind), str(kind or "any")) + _range(one)


def _range(schema: Mapping[str, Any]) -> str:
    low, above = schema.get("minimum"), schema.get("exclusiveMinimum")
    high, below = schema.get("maximum"), schema.get("exclusiveMaximum")
    if low is not None and high is not None:
        return f", {low:g} to {high:g}"
    ends = (("at least", low), ("above", above), ("at most", high), ("below", below))
    said = [f"{word} {end:g}" for word, end in ends if end is not None]
    letters = schema.get("minLength"), schema.get("maxLength")
    if letters[0] is not None and letters[0] == letters[1]:
        said.append(f"{letters[0]} letters")
    return f", {', '.join(said)}" if said else ""
