"""One call against one expected call, made ready once and compared many times.

Knows the signature (defaults, required parameters) and names the differences; pairing several calls is pairing.py's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from toolmend.errors import BadOption, UnknownName
from toolmend.grading.expected import ExpectedCall, plain, shown
from toolmend.grading.schemas import Shape
from toolmend.grading.values import Check, canonical, check_of
from toolmend.messages import Call, ToolSpec
from toolmend.mistakes import Kind, Mistake

_MISSING = object()
_KEPT = 2_000


@dataclass(frozen=True, slots=True)
class _Parameter:
    """A parameter of the expected tool. `optional`: leaving it out is as good as its default, which is acceptable."""

    name: str
    check: Check
    optional: bool
    due: Any


class Target:
    """An expected call with the signature of its tool."""

    __slots__ = ("_names", "_parameters", "bare", "expected", "name")

    def __init__(self, expected: ExpectedCall, spec: ToolSpec) -> None:
        self.expected, self.name = expected, spec.full_name
        self.bare = spec.name.rpartition(".")[2]
        self._parameters = tuple(self._ready(expected, spec))
        self._names = frozenset(parameter.name for parameter in self._parameters)

    @staticmethod
    def _ready(expected: ExpectedCall, spec: ToolSpec) -> list[_Parameter]:
        lacking = [name for name in spec.required if name not in expected.arguments]
        if lacking:
            raise BadOption(
                f"the expected call of {spec.full_name} lacks the required {', '.join(lacking)};"
                ' say what is acceptable there, {"any": true} for anything'
            )
        ready = []
        root = spec.parameters
        for name in dict.fromkeys([*spec.properties, *expected.arguments]):
            schema = spec.properties.get(name)
            shape = Shape(schema, root)
            default = schema.get("default", _MISSING) if isinstance(schema, dict) else _MISSING
            required = name in spec.required or name not in spec.properties
            if name in expected.arguments:
                value = expected.arguments[name]
                check = check_of(value, shape)
                stand_in = None if default is _MISSING else default
                ready.append(_Parameter(name, check, not required and check.accepts(stand_in), shown(value)))
            else:
                value = None if default is _MISSING else default
                ready.append(_Parameter(name, check_of(value, shape), True, plain(value)))
        return ready

    def differences(self, call: Call) -> list[Mistake]:
        """The mistakes in a call's arguments."""
        arguments = call.arguments
        found: list[Mistake] = []
        given = 0
        for parameter in self._parameters:
            value = arguments.get(parameter.name, _MISSING)
            if value is _MISSING:
                if not parameter.optional:
                    found.append(Mistake(Kind.MISSING_ARGUMENT, parameter.name, self.name, parameter.due))
                continue
            given += 1
            if not parameter.check.accepts(value):
                kind = parameter.check.fault(value)
                found.append(Mistake(kind, parameter.name, self.name, parameter.due, plain(value)))
        if given != len(arguments):
            for name in arguments:
                if name not in self._names:
                    found.append(Mistake(Kind.UNKNOWN_ARGUMENT, name, self.name, None, plain(arguments[name])))
        return found


class Table:
    """The tools that calls are graded against, and the expected calls made ready for them."""

    __slots__ = ("_ready", "by_bare", "by_name", "specs")

    def __init__(self, specs: Sequence[ToolSpec]) -> None:
        self.specs = tuple(specs)
        self.by_name = {spec.full_name: spec for spec in specs}
        self.by_bare: dict[str, list[ToolSpec]] = {}
        for spec in specs:
            self.by_bare.setdefault(spec.name.rpartition(".")[2], []).append(spec)
        self._ready: dict[int, Target] = {}

    def target(self, expected: ExpectedCall) -> Target:
        """The expected call made ready, kept by identity. Raises UnknownName without its tool, BadOption if it lacks
        a required argument.
        """
        ready = self._ready.get(id(expected))
        if ready is not None and ready.expected is expected:
            return ready
        if len(self._ready) >= _KEPT:
            self._ready.clear()
        ready = self._ready[id(expected)] = Target(expected, self.spec(expected.tool))
        return ready

    def spec(self, name: str) -> ToolSpec:
        """The tool of an expected call: by its full name, or by its bare name if that is one tool's only."""
        spec = self.by_name.get(name)
        alone = self.by_bare.get(name, [])
        if spec is None and len(alone) == 1:
            return alone[0]
        if spec is None:
            raise UnknownName("tool", name, self.by_name, "expected calls name a tool of the tools given")
        return spec

    def mistakes(self, call: Call, target: Target, native: bool = False) -> list[Mistake]:
        """What is wrong with this call if that one is due. `native`: calls made without receivers are as good."""
        if call.tool == target.name:
            return target.differences(call)
        if call.tool in self.by_name:
            return [Mistake(Kind.WRONG_TOOL, None, target.name, target.name, call.tool)]
        same_name = call.tool.rpartition(".")[2] == target.bare
        if native and call.tool == target.bare:
            return target.differences(call)
        unknown = Mistake(Kind.UNKNOWN_TOOL, None, target.name, target.name, call.tool)
        return [unknown, *target.differences(call)] if same_name else [unknown]

    def key(self, call: Call) -> Any:
        """What two equal calls share: the tool, and the arguments with defaults filled in."""
        spec = self.by_name.get(call.tool)
        arguments = {}
        for name, schema in (spec.properties if spec else {}).items():
            if isinstance(schema, dict) and "default" in schema:
                arguments[name] = canonical(schema["default"])
        shapes = spec.properties if spec else {}
        root = spec.parameters if spec else {}
        for name, value in call.arguments.items():
            arguments[name] = canonical(value, Shape(shapes.get(name), root) if name in shapes else None)
        return (call.tool, frozenset(arguments.items()))


_TABLES: dict[tuple[int, ...], Table] = {}


def table_of(specs: Sequence[ToolSpec]) -> Table:
    """The table of these very specs, kept by their identity (it holds them, so that none can be mistaken)."""
    ids = tuple(map(id, specs))
    table = _TABLES.get(ids)
    if table is None:
        if len(_TABLES) >= 64:
            _TABLES.clear()
        table = _TABLES[ids] = Table(specs)
    return table
