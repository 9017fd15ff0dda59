"""Habits of older JSON Schema drafts, of OpenAPI and of hand-written schemas, in the words of draft 2020-12.

Only where there is one meaning: `exclusiveMinimum: true`, a list of `items`, `properties: null`, `nullable: true`,
`type: "int"`. Everything else stays as it is, for `schemas.check` to judge.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_DATA = frozenset({"enum", "const", "default", "examples", "example"})
_NAMED = ("properties", "patternProperties", "definitions", "$defs", "dependentSchemas")
_TYPES = {
    "str": "string", "text": "string", "int": "integer", "long": "integer", "float": "number", "double": "number",
    "bool": "boolean", "list": "array", "tuple": "array", "dict": "object", "map": "object", "none": "null",
}  # fmt: skip
_KNOWN = ("string", "integer", "number", "boolean", "array", "object", "null")


def modern(schema: Any) -> Any:
    """The schema in today's words; what is none is given back."""
    if isinstance(schema, list):
        return [modern(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept = {key: value for key, value in schema.items() if value is not None or key in _DATA}
    if kept.get("enum", ()) is None:
        del kept["enum"]
    _types(kept)
    _bounds(kept)
    _tuples(kept)
    _required(kept)
    _dependencies(kept)
    return {key: _inside(key, value) for key, value in kept.items()}


def _inside(key: str, value: Any) -> Any:
    if key in _DATA:
        return value
    if key in _NAMED and isinstance(value, Mapping):  # a property may be called "items"
        return {name: {} if part is None else modern(part) for name, part in value.items()}
    return modern(value)


def _types(schema: dict[str, Any]) -> None:
    given = schema.get("type")
    names = [given] if isinstance(given, str) else given if isinstance(given, list) else None
    if names is None:
        return
    if "any" in names or not names:  # draft 3
        del schema["type"]
        return
    named = [name.lower() if isinstance(name, str) and name not in _KNOWN else name for name in names]
    kinds = list(dict.fromkeys(_TYPES.get(name, name) if isinstance(name, str) else str(name) for name in named))
    if schema.pop("nullable", False) is True and "null" not in kinds:
        kinds.append("null")
        if isinstance(schema.get("enum"), list) and None not in schema["enum"]:
            schema["enum"] = [*schema["enum"], None]
    schema["type"] = kinds[0] if len(kinds) == 1 else kinds


def _bounds(schema: dict[str, Any]) -> None:
    for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(schema.get(exclusive), bool) and schema.pop(exclusive) and bound in schema:  # draft 4
            schema[exclusive] = schema.pop(bound)


def _tuples(schema: dict[str, Any]) -> None:
    if isinstance(schema.get("items"), list):  # until 2019-09
        schema.setdefault("prefixItems", schema.pop("items"))
        if "additionalItems" in schema:
            schema["items"] = schema.pop("additionalItems")
    if schema.get("prefixItems") == []:
        del schema["prefixItems"]
    schema.pop("additionalItems", None)


def _required(schema: dict[str, Any]) -> None:
    given = schema.get("required")
    if isinstance(given, bool):  # draft 3: said by the property itself
        del schema["required"]
    names = [given] if isinstance(given, str) else list(given) if isinstance(given, list) else []
    properties = schema.get("properties")
    for name, part in properties.items() if isinstance(properties, Mapping) else ():
        if isinstance(part, Mapping) and part.get("required") is True:
            names.append(name)
    if names:
        schema["required"] = list(dict.fromkeys(names))


def _dependencies(schema: dict[str, Any]) -> None:
    given = schema.get("dependencies")
    if not isinstance(given, Mapping):
        return
    del schema["dependencies"]
    lists = {name: [part] if isinstance(part, str) else part for name, part in given.items()}
    required = {name: part for name, part in lists.items() if isinstance(part, list)}
    parts = {name: part for name, part in lists.items() if isinstance(part, Mapping)}
    if required:
        schema.setdefault("dependentRequired", required)
    if parts:
        schema.setdefault("dependentSchemas", parts)
