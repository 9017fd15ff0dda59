"""The steps of a suite as they stand in its file: a request, what is expected of the reply, or of the world after it.

Expected calls are written as the call itself and read strictly. Knows one step at a time; dialogues and experiments
are evals/suites/file.py's.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from toolmend.base.errors import ToolmendError, UnknownName
from toolmend.evals.suites.suite import Step
from toolmend.evals.suites.yaml12 import Located, YamlReader
from toolmend.grading import Expected, ExpectedCall, accepted, grade
from toolmend.grading.world_rules import BadState, world_of
from toolmend.grading.worlds import Change, ExpectedWorld
from toolmend.reading import read_python
from toolmend.tools import Toolbox

_CALLS = ("expect", "accept", "ordered", "asks")
_WORLD = ("state", "refuses", "reference", "attempt", "words", "open", "start")
STEP_KEYS = ("say", *_CALLS, *_WORLD, "amends", "given", "recoverable", "forced", "corrects")


class StepReader(YamlReader):
    """Makes steps; knows the toolbox, what all steps leave open or aside, and the named starting states."""

    def __init__(self, path: Path, box: Toolbox | None) -> None:
        super().__init__(path)
        self.box = box or Toolbox()
        self.open: tuple[str, ...] = ()
        self.aside: tuple[str, ...] = ()
        self.starts: dict[str, Any] = {}

    def step(self, where: Located, number: int) -> Step:
        """One request with what is expected of the reply; `number` counts from 0."""
        self.only(where, STEP_KEYS)
        expected, reference = self.expected(where)
        world = self.world(where)
        if world is not None:
            reference = self.reference(where, reference, world)
        amends = self.amends(where, number)
        forced, corrects = self.argument(where, "forced", expected), self.argument(where, "corrects", expected)
        if forced and forced not in where.get("accept", ()):
            raise self.bad(f"say under accept which {forced} is right before it is known", where, "forced")
        if corrects and amends is None:
            raise self.bad("goes with amends: it corrects an earlier step", where, "corrects")
        return Step(
            self.text(where, "say"),
            expected,
            reference,
            amends,
            self.optional_text(where, "given"),
            forced,
            corrects,
            self.flag(where, "recoverable", True),
            world,
            self.start(where),
            self.optional_text(where, "words") or "",
            (*self.open, *self.arguments(where, "open")),
            self.attempt(where),
        )

    def amends(self, where: Located, number: int) -> int | None:
        """The earlier step that this one changes."""
        value = where.get("amends", "none")
        if value == "none":
            return None
        earlier = number - 1 if value == "previous" else value - 1 if type(value) is int else -1
        if not 0 <= earlier < number:
            raise self.bad("must be previous, none or the number of an earlier step", where, "amends")
        return earlier

    def argument(self, where: Located, key: str, expected: Expected) -> str | None:
        """An argument of the expected call."""
        name = self.optional_text(where, key)
        known = [argument for call in expected.calls for argument in call.arguments]
        if name is not None and name not in known:
            raise self.bad(str(UnknownName("argument", name, known, "those of the expected call")), where, key)
        return name

    def arguments(self, where: Located, key: str) -> tuple[str, ...]:
        """Names of parameters of the toolbox, none where the key is not there."""
        if key not in where:
            return ()
        self.items(where, key)
        parameters = sorted({name for spec in self.box.specs for name in spec.properties})
        return tuple(self.names(where, key, "argument", parameters))

    # the calls ---------------------------------------------------------------------------------------------------

    def expected(self, where: Located) -> tuple[Expected, str]:
        """What is expected of the calls, and those as written."""
        written = where.get("expect")
        if "asks" in where or written == "none":
            for key in ("accept", "ordered", *(("expect",) if "asks" in where else ())):
                if key in where:
                    raise self.bad("goes with an expected call; this step expects none", where, key)
            return Expected(asks=self.arguments(where, "asks")), ""
        if written is None:
            if "state" in where or "refuses" in where:
                return Expected(free=True), ""
            what = "is missing: the call that is right, or `none`; or say under `state` what becomes of the world"
            raise self.bad(what, where, "expect")
        lines = [written] if isinstance(written, str) else self.items(where, "expect")
        calls = [self.call(where, line) for line in lines]
        if "accept" in where:
            calls = self.widened(where, calls)
        expected, reference = Expected(tuple(calls), ordered=self.flag(where, "ordered", False)), "\n".join(lines)
        if found := grade(reference, expected, self.box.specs).mistakes:
            raise self.bad(f"the call itself is not accepted: {', '.join(map(str, found))}", where, "accept")
        return expected, reference

    def call(self, where: Located, line: Any, key: str = "expect") -> ExpectedCall:
        """The expected call of one line. It must be one that the toolbox takes."""
        reading = read_python(line, self.box.specs, lenient=False) if isinstance(line, str) else None
        if reading is None or reading.problem or len(reading.calls) != 1 or reading.rest or reading.leniencies:
            why = (reading.detail or reading.rest) if reading else ""
            raise self.bad(f"{line!r} is not one plain call ({why or 'see docs/suites.md'})", where, key)
        call = reading.calls[0]
        try:
            _, coerced = self.box.tool(call.tool).validate(call.arguments)
        except ToolmendError as error:
            raise self.bad(str(error), where, key) from error
        if coerced:
            raise self.bad(f"{line!r} has a value of another type: {', '.join(coerced)}", where, key)
        return ExpectedCall(call.tool, call.arguments)

    def widened(self, where: Located, calls: list[ExpectedCall]) -> list[ExpectedCall]:
        """The calls with what else is acceptable: `accept` is a mapping, or for several calls a list of them."""
        rules = where["accept"] if len(calls) > 1 else [self.filled(where, "accept")]
        if not isinstance(rules, list) or len(rules) != len(calls):
            raise self.bad(f"must be a list of {len(calls)} mappings, one for each expected call", where, "accept")
        return [
            replace(call, arguments=self.accepting(where, self.mapping(rule, where, "accept"), dict(call.arguments)))
            for call, rule in zip(calls, rules, strict=True)
        ]

    def accepting(self, where: Located, rules: Located, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments, with the rules of `accept` in place of values."""
        for name, rule in rules.items():
            if name not in arguments:
                raise self.bad(str(UnknownName("argument", name, arguments)), where, "accept")
            try:
                arguments[name] = accepted(rule)
            except ToolmendError as error:
                raise self.bad(f"{name}: {error}", where, "accept") from error
        return arguments

    # the world ---------------------------------------------------------------------------------------------------

    def world(self, where: Located) -> ExpectedWorld | None:
        """What must become of the world: `state`, or with `refuses` nothing, and words that say why."""
        if "refuses" in where and "state" in where:
            raise self.bad("goes without state: it says that nothing changes", where, "refuses")
        key = "refuses" if "refuses" in where else "state"
        if key not in where:
            return None
        written = {"says": where[key]} if key == "refuses" else where[key]
        try:
            return world_of(written, where, key, self.aside)
        except BadState as error:
            there = error.where if isinstance(error.where, Located) else where
            raise self.bad(error.what, there, error.key if there is error.where else key) from error

    def reference(self, where: Located, written: str, world: ExpectedWorld) -> str:
        """The calls that make the world so: those expected, or `reference`, of which no sentence gives a value away."""
        if "reference" in where:
            if written:
                raise self.bad("goes without expect: the expected calls are the reference", where, "reference")
            lines = where["reference"]
            lines = lines.strip().splitlines() if isinstance(lines, str) else self.items(where, "reference")
            calls = [self.call(where, line, "reference") for line in lines]
            written = "\n".join(lines)
        else:
            calls = [self.call(where, line) for line in written.splitlines()]
        if world.changes and not calls:
            raise self.bad("is missing: the calls that bring this about", where, "reference")
        self._gives_nothing_away(where, world, calls)
        return written

    def attempt(self, where: Located) -> str:
        """A call that the world refuses."""
        line = self.optional_text(where, "attempt") or ""
        if line:
            if "refuses" not in where:
                raise self.bad("goes with refuses", where, "attempt")
            self.call(where, line, "attempt")
        return line

    def start(self, where: Located) -> Any:
        """The state in which a dialogue begins that begins here; None for a new world."""
        written = where.get("start")
        if written is None:
            return None
        if isinstance(written, str):
            if written not in self.starts:
                raise self.bad(str(UnknownName("starting state", written, self.starts)), where, "start")
            return self.starts[written]
        return self.settable(written, where, "start")

    def settable(self, state: Any, where: Located, key: str) -> Any:
        """The state, if a new world of this toolbox can be in it."""
        try:
            self.box.set_state(state)
        except ToolmendError as error:
            raise self.bad(str(error), where, key) from error
        return state

    def _gives_nothing_away(self, where: Located, world: ExpectedWorld, calls: list[ExpectedCall]) -> None:
        """No sentence of a check has a text of the reference as the call has it; people say it otherwise."""
        kept = {*self.open, *where.get("open", ())}
        literals = {
            value
            for call in calls
            for name, value in call.arguments.items()
            if name not in kept and isinstance(value, str) and re.search(r"\w", value)
        }
        for change in _changes(world):
            for text in (change.name, *change.say):
                for literal in literals:
                    if re.search(rf"(?<!\w){re.escape(literal)}(?!\w)", text):
                        what = f"{text!r} has {literal!r} in it, as the call has it; say it otherwise"
                        raise self.bad(what, where, "state")


def _changes(world: ExpectedWorld) -> list[Change]:
    return [change for expected in (world, *world.others) for change in expected.changes]
