"""A tool for a model to read: as one line of Python, the way the published experiment shows its API to the model, or
its parameters as short typed lines, what a model needs to write values, in a tenth of the schema's length.

action.add_calendar_entry(title, date="YYYY-MM-DD", time="HH:MM", duration=30)  # duration: how long it lasts
- direction (north | south | east | west; may be left out): which side
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.base.schemas import branches, followed, levels, plain, types_of

_FORMATS = {"date": '"YYYY-MM-DD"', "time": '"HH:MM"', "date-time": '"YYYY-MM-DDTHH:MM"'}
_EXPLAINED = {"integer", "number", "array", "object"}
_TYPES = {"integer": "whole number", "number": "number", "string": "text", "boolean": "true or false"}
_WORDED = {"date": "YYYY-MM-DD", "time": "HH:MM", "date-time": "YYYY-MM-DDTHH:MM"}
DEPTH = 4
"""Values nested deeper than this are not shown, or are "any"."""


def signature(spec: ToolSpec) -> str:
    """The line for one tool. Parameters whose name cannot say it all are explained in a comment."""
    required, root = set(spec.required), spec.parameters
    schemas = {name: plain(schema, root) for name, schema in spec.properties.items()}
    depth = levels(root, DEPTH)
    shown = [_parameter(name, schema, name in required, root, depth) for name, schema in schemas.items()]
    notes = [f"{name}: {text}" for name, schema in schemas.items() if (text := _note(schema, root))]
    return f"{spec.full_name}({', '.join(shown)})" + (f"  # {'; '.join(notes)}" if notes else "")


def _parameter(name: str, schema: Mapping[str, Any], required: bool, root: Mapping[str, Any], depth: int) -> str:
    shape = _shape(schema, root, depth)
    if "default" in schema and not required and shape in ("", "[...]"):
        return f"{name}={schema['default']!r}"
    return f"{name}={shape}" if shape else name


def _shape(schema: Any, root: Mapping[str, Any], depth: int) -> str:
    """How a value looks, in Python; "" for one that is just a text, a number or unknown."""
    choices = branches(schema, root) if depth else []
    if len(choices) != 1:
        shapes = list(dict.fromkeys(_shape(choice, root, depth - 1) for choice in choices))
        return "|".join(shapes) if all(shapes) else ""
    (one,) = choices
    if "const" in one or one.get("enum"):
        return "|".join(map(repr, one.get("enum") or [one["const"]]))
    if example := _FORMATS.get(str(one.get("format"))):
        return example
    if one.get("type") == "array":
        return f"[{_shape(one.get('items'), root, depth - 1) or '...'}]"
    if one.get("type") == "object" and one.get("properties"):
        inner = (f'"{key}": {_shape(part, root, depth - 1) or "..."}' for key, part in one["properties"].items())
        return f"{{{', '.join(inner)}}}"
    return ""


def _note(schema: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    """What is said of it, where neither its name nor its kind says enough: numbers, lists, texts of a certain form."""
    if "pattern" not in schema and not types_of(schema, root) & _EXPLAINED:
        return ""
    return " ".join(str(schema.get("description", "")).split())


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
        return " or ".join(dict.fromkeys(kind_of(choice, root, depth - 1) for choice in choices)) or "any"
    (one,) = choices
    if "const" in one or one.get("enum"):
        return " | ".join(str(value) for value in one.get("enum") or [one["const"]])
    if one.get("format") in _WORDED:
        return _WORDED[one["format"]]
    kind = one.get("type")
    if kind == "array":
        return f"list of {kind_of(one.get('items'), root, depth - 1)}"
    if kind == "object" and one.get("properties"):
        inner = (f"{key}: {kind_of(part, root, depth - 1)}" for key, part in one["properties"].items())
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
