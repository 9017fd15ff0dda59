"""What grading needs to know of a parameter's JSON Schema: its types, its format, and which lists are sets.

Knows nothing of validation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolmend.schemas import applied

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


def json_type(value: Any) -> frozenset[str]:
    """The JSON types that a value has: a whole number is both integer and number."""
    if isinstance(value, float):
        return frozenset({"integer", "number"}) if value.is_integer() else frozenset({"number"})
    found = _JSON_TYPES.get(type(value))
    return found if found is not None else frozenset({"object"} if isinstance(value, Mapping) else {"other"})


class Shape:
    """One schema, resolved as far as it is asked for. `types` is empty if the schema names none."""

    __slots__ = ("_parts", "_root", "choices", "format", "types", "unique")

    def __init__(self, schema: Any, root: Mapping[str, Any]) -> None:
        self._root = root
        self._parts = applied(schema, root)
        types: set[str] = set()
        for part in self._parts:
            types |= _types(part)
        self.types = frozenset(types)
        self.choices = [choice for part in self._parts for choice in part.get("enum") or ()]
        self.unique = any(part.get("uniqueItems") is True for part in self._parts)
        self.format = next((part["format"] for part in self._parts if isinstance(part.get("format"), str)), "")

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
