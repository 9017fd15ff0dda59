"""JSON Schemas as a server takes them: as they are, without what Gemini refuses, or as strict mode has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from toolmend.schemas import followed, levels

Dialect = Callable[[Mapping[str, Any]], dict[str, Any]]

_GEMINI = "generativelanguage.googleapis.com"
_OPENAI = "api.openai.com"
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


def reply_dialect_of(host: str) -> Dialect:
    """The dialect for the schema of a reply, which may be another than that for tools."""
    return openai if host == _OPENAI else dialect_of(host)


def as_is(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema, unchanged."""
    return dict(schema)


def gemini(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema in Gemini's words: references written out, `const` as an `enum` of one, what it refuses left out."""
    return _reduced(schema, schema, levels(schema, _DEEPEST) + 1)


def openai(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema for strict mode: what may be null is required; lengths of texts, which it does not know, are out."""
    made: dict[str, Any] = _strictly(schema)
    return made


def _strictly(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_strictly(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    made = {
        key: {name: _strictly(each) for name, each in value.items()} if key == "properties" else _strictly(value)
        for key, value in schema.items()
        if key not in ("minLength", "maxLength")
    }
    given = made.get("properties", {})
    if isinstance(given, Mapping) and all(
        name in made.get("required", ()) or {"type": "null"} in each.get("anyOf", ()) for name, each in given.items()
    ):
        made |= {"required": list(given)} if given else {}
    return made


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
