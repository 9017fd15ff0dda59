"""A call's arguments as leaves: each value with its path and what the schema says of it.

    place_order("Ada", [{"product": "Seed box", "quantity": 2}])
    ("customer",) · ("items", 0, "product") · ("items", 0, "quantity")

Knows nothing of sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from toolmend.corrections import names
from toolmend.grading.schemas import Shape
from toolmend.messages import ToolSpec

Path = tuple[str | int, ...]

_DATE, _TIME = re.compile(r"\d{4}-\d\d-\d\d"), re.compile(r"\d\d:\d\d(:\d\d)?")


@dataclass(frozen=True)
class Kind:
    """What a leaf holds: `name` is choice, integer, number, date, time, length, flag, text or null.

    `low` and `high` bound numbers, `pattern` texts; `unit` is that of a length of time ("minute"); `key` names leaves
    that share their values: the argument's own name and the type.
    """

    name: str
    key: str
    label: str
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    pattern: str = ""
    unit: str = ""


def leaves(arguments: Mapping[str, Any]) -> Iterator[tuple[Path, Any]]:
    """Every value that holds no others, with its path, in the order of the call."""
    for name, value in arguments.items():
        yield from _leaves((name,), value)


def _leaves(path: Path, value: Any) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            yield from _leaves((*path, key), item)
    elif isinstance(value, list) and value:
        for place, item in enumerate(value):
            yield from _leaves((*path, place), item)
    else:
        yield path, value


def value_at(arguments: Mapping[str, Any], path: Path) -> Any:
    """The value at a path; None where there is none."""
    found: Any = arguments
    for step in path:
        try:
            found = found[step]
        except (KeyError, IndexError, TypeError):
            return None
    return found


def with_values(arguments: Mapping[str, Any], values: Mapping[Path, Any]) -> dict[str, Any]:
    """The arguments with other values at these paths; a list grows where its next place is given."""
    made: dict[str, Any] = deepcopy(dict(arguments))
    for path, value in values.items():
        held: Any = made
        for step in path[:-1]:
            held = held[step]
        if isinstance(held, list) and path[-1] == len(held):
            held.append(value)
        else:
            held[path[-1]] = value
    return made


def kind_of(spec: ToolSpec, path: Path, value: Any = None) -> Kind:
    """What the leaf at a path of a tool's arguments holds; an example's value decides where the schema does not."""
    shape = Shape(spec.properties.get(str(path[0])), spec.parameters)
    own: Any = spec.properties.get(str(path[0]))
    for step in path[1:]:
        inner = shape.items if isinstance(step, int) else shape.of(step)
        own, shape = None, inner or Shape(None, spec.parameters)
    label = names.label(next(str(step) for step in reversed(path) if isinstance(step, str)))
    bounds = _bounds(shape)
    name, unit = _named(shape, value), ""
    if name in ("integer", "number"):
        unit = names.unit(str(path[-1]), own if isinstance(own, Mapping) else {})
        name = "length" if unit else name
    choices = tuple(each for each in shape.choices if isinstance(each, str))
    return Kind(name, f"{label} {name}", label, choices, *bounds, unit=unit)


def _named(shape: Shape, value: Any) -> str:
    types = shape.types - {"null"}
    if value is None and types:
        return "null"
    if isinstance(value, bool) or types == {"boolean"}:
        return "flag"
    if any(isinstance(each, str) for each in shape.choices):
        return "choice"
    if isinstance(value, str):
        if shape.format == "date" or (not shape.format and _DATE.fullmatch(value)):
            return "date"
        if shape.format == "time" or (not shape.format and _TIME.fullmatch(value)):
            return "time"
        return "text"
    if isinstance(value, int | float):
        return "integer" if "number" not in types else "number"
    return "null"


def _bounds(shape: Shape) -> tuple[float | None, float | None, str]:
    """Smallest, largest and pattern, where the schema tells."""
    low = high = None
    pattern = ""
    for part in shape.parts:
        low = part.get("minimum", part.get("exclusiveMinimum", low))
        high = part.get("maximum", part.get("exclusiveMaximum", high))
        pattern = part.get("pattern", pattern)
    return low, high, pattern
