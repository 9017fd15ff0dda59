"""One call against one expected call, made ready once and compared many times.

Knows the signature (defaults, required parameters) and names the differences; pairing several calls is pairing.py's.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from toolmend.base.errors import BadOption, UnknownName
from toolmend.base.messages import Call, ToolSpec
from toolmend.base.mistakes import Kind, Mistake
from toolmend.grading.expected import ExpectedCall, Optional_, plain, shown
from toolmend.grading.schemas import JSON_TYPES, Shape
from toolmend.grading.values import ValueCheck, canonical, check_of
from toolmend.reading.reading import Names

_MISSING = object()
_KEPT = 2_000
_TABLES_KEPT = 8_000


class Target:
    """An expected call with the signature of its tool; a parameter is made ready when it is first looked at."""

    __slots__ = ("_checks", "_lacking", "_names", "_spec", "bare", "expected", "name")

    def __init__(self, expected: ExpectedCall, spec: ToolSpec) -> None:
        self.expected, self.name, self._spec = expected, spec.full_name, spec
        self.bare = spec.name.rpartition(".")[2]
        lacking = [name for name in spec.required if name not in expected.arguments]
        if lacking:
            raise BadOption(
                f"the expected call of {spec.full_name} lacks the required {', '.join(lacking)};"
                ' say what is acceptable there, {"any": true} for anything'
            )
        self._names = dict.fromkeys([*spec.properties, *expected.arguments])
        self._checks: dict[str, ValueCheck] = {}
        self._lacking: dict[str, bool] = {}

    def differences(self, call: Call) -> list[Mistake]:
        """The mistakes in a call's arguments."""
        arguments, due = call.arguments, self.expected.arguments
        found: list[Mistake] = []
        given = 0
        for name in self._names:
            value = arguments.get(name, _MISSING)
            if value is _MISSING:
                if name in due and not self._may_lack(name):
                    found.append(Mistake(Kind.MISSING_ARGUMENT, name, self.name, self._due(name)))
                continue
            given += 1
            check = self._checks.get(name) or self._ready(name)
            if not check.accepts(value):
                found.append(Mistake(check.fault(value), name, self.name, self._due(name), plain(value)))
        if given != len(arguments):
            for name in arguments:
                if name not in self._names:
                    found.append(Mistake(Kind.UNKNOWN_ARGUMENT, name, self.name, None, plain(arguments[name])))
        return found

    def _ready(self, name: str) -> ValueCheck:
        value = self.expected.arguments.get(name, _MISSING)
        check = check_of(self._default(name) if value is _MISSING else value, self._shape(name))
        self._checks[name] = check
        return check

    def _shape(self, name: str) -> Shape:
        schema = self._spec.properties.get(name)
        if isinstance(schema, dict) and isinstance(schema.get("type"), str) and schema["type"] not in JSON_TYPES:
            told = f"{self.name}: the type {schema['type']!r} of {name} is none of JSON Schema's"
            warnings.warn(f"{told}; grading.foreign.json_schema translates those of others", stacklevel=2)
        return Shape(schema, self._spec.parameters)

    def _default(self, name: str) -> Any:
        schema = self._spec.properties.get(name)
        return schema.get("default") if isinstance(schema, dict) else None

    def _due(self, name: str) -> Any:
        """What is shown as right there."""
        due = self.expected.arguments
        return shown(due[name]) if name in due else plain(self._default(name))

    def _may_lack(self, name: str) -> bool:
        """Whether leaving out an argument that is named is as good: it is optional, or its default is acceptable."""
        answer = self._lacking.get(name)
        if answer is None:
            answer = name not in self._spec.required and (
                isinstance(self.expected.arguments[name], Optional_)
                or (name in self._spec.properties and self._ready(name).accepts(self._default(name)))
            )
            self._lacking[name] = answer
        return answer


class GradedTools:
    """The tools that calls are graded against, and the expected calls made ready for them."""

    __slots__ = ("_kind", "_names", "_ready", "by_bare", "by_name", "specs")

    def __init__(self, specs: Sequence[ToolSpec], kind: type[Target] = Target) -> None:
        self.specs, self._kind = tuple(specs), kind
        self._names: Names | None = None
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
        ready = self._ready[id(expected)] = self._kind(expected, self.spec(expected.tool))
        return ready

    def offers(self, name: str) -> bool:
        """Whether a call of that name means one of these tools: by its last component, or by its receiver."""
        if self._names is None:
            self._names = Names(self.specs)
        return self._names.known(name)

    def as_offered(self, call: Call) -> Call:
        """The call under its tool's own name where it has the one that a server knows: `math_factorial` or
        `math__factorial` for `math.factorial`, if that is one tool's only."""
        if call.tool in self.by_name:
            return call
        own = [name for name in self.by_name if call.tool in (name.replace(".", "_"), name.replace(".", "__"))]
        return replace(call, tool=own[0]) if len(own) == 1 else call

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


_TABLES: dict[tuple[Any, ...], GradedTools] = {}


def table_of(specs: Sequence[ToolSpec], kind: type[Target] = Target) -> GradedTools:
    """The table of these very specs, kept by their identity (it holds them, so that none can be mistaken).

    `kind` is how expected calls are compared. Where tools come as JSON, lines.py finds equal ones by their content.
    """
    key = (kind, *map(id, specs))
    table = _TABLES.get(key)
    if table is None:
        if len(_TABLES) >= _TABLES_KEPT:
            _TABLES.clear()
        table = _TABLES[key] = GradedTools(specs, kind)
    return table
