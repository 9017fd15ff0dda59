"""Replies that are right and replies with one known mistake, made out of what a step expects.

Knows how mistakes look, and asks the checks of values.py whether a changed value is really different; whether the
grader finds them is selftest.py's question.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from toolmend.grading.compare import Table
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
from toolmend.grading.schemas import Shape, json_type
from toolmend.grading.values import ValueCheck, check_of
from toolmend.messages import Call, ToolSpec
from toolmend.mistakes import Kind
from toolmend.reading import render

Key = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class Specimen:
    """A reply and the mistakes (kind, argument) that must be found in it: none for a reference."""

    name: str
    text: str
    due: frozenset[Key] = frozenset()
    argument: str | None = None


def example(value: Any, shape: Shape) -> Any:
    """A value that an acceptable value accepts; None if a pattern gives no example."""
    if isinstance(value, Optional_):
        return example(value.value, shape)
    if isinstance(value, Mapping):
        return {key: example(item, shape.of(key) or Shape({}, {})) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [example(item, shape.items or Shape({}, {})) for item in value]
    if isinstance(value, OneOf):
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


class _Maker:
    """The specimens of one step."""

    def __init__(self, expected: Expected, table: Table) -> None:
        self.expected, self.table = expected, table
        self.specs = [table.spec(call.tool) for call in expected.calls]
        self.calls = [self._reference(*pair) for pair in zip(expected.calls, self.specs, strict=True)]

    def _reference(self, due: ExpectedCall, spec: ToolSpec) -> Call:
        given = {name: value for name, value in due.arguments.items() if value != Optional_(OneOf(()))}
        return Call(spec.full_name, {name: example(v, self._shape(spec, name)) for name, v in given.items()})

    def _shape(self, spec: ToolSpec, name: str) -> Shape:
        return Shape(spec.properties.get(name), spec.parameters)

    def _check(self, place: int, name: str) -> ValueCheck:
        return check_of(self.expected.calls[place].arguments[name], self._shape(self.specs[place], name))

    def text(self, calls: Sequence[Call]) -> str:
        return "\n".join(render(call, self.table.by_name.get(call.tool)) for call in calls)

    def specimen(self, name: str, calls: Sequence[Call], *due: Key, argument: str | None = None) -> Specimen:
        return Specimen(name, self.text(calls), frozenset(due), argument)

    def with_call(self, place: int, call: Call) -> list[Call]:
        return [*self.calls[:place], call, *self.calls[place + 1 :]]

    def with_value(self, place: int, changes: Mapping[str, Any]) -> list[Call]:
        call = self.calls[place]
        return self.with_call(place, Call(call.tool, {**call.arguments, **changes}))

    # ---- right replies

    def references(self) -> Iterator[Specimen]:
        yield self.specimen("reference", self.calls)
        for place, (due, spec) in enumerate(zip(self.expected.calls, self.specs, strict=True)):
            for name, value in due.arguments.items():
                for other in _alternatives(value)[1:]:
                    changed = self.with_value(place, {name: example(other, self._shape(spec, name))})
                    yield self.specimen("reference", changed, argument=name)
                if isinstance(value, Optional_) and name not in spec.required and name in self.calls[place].arguments:
                    call = self.calls[place]
                    rest = Call(call.tool, {key: given for key, given in call.arguments.items() if key != name})
                    yield self.specimen("reference without an optional argument", self.with_call(place, rest))
        if len(self.calls) > 1 and not self.expected.ordered:
            yield self.specimen("reference in another order", self.calls[::-1])

    # ---- replies with one mistake

    def mutants(self) -> Iterator[Specimen]:
        for place in range(len(self.calls)):
            yield from self._names(place)
            yield from self._arguments(place)
            yield from self._values(place)
            yield from self._swaps(place)
        yield from self._around()

    def _names(self, place: int) -> Iterator[Specimen]:
        call, spec = self.calls[place], self.specs[place]
        unknown = (Kind.UNKNOWN_TOOL.value, None)
        other = f"{call.tool}_now"
        if other not in self.table.by_name:
            yield self.specimen("wrong name", self.with_call(place, Call(other, call.arguments)), unknown)
        for another in self.table.specs:
            if another.full_name not in {due.full_name for due in self.specs}:
                wrong = (Kind.WRONG_TOOL.value, None)
                yield self.specimen("wrong tool", self.with_call(place, sample_call(another)), wrong)
                break
        for receiver in ("", "api") if spec.receiver else ("api",):
            written = f"{receiver}.{spec.name}" if receiver else spec.name
            if written not in self.table.by_name:
                yield self.specimen("wrong receiver", self.with_call(place, Call(written, call.arguments)), unknown)

    def _arguments(self, place: int) -> Iterator[Specimen]:
        call, spec = self.calls[place], self.specs[place]
        for name in call.arguments:
            if name in spec.required:
                rest = Call(call.tool, {key: value for key, value in call.arguments.items() if key != name})
                due = (Kind.MISSING_ARGUMENT.value, name)
                yield self.specimen("dropped argument", self.with_call(place, rest), due, argument=name)
        extra = next(name for name in ("extra", "extra_", "extra__") if name not in spec.properties)
        due = (Kind.UNKNOWN_ARGUMENT.value, extra)
        yield self.specimen("extra argument", self.with_value(place, {extra: "extra"}), due, argument=extra)

    def _values(self, place: int) -> Iterator[Specimen]:
        for name, value in self.calls[place].arguments.items():
            check, shape = self._check(place, name), self._shape(self.specs[place], name)
            kinds = (
                ("changed value", Kind.WRONG_VALUE, _changed(value, shape)),
                ("wrong type", Kind.WRONG_TYPE, _retyped(value, shape)),
                ("wrong format", Kind.WRONG_FORMAT, _rewritten(self.expected.calls[place].arguments[name], value)),
                ("reversed list", Kind.WRONG_VALUE, [value[::-1]] if isinstance(value, list) else []),
            )
            for title, kind, candidates in kinds:
                wrong = next((item for item in candidates if not check.accepts(item)), _NONE)
                if wrong is not _NONE:
                    yield self.specimen(title, self.with_value(place, {name: wrong}), (kind.value, name), argument=name)

    def _swaps(self, place: int) -> Iterator[Specimen]:
        values = self.calls[place].arguments
        names = list(values)
        for first, second in pairwise(names):
            if json_type(values[first]) != json_type(values[second]) or values[first] == values[second]:
                continue
            swapped = {first: values[second], second: values[first]}
            wrong = [name for name in swapped if not self._check(place, name).accepts(swapped[name])]
            due = [(Kind.WRONG_VALUE.value, name) for name in wrong]
            if due:
                yield self.specimen("swapped arguments", self.with_value(place, swapped), *due, argument=first)

    def _around(self) -> Iterator[Specimen]:
        right = self.text(self.calls)
        if self.expected.any_call:
            yield Specimen("no call", "That is done already.", frozenset({(Kind.NO_CALL.value, None)}))
            return
        if not self.calls:
            yield from self._unwanted()
            return
        if self.expected.bare:
            for name, text in (
                ("chatter before", f"Sure, here you go:\n{right}"),
                ("chatter after", f"{right}\nI hope this helps!"),
            ):
                yield Specimen(name, text, frozenset({(Kind.CHATTER.value, None)}))
        yield Specimen("broken syntax", f"{right})", frozenset({(Kind.SYNTAX.value, None)}))
        yield Specimen("broken syntax", right[:-1], frozenset({(Kind.SYNTAX.value, None)}))
        yield self.specimen("repeated call", [*self.calls, self.calls[-1]], (Kind.REPEATED_CALL.value, None))
        yield from self._dropped_and_extra()

    def _dropped_and_extra(self) -> Iterator[Specimen]:
        due = (Kind.MISSING_CALL if len(self.calls) > 1 else Kind.NO_CALL).value, None
        yield self.specimen("dropped call", self.calls[:-1], due)
        for name, value in self.calls[-1].arguments.items():
            check, shape = self._check(len(self.calls) - 1, name), self._shape(self.specs[-1], name)
            wrong = next((item for item in _changed(value, shape) if not check.accepts(item)), _NONE)
            if wrong is not _NONE:
                extra = self.with_value(len(self.calls) - 1, {name: wrong})[-1]
                yield self.specimen("extra call", [*self.calls, extra], (Kind.EXTRA_CALL.value, None))
                return

    def _unwanted(self) -> Iterator[Specimen]:
        for spec in self.table.specs[:3]:
            yield self.specimen("unwanted call", [sample_call(spec)], (Kind.UNWANTED_CALL.value, None))


def sample_call(spec: ToolSpec) -> Call:
    """Any call of a tool that its types allow."""
    shapes = {name: Shape(spec.properties.get(name), spec.parameters) for name in spec.required}
    return Call(spec.full_name, {name: example(Any_(), shape) for name, shape in shapes.items()})


_NONE = object()


def references(expected: Expected, table: Table) -> Iterator[Specimen]:
    """Replies that are right: the first acceptable values, then each other one in its turn."""
    if expected.calls:
        yield from _Maker(expected, table).references()
    elif expected.any_call:
        for spec in table.specs[:3]:
            yield Specimen("reference", render(sample_call(spec), spec))
    else:
        yield Specimen("reference", "On which day?" if expected.asks else "That is done already.")


def mutants(expected: Expected, table: Table) -> Iterator[Specimen]:
    """Replies with one mistake each, none of them right by accident; none where any call may be right."""
    if not expected.free:
        yield from _Maker(expected, table).mutants()


def without_example(expected: Expected) -> list[str]:
    """Arguments whose pattern has no example, so that no reference can be written."""
    return [
        name
        for call in expected.calls
        for name, value in call.arguments.items()
        for rule in _alternatives(value)
        if isinstance(rule, Regex) and not rule.example
    ]


def _alternatives(value: Any) -> Sequence[Any]:
    inner = value.value if isinstance(value, Optional_) else value
    return inner.values if isinstance(inner, OneOf) else (inner,)


def _changed(value: Any, shape: Shape) -> list[Any]:
    """Other values of the same type, the nearest first."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, (int, float)):
        return [value + 1, value * 2 + 17]
    if isinstance(value, list):
        return [[*value, *value[:1]], value[1:], [*value, "more"]]
    if isinstance(value, dict):
        return [{**value, "more": 1}]
    if not isinstance(value, str):
        return []
    moment = _moment(value)
    if isinstance(moment, dt.date):
        step = dt.timedelta(days=40 if moment.year < 9990 else -40)
        return [(moment + step).isoformat()]
    if isinstance(moment, dt.time):
        return [f"{(moment.hour + 5) % 24:02}{value[2:]}"]
    return [*(choice for choice in shape.choices if choice != value), f"{value} and more", "quite another text"]


def _moment(text: str) -> dt.date | dt.time | None:
    """The day or time of day that a text is in the notation of calls."""
    kind = dt.date if _DAY.fullmatch(text) else dt.time if _CLOCK.fullmatch(text) else None
    try:
        return kind.fromisoformat(text) if kind else None
    except ValueError:  # the 30th of February
        return None


_DAY, _CLOCK = re.compile(r"\d{4}-\d\d-\d\d"), re.compile(r"\d\d:\d\d(:\d\d)?")


def _retyped(value: Any, shape: Shape) -> list[Any]:
    """The same content as another JSON type that the schema does not allow."""
    if isinstance(value, str):
        found: list[Any] = [[value]]
    elif isinstance(value, (list, dict)):
        found = [json.dumps(value)]
    else:
        found = [str(value).lower(), [value]]
    allowed = shape.types or json_type(value)
    return [item for item in found if not json_type(item) & allowed]


def _rewritten(due: Any, value: Any) -> list[Any]:
    """The same value in a notation that is not wanted."""
    if isinstance(due, Duration) and isinstance(value, (int, float)):
        return [f"{value} minutes"]
    moment = _moment(value) if isinstance(value, str) else None
    if isinstance(moment, dt.date):
        return [f"{moment.month}/{moment.day}/{moment.year:04}"]
    if not isinstance(moment, dt.time):
        return []
    half = "PM" if moment.hour >= 12 else "AM"
    return [f"T{value}" if moment.second else f"{moment.hour % 12 or 12}:{moment.minute:02} {half}"]
