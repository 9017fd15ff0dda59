"""A tool's signature as one line of Python, the way the published experiment shows its API to the model.

action.add_calendar_entry(title, date="YYYY-MM-DD", time="HH:MM", duration=30)  # duration: how long it lasts
shop.order(items=[{"sku": ..., "size": 's'|'l'}], note='')
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolmend.messages import ToolSpec
from toolmend.schemas import branches, levels, plain, types_of

_FORMATS = {"date": '"YYYY-MM-DD"', "time": '"HH:MM"', "date-time": '"YYYY-MM-DDTHH:MM"'}
_EXPLAINED = {"integer", "number", "array", "object"}
DEPTH = 4
"""Values nested deeper than this are not shown."""


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
        shapes = list(dict.fromkeys(_shape(each, root, depth - 1) for each in choices))
        return "|".join(shapes) if all(shapes) else ""
    (one,) = choices
    if "const" in one or one.get("enum"):
        return "|".join(map(repr, one.get("enum") or [one["const"]]))
    if example := _FORMATS.get(str(one.get("format"))):
        return example
    if one.get("type") == "array":
        return f"[{_shape(one.get('items'), root, depth - 1) or '...'}]"
    if one.get("type") == "object" and one.get("properties"):
        inner = (f'"{key}": {_shape(each, root, depth - 1) or "..."}' for key, each in one["properties"].items())
        return f"{{{', '.join(inner)}}}"
    return ""


def _note(schema: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    """What is said of it, where neither its name nor its kind says enough: numbers, lists, texts of a certain form."""
    if "pattern" not in schema and not types_of(schema, root) & _EXPLAINED:
        return ""
    return " ".join(str(schema.get("description", "")).split())
