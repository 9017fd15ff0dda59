"""JSON Schemas of parameters as readers and prompts look at them: references followed, choices of one taken out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_HOPS = 16


def followed(schema: Any, root: Mapping[str, Any]) -> dict[str, Any]:
    """The schema that a reference means, with what stands beside the reference; {} for what is no schema."""
    found = dict(schema) if isinstance(schema, Mapping) else {}
    for _ in range(_HOPS):
        target = found.pop("$ref", None)
        if not isinstance(target, str) or not target.startswith("#/"):
            break
        meant: Any = root
        for part in target[2:].split("/"):
            meant = meant.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(meant, Mapping) else None
        found = {**meant, **found} if isinstance(meant, Mapping) else found
    return found


def branches(schema: Any, root: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What a value may be, each followed, but for nothing at all; the schema itself where there is no choice."""
    found = followed(schema, root)
    kinds = found.get("type")
    if isinstance(kinds, list):
        return [{**found, "type": kind} for kind in kinds if kind != "null"]
    given = [*_list(found.get("anyOf")), *_list(found.get("oneOf"))]
    made = [followed(each, root) for each in given]
    return [each for each in made if each.get("type") != "null"] if given else [found]


def plain(schema: Any, root: Mapping[str, Any]) -> dict[str, Any]:
    """The schema followed; where only one thing or null may be given, that one thing with what was said of it."""
    found, choices = followed(schema, root), branches(schema, root)
    said = {key: value for key, value in found.items() if key not in ("anyOf", "oneOf", "type")}
    return {**choices[0], **said} if len(choices) == 1 else found


def types_of(schema: Any, root: Mapping[str, Any]) -> set[str]:
    """The JSON types a value may have; none where the schema does not say."""
    found = [each.get("type") for each in branches(schema, root)]
    return {kind for kind in found if isinstance(kind, str)}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
