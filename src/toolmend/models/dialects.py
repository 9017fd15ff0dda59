"""JSON Schemas as a server takes them: as they are, or without what Gemini refuses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from toolmend.schemas import followed, levels

Dialect = Callable[[Mapping[str, Any]], dict[str, Any]]

_GEMINI = "generativelanguage.googleapis.com"
_REFUSED = frozenset(
    {"$schema", "$id", "$defs", "definitions", "additionalProperties", "patternProperties", "unevaluatedProperties"}
    | {"exclusiveMinimum", "exclusiveMaximum", "multipleOf", "uniqueItems", "contains", "examples", "title"}
)
_NESTED = frozenset({"properties", "required", "items", "not", "anyOf", "oneOf", "allOf", "prefixItems"})
_FORMATS = frozenset({"enum", "date-time"})
_DEEPEST = 12


def dialect_of(host: str) -> Dialect:
    """The dialect that a host speaks."""
    return gemini if host == _GEMINI else as_is


def as_is(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema, unchanged."""
    return dict(schema)


def gemini(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema in Gemini's words: references written out, `const` as an `enum` of one, what it refuses left out."""
    return _reduced(schema, schema, levels(schema, _DEEPEST) + 1)


def strict(schema: Any) -> bool:
    """Whether every object in it lists all its properties as required and allows no others (OpenAI's strict mode)."""
    if isinstance(schema, list):
        return all(map(strict, schema))
    if not isinstance(schema, Mapping):
        return True
    if schema.get("type") == "object":
        properties, required = schema.get("properties", {}), schema.get("required", ())
        if schema.get("additionalProperties") is not False or set(properties) != set(required):
            return False
    return all(map(strict, schema.values()))


def _reduced(schema: Any, root: Mapping[str, Any], depth: int) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in followed(schema, root).items():
        if key in _REFUSED or (key in _NESTED and depth == 0) or (key == "format" and value not in _FORMATS):
            continue
        if key == "const":
            result["enum"] = [value]
        elif key == "properties":
            result[key] = {name: _reduced(part, root, depth - 1) for name, part in value.items()}
        elif key in ("items", "not") and isinstance(value, Mapping):
            result[key] = _reduced(value, root, depth - 1)
        elif key in ("anyOf", "oneOf", "allOf", "prefixItems"):
            result[key] = [_reduced(part, root, depth - 1) for part in value]
        else:
            result[key] = value
    return result
