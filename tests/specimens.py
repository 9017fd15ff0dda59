"""The grader tried: replies with one known mistake each, made out of what steps expect, must be refused for it.

Every reference must be accepted. Knows how mistakes look, and asks the checks of values.py whether a changed value is
really different.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.base.mistakes import Kind
from toolmend.grading.compare import GradedTools, table_of
from toolmend.grading.expected import Duration, Expected
from toolmend.grading.grade import grade
from toolmend.grading.references import references, right_calls, sample_call, shape_of, text_of, without_example
from toolmend.grading.schemas import Shape, json_type
from toolmend.grading.values import ValueCheck, check_of

Key = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class Specimen:
    """A reply and the mistakes (kind, argument) that must be found in it: none for a reference."""

    name: str
    text: str
    due: frozenset[Key] = frozenset()
    argument: str | None = None


class _Maker:
    """The specimens of one step."""

    def __init__(self, expected: Expected, table: GradedTools) -> None:
        self.expected, self.table = expected, table
        self.specs = [table.spec(call.tool) for call in expected.calls]
        self.calls = right_calls(expected, table)

    def _check(self, place: int, name: str) -> ValueCheck:
        return check_of(self.expected.calls[place].arguments[name], shape_of(self.specs[place], name))

    def text(self, calls: Sequence[Call]) -> str:
        return text_of(calls, self.table)

    def specimen(self, name: str, calls: Sequence[Call], *due: Key, argument: str | None = None) -> Specimen:
        return Specimen(name, self.text(calls), frozenset(due), argument)

    def with_call(self, place: int, call: Call) -> list[Call]:
        return [*self.calls[:place], call, *self.calls[place + 1 :]]

    def with_value(self, place: int, changes: Mapping[str, Any]) -> list[Call]:
        call = self.calls[place]
        return self.with_call(place, Call(call.tool, {**call.arguments, **changes}))

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
            check, shape = self._check(place, name), shape_of(self.specs[place], name)
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
            check, shape = self._check(len(self.calls) - 1, name), shape_of(self.specs[-1], name)
            wrong = next((item for item in _changed(value, shape) if not check.accepts(item)), _NONE)
            if wrong is not _NONE:
                extra = self.with_value(len(self.calls) - 1, {name: wrong})[-1]
                yield self.specimen("extra call", [*self.calls, extra], (Kind.EXTRA_CALL.value, None))
                return

    def _unwanted(self) -> Iterator[Specimen]:
        for spec in self.table.specs[:3]:
            yield self.specimen("unwanted call", [sample_call(spec)], (Kind.UNWANTED_CALL.value, None))


_NONE = object()


def mutants(expected: Expected, table: GradedTools) -> Iterator[Specimen]:
    """Replies with one mistake each, none of them right by accident; none where any call may be right."""
    if not expected.free:
        yield from _Maker(expected, table).mutants()


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


@dataclass(frozen=True, slots=True)
class SelfTestTrial:
    """One reply that was graded: what should have been found and what was. `step` counts from 0."""

    step: int
    name: str
    argument: str | None
    text: str
    due: frozenset[Key]
    got: frozenset[Key]
    problem: str = ""

    @property
    def ok(self) -> bool:
        """Whether exactly the due mistakes were found."""
        return not self.problem and self.due == self.got

    def __str__(self) -> str:
        """One line for a person: `step 1: dropped argument (date): due missing_argument(date), got none: f(…)`."""
        where = f"step {self.step + 1}: {self.name}{f' ({self.argument})' if self.argument else ''}"
        if self.problem:
            return f"{where}: {self.problem}"
        return f"{where}: due {_listed(self.due)}, got {_listed(self.got)}: {self.text}"


def _listed(keys: frozenset[Key]) -> str:
    names = [f"{kind}({argument})" if argument else kind for kind, argument in keys]
    return ", ".join(sorted(names)) or "none"


@dataclass(frozen=True, slots=True)
class SelfTestReport:
    """Every reference and mutant with its outcome."""

    trials: tuple[SelfTestTrial, ...]

    @property
    def ok(self) -> bool:
        """Whether there is no failure."""
        return all(trial.ok for trial in self.trials)

    @property
    def failures(self) -> tuple[SelfTestTrial, ...]:
        """What was not graded as it should be."""
        return tuple(trial for trial in self.trials if not trial.ok)

    @property
    def counts(self) -> dict[str, tuple[int, int]]:
        """Per name of reference or mutant: how many were graded as they should be, of how many."""
        right = Counter(trial.name for trial in self.trials if trial.ok)
        return {name: (right[name], total) for name, total in Counter(trial.name for trial in self.trials).items()}


def self_test(steps: Iterable[Expected], specs: Sequence[ToolSpec]) -> SelfTestReport:
    """Grade every reference and every mutant of every step, as text. Raises UnknownName, BadOption for broken steps."""
    trials: list[SelfTestTrial] = []
    table = table_of(specs)
    for place, expected in enumerate(steps):
        blind = without_example(expected)
        if blind:
            problem = f"the pattern of {', '.join(blind)} has no example; add one to let it be tested"
            trials.append(SelfTestTrial(place, "reference", blind[0], "", frozenset(), frozenset(), problem))
            continue
        right = [Specimen(each.name, each.text, argument=each.argument) for each in references(expected, table)]
        for specimen in (*right, *mutants(expected, table)):
            trials.append(_tried(place, specimen, expected, specs))
    return SelfTestReport(tuple(trials))


def _tried(place: int, specimen: Specimen, expected: Expected, specs: Sequence[ToolSpec]) -> SelfTestTrial:
    got = frozenset(mistake.key for mistake in grade(specimen.text, expected, specs).mistakes)
    return SelfTestTrial(place, specimen.name, specimen.argument, specimen.text, specimen.due, got)
