"""Tools, answers and calls as others write them: BFCL's types and possible answers, OpenAI's `tool_calls`.

Knows their notations only; reading lines is lines.py's, judging by BFCL's rules is bfcl.py's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from toolmend.base.errors import BadOption
from toolmend.base.messages import RAW, Call, Reply, ToolSpec
from toolmend.grading.expected import ExpectedCall, OneOf, Optional_
from toolmend.grading.schemas import Shape
from toolmend.reading import Reading

OMITTED = ""
"""What stands among BFCL's possible answers where an argument may be left out."""
_SCALARS = {"bool": "boolean", "Boolean": "boolean", "str": "string", "String": "string", "char": "string"}
_SCALARS |= dict.fromkeys(("int", "byte", "short", "long", "Bigint"), "integer")
_LISTS = dict.fromkeys(("list", "ArrayList", "Array", "Queue", "Stack", "Set"), "array")
_TYPES: dict[str, dict[str, str]] = {
    **{name: {"type": own} for name, own in {**_SCALARS, **_LISTS}.items()},
    **{name: {"type": "object"} for name in ("dict", "HashMap", "Hashtable")},
    **{name: {"type": "number", "format": "float"} for name in ("float", "double")},
    "tuple": {"type": "array", "format": "tuple"},
    "any": {},
    "Any": {},
}
_NESTED = ("items", "additionalProperties", "not")
_LISTED = ("anyOf", "oneOf", "allOf")


def json_schema(schema: Any, foreign: set[str]) -> Any:
    """A schema whose types are JSON Schema's: `dict`, `float`, `tuple`, `any` … are translated and added to `foreign`.

    `optional` and a `required` that is no list, which no schema has, are dropped.
    """
    if not isinstance(schema, Mapping):
        return schema
    made: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "type" and isinstance(value, str) and value in _TYPES:
            foreign.add(value)
            made |= _TYPES[value]
        elif key in ("properties", "$defs") and isinstance(value, Mapping):
            made[key] = {name: json_schema(part, foreign) for name, part in value.items()}
        elif key in _NESTED:
            made[key] = json_schema(value, foreign)
        elif key in _LISTED and isinstance(value, list):
            made[key] = [json_schema(part, foreign) for part in value]
        elif key != "optional" and (key != "required" or isinstance(value, list)):
            made[key] = value
    return made


def possible_answers(ground_truth: Sequence[Any], specs: Sequence[ToolSpec]) -> tuple[ExpectedCall, ...]:
    """The expected calls that BFCL writes as `[{"f": {"x": [1, ""]}}]`: 1, or left out. Raises BadOption."""
    shapes = {spec.full_name: spec for spec in specs}
    calls = []
    for written in ground_truth:
        if not isinstance(written, Mapping) or len(written) != 1:
            raise BadOption(f"ground_truth: {written!r:.60} is no mapping of one tool to the values of its arguments")
        ((tool, given),) = written.items()
        spec = shapes.get(tool)
        if not isinstance(given, Mapping) or not all(isinstance(values, list) for values in given.values()):
            raise BadOption(f"ground_truth: the arguments of {tool} are no lists of acceptable values")
        calls.append(
            ExpectedCall(tool, {name: _acceptable(values, _shape(spec, name)) for name, values in given.items()})
        )
    return tuple(calls)


def _shape(spec: ToolSpec | None, name: str) -> Shape | None:
    return Shape(spec.properties.get(name), spec.parameters) if spec else None


def _acceptable(values: Sequence[Any], shape: Shape | None, deep: bool = False) -> OneOf | Optional_:
    items = OneOf(tuple(_answer(value, shape, deep) for value in values if value != OMITTED))
    return Optional_(items) if OMITTED in values else items


def _answer(value: Any, shape: Shape | None, deep: bool) -> Any:
    """One answer. The values of a mapping are lists of answers themselves; further inside only where the schema does
    not say that a list stands there."""
    if isinstance(value, list):
        return [_answer(item, shape.items if shape else None, deep) for item in value]
    if not isinstance(value, Mapping):
        return value
    made: dict[str, Any] = {}
    for key, values in value.items():
        inner = shape.of(key) if shape else None
        literal = deep and (inner is None or "array" in inner.types)
        several = isinstance(values, list) and not literal
        made[key] = _acceptable(values, inner, True) if several else values
    return made


def openai_calls(tool_calls: Sequence[Any], content: str = "") -> Reply | Reading:
    """The reply that OpenAI's `tool_calls` are, their arguments as text or as objects.

    Arguments that are no JSON object stay as they came, under RAW. Raises BadOption for what is no call.
    """
    calls = []
    for item in tool_calls:
        inner = item.get("function", item) if isinstance(item, Mapping) else None
        if not isinstance(inner, Mapping) or not isinstance(inner.get("name"), str):
            raise BadOption(f"'tool_calls': {item!r:.60} has no name")
        name, arguments = inner["name"], inner.get("arguments", {})
        text = arguments
        if isinstance(arguments, str):
            try:
                arguments = json.loads(arguments or "{}")
            except (ValueError, RecursionError):
                arguments = None
        given = (
            arguments if isinstance(arguments, Mapping) else {RAW: text if isinstance(text, str) else json.dumps(text)}
        )
        calls.append(Call(name, given))
    return Reply(content, tuple(calls)) if calls else Reading((), content, problem="no_call")
