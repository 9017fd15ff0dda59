"""A tool's parameters as short typed lines: what a model needs to write values, in a tenth of the schema's length.

- hp (number, 1 to 20): health points
- direction (north | south | east | west; may be left out): which side
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolmend.messages import ToolSpec

_TYPES = {
    "integer": "whole number",
    "number": "number",
    "string": "text",
    "boolean": "true or false",
    "null": "nothing",
}
_FORMATS = {"date": "YYYY-MM-DD", "time": "HH:MM", "date-time": "YYYY-MM-DDTHH:MM"}
DEPTH = 4


def parameters(spec: ToolSpec) -> str:
    """One line per parameter, in the order of the signature."""
    definitions = spec.parameters.get("$defs") or {}
    return "\n".join(
        _line(name, schema, name in spec.required, definitions) for name, schema in spec.properties.items()
    )


def _line(name: str, schema: Mapping[str, Any], required: bool, definitions: Mapping[str, Any]) -> str:
    merged = _resolved(schema, definitions)
    kind = kind_of(schema, definitions)
    if not required:
        default = schema.get("default")
        kind += "; may be left out" if default in (None, "") else f"; {default} if left out"
    said = " ".join(str(schema.get("description") or merged.get("description") or "").split())
    return f"- {name} ({kind}){f': {said}' if said else ''}"


def kind_of(schema: Any, definitions: Mapping[str, Any], depth: int = DEPTH) -> str:
    """What a value may be, in words."""
    schema = _resolved(schema, definitions)
    if depth == 0 or not schema:
        return "any"
    if "const" in schema:
        return str(schema["const"])
    if schema.get("enum"):
        return " | ".join(str(each) for each in schema["enum"])
    branches = [each for each in (*schema.get("anyOf", ()), *schema.get("oneOf", ())) if each.get("type") != "null"]
    if branches:
        return " or ".join(dict.fromkeys(kind_of(each, definitions, depth - 1) for each in branches))
    if schema.get("format") in _FORMATS:
        return _FORMATS[schema["format"]]
    kind = schema.get("type")
    if kind == "array":
        return f"list of {kind_of(schema.get('items') or {}, definitions, depth - 1)}"
    if kind == "object" and schema.get("properties"):
        inner = (f"{key}: {kind_of(each, definitions, depth - 1)}" for key, each in schema["properties"].items())
        return f"{{{', '.join(inner)}}}"
    return _TYPES.get(str(kind), str(kind or "any")) + _range(schema)


def _range(schema: Mapping[str, Any]) -> str:
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    if low is not None and high is not None:
        return f", {low:g} to {high:g}"
    if low is not None:
        return f", at least {low:g}" if "minimum" in schema else f", above {low:g}"
    if high is not None:
        return f", at most {high:g}" if "maximum" in schema else f", below {high:g}"
    if "minLength" in schema and "maxLength" in schema and schema["minLength"] == schema["maxLength"]:
        return f", {schema['minLength']} letters"
    return ""


def _resolved(schema: Any, definitions: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with its reference to a definition followed."""
    if not isinstance(schema, Mapping):
        return {}
    meant = definitions.get(str(schema.get("$ref", "")).rpartition("/")[2], {})
    return {**meant, **schema}
