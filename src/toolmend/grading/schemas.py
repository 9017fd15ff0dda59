"""What grading needs to know of a parameter's JSON Schema: its types, its format, and which lists are sets.

Knows nothing of validation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolmend.base.schemas import applied

_JSON_TYPES: dict[type, frozenset[str]] = {
    bool: frozenset({"boolean"}),
    int: frozenset({"integer", "number"}),
    str: frozenset({"string"}),
    type(None): frozenset({"null"}),
    list: frozenset({"array"}),
    tuple: frozenset({"array"}),
    set: frozenset({"array"}),
    frozenset: frozenset({"array"}),
    dict: frozenset({"object"}),
}


JSON_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
"""The names that a schema's `type` may have."""


def json_type(value: Any) -> frozenset[str]:
    """The JSON types that a value has: a whole number is both integer and number."""
    if isinstance(value, float):
        return frozenset({"integer", "number"}) if value.is_integer() else frozenset({"number"})
    found = _JSON_TYPES.get(type(value))
    return found if found is not None else frozenset({"object"} if isinstance(value, Mapping) else {"other"})


class Shape:
    """One schema, resolved as far as it is asked for. `types` is empty if the schema names none."""

    __slots__ = ("_found", "_root", "_schema", "_told")

    def __init__(self, schema: Any, root: Mapping[str, Any]) -> None:
        self._schema, self._root = schema, root
        self._found: list[Mapping[str, Any]] | None = None
        self._told: frozenset[str] | None = None

    @property
    def _parts(self) -> list[Mapping[str, Any]]:
        if self._found is None:
            self._found = applied(self._schema, self._root)
        return self._found

    @property
    def types(self) -> frozenset[str]:
        """Every type that the schema or an alternative names."""
        if self._told is None:
            self._told = frozenset(name for part in self._parts for name in _types(part))
        return self._told

    @property
    def choices(self) -> list[Any]:
        """The values that an `enum` offers."""
        return [choice for part in self._parts for choice in part.get("enum") or ()]

    @property
    def unique(self) -> bool:
        """Whether a list is a set."""
        return any(part.get("uniqueItems") is True for part in self._parts)

    @property
    def format(self) -> str:
        """The first `format` named, "" for none."""
        return next((part["format"] for part in self._parts if isinstance(part.get("format"), str)), "")

    @property
    def parts(self) -> Sequence[Mapping[str, Any]]:
        """The schema and its alternatives, itself first: for what has no attribute here."""
        return self._parts

    @property
    def items(self) -> Shape | None:
        """The shape of a list's items, None if it is not told."""
        return next((Shape(part["items"], self._root) for part in self._parts if "items" in part), None)

    def of(self, key: str) -> Shape | None:
        """The shape of a mapping's value, None if it is not told."""
        for part in self._parts:
            properties = part.get("properties")
            if isinstance(properties, Mapping) and key in properties:
                return Shape(properties[key], self._root)
            if isinstance(part.get("additionalProperties"), Mapping):
                return Shape(part["additionalProperties"], self._root)
        return None


def _types(part: Mapping[str, Any]) -> set[str]:
    written = part.get("type")
    if isinstance(written, str):
        return {written}
    if isinstance(written, (list, tuple)):
        return {item for item in written if isinstance(item, str)}
    choices = part.get("enum") or ([part["const"]] if "const" in part else [])
    return {name for choice in choices for name in json_type(choice)}
