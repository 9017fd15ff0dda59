"""Requests worded from a tool's own name and parameters, without any example: stiff, but every argument is named.

    Change the quantity: order 102, product Wool blanket, quantity 3

They teach the names of arguments, which corrections use, and what to ask for when one is missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from toolmend.corrections import names
from toolmend.grading.schemas import Shape
from toolmend.messages import Call, ToolSpec
from toolmend.training.phrases import first_upper
from toolmend.training.teach.arguments import kind_of, leaves, with_values
from toolmend.training.teach.fresh import Values
from toolmend.training.teach.spoken import Form, say

_OPTIONAL = 0.35
_JOINTS = (
    ("{action}: {rest}", ", "),
    ("{action}, {rest}", ", "),
    ("{action} with {rest}", " and "),
    ("{action}. {rest}", ". "),
)
_PAIRS = (
    "{label} {value}",
    "{label} {value}",
    "{label}: {value}",
    "{label} is {value}",
    "the {label} is {value}",
    "{label} = {value}",
)


def plain_request(spec: ToolSpec, values: Values, random: Random, without: str = "") -> tuple[str, Call]:
    """A sentence that names the tool and each argument, and its call. `without` leaves one argument out of both."""
    arguments = plain_arguments(spec, values, random, without)
    pair = random.choice(_PAIRS)
    said = [
        pair.format(label=kind.label, value=say(value, kind, Form(), random))
        for path, value in leaves(arguments)
        if (kind := kind_of(spec, path, value)).name not in ("flag", "null")
    ]
    return plainly(spec, said, random), Call(spec.full_name, arguments)


def plainly(spec: ToolSpec, said: list[str], random: Random) -> str:
    """The tool's deed with these phrases behind it."""
    deed = first_upper(names.action(spec.name) or names.function(spec.name))
    deed = deed if random.random() < 0.7 else first_upper(names.function(spec.name))
    frame, joint = random.choice(_JOINTS)
    rest = joint.join(first_upper(each) if joint == ". " else each for each in said)
    return frame.format(action=deed, rest=rest) if rest else deed


def plain_arguments(spec: ToolSpec, values: Values, random: Random, without: str = "") -> dict[str, Any]:
    """Fresh arguments from the schema alone: all that are required, some of the others; flags are left out."""
    made: dict[str, Any] = {}
    for name in spec.properties:
        if name != without and (name in spec.required or random.random() < _OPTIONAL):
            shape = Shape(spec.properties[name], spec.parameters)
            value = _blank(shape, random)
            if value is not None:
                made[name] = value
    drawn = {path: values.draw(kind_of(spec, path, value), random) for path, value in leaves(made)}
    return with_values(made, drawn)


def _blank(shape: Shape | None, random: Random) -> Any:
    """A value of the shape with something of the right type at each leaf; None for what cannot be said."""
    types = shape.types if shape else frozenset()
    if shape and shape.choices:
        return shape.choices[0]
    if "array" in types and shape:
        items = [_blank(shape.items, random) for _ in range(random.choice((1, 1, 2, 3)))]
        return items if None not in items else None
    if "object" in types and shape:
        properties: Mapping[str, Any] = next((p["properties"] for p in shape.parts if p.get("properties")), {})
        found = {name: _blank(shape.of(name), random) for name in properties}
        return found if found and None not in found.values() else None
    if "boolean" in types:
        return None
    return _SAMPLES.get((shape.format if shape else "") or next(iter(sorted(types - {"null"})), "string"), "text")


_SAMPLES: dict[str, Any] = {"date": "2025-01-01", "time": "12:00", "integer": 1, "number": 1.5, "string": "text"}
