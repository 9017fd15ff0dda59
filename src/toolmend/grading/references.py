"""Replies that are right, made out of what a step expects: for gold talks, and to try whether a suite is graded right.

Knows how right values look; whether the grader accepts them is for others to ask.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolmend.base.errors import BadOption
from toolmend.base.messages import Call, ToolSpec
from toolmend.grading.compare import GradedTools
from toolmend.grading.expected import (
    Any_,
    Contains,
    Date,
    Duration,
    Expected,
    ExpectedCall,
    OneOf,
    Optional_,
    Range,
    Regex,
    shown,
)
from toolmend.grading.schemas import Shape
from toolmend.reading import render

_LACKING = Optional_(OneOf(()))
"""What should rather lack: the only answer is that it may be left out."""


@dataclass(frozen=True, slots=True)
class RightReply:
    """A reply that must be accepted: what it is, its text, the argument that it varies."""

    name: str
    text: str
    argument: str | None = None


def example(value: Any, shape: Shape) -> Any:
    """A value that an acceptable value accepts; None if a pattern gives no example. Raises BadOption where none is."""
    if isinstance(value, Optional_):
        return example(value.value, shape)
    if isinstance(value, Mapping):
        due = {key: item for key, item in value.items() if item != _LACKING}
        return {key: example(item, shape.of(key) or Shape({}, {})) for key, item in due.items()}
    if isinstance(value, (list, tuple)):
        return [example(item, shape.items or Shape({}, {})) for item in value if item != _LACKING]
    if isinstance(value, OneOf):
        if not value.values:
            raise BadOption("no value is acceptable, and it may not be left out: nothing could be right")
        return example(value.values[0], shape)
    if isinstance(value, Date):
        return f"{value.year or 2024:04}-{value.month or 11:02}-{value.day or 11:02}"
    if isinstance(value, Duration) and "string" in shape.types and not shape.types & {"integer", "number"}:
        return f"PT{value.minutes:g}M"
    if isinstance(value, Regex):
        return value.example or None
    if isinstance(value, Range):
        return value.low
    if isinstance(value, Contains):
        return value.texts[0]
    if isinstance(value, Any_):
        return next((sample for name, sample in _SAMPLES.items() if name in shape.types), "anything")
    return shown(value)


_SAMPLES: dict[str, Any] = {"string": "anything", "integer": 7, "number": 7, "boolean": True, "array": [], "object": {}}


def right_calls(expected: Expected, table: GradedTools) -> list[Call]:
    """The expected calls with the first acceptable value of each argument; what should rather lack is left out.

    Raises BadOption where no call could be right.
    """
    return [_right_call(due, table.spec(due.tool)) for due in expected.calls]


def _right_call(due: ExpectedCall, spec: ToolSpec) -> Call:
    given = {name: value for name, value in due.arguments.items() if value != _LACKING}
    if never := [name for name in spec.required if name in due.arguments and name not in given]:
        raise BadOption(f"{never[0]} must be given, and no value of it is acceptable: nothing could be right")
    return Call(spec.full_name, {name: example(value, shape_of(spec, name)) for name, value in given.items()})


def shape_of(spec: ToolSpec, name: str) -> Shape:
    """The shape of a parameter."""
    return Shape(spec.properties.get(name), spec.parameters)


def text_of(calls: Sequence[Call], table: GradedTools) -> str:
    """Calls as a reply, one on each line."""
    return "\n".join(render(call, table.by_name.get(call.tool)) for call in calls)


def _call_references(expected: Expected, table: GradedTools) -> Iterator[RightReply]:
    calls = right_calls(expected, table)
    yield RightReply("reference", text_of(calls, table))
    for place, (due, call) in enumerate(zip(expected.calls, calls, strict=True)):
        spec = table.spec(due.tool)

        def with_arguments(arguments: Mapping[str, Any], place: int = place, tool: str = call.tool) -> str:
            return text_of([*calls[:place], Call(tool, arguments), *calls[place + 1 :]], table)

        for name, value in due.arguments.items():
            for other in alternatives(value)[1:]:
                changed = {**call.arguments, name: example(other, shape_of(spec, name))}
                yield RightReply("reference", with_arguments(changed), name)
            if isinstance(value, Optional_) and name not in spec.required and name in call.arguments:
                rest = {key: given for key, given in call.arguments.items() if key != name}
                yield RightReply("reference without an optional argument", with_arguments(rest))
    if len(calls) > 1 and not expected.ordered:
        yield RightReply("reference in another order", text_of(calls[::-1], table))


def sample_call(spec: ToolSpec) -> Call:
    """Any call of a tool that its types allow."""
    shapes = {name: Shape(spec.properties.get(name), spec.parameters) for name in spec.required}
    return Call(spec.full_name, {name: example(Any_(), shape) for name, shape in shapes.items()})


def references(expected: Expected, table: GradedTools) -> Iterator[RightReply]:
    """Replies that are right: the first acceptable values, then each other one in its turn."""
    if expected.calls:
        yield from _call_references(expected, table)
    elif expected.any_call:
        for spec in table.specs[:3]:
            yield RightReply("reference", render(sample_call(spec), spec))
    else:
        yield RightReply("reference", "On which day?" if expected.asks else "That is done already.")


def without_example(expected: Expected) -> list[str]:
    """Arguments whose pattern has no example, so that no reference can be written."""
    return [
        name
        for call in expected.calls
        for name, value in call.arguments.items()
        for rule in alternatives(value)
        if isinstance(rule, Regex) and not rule.example
    ]


def alternatives(value: Any) -> Sequence[Any]:
    """The values and rules that an acceptable value is made of."""
    inner = value.value if isinstance(value, Optional_) else value
    return inner.values if isinstance(inner, OneOf) else (inner,)
