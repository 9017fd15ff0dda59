"""Suites as data: what is asked, what is expected, and how it is played. docs/suites.md explains the file format.

    suite > experiment > case = one dialogue > step = one request with its expected calls

Expected calls are written as the call itself and read strictly. Everything that is wrong with a file is one BadFile
with file, line and key. Knows no models and runs nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from toolmend.errors import BadFile, BadOption, ToolmendError, UnknownName
from toolmend.evals.yaml12 import Located, load
from toolmend.grading import Expected, ExpectedCall, accepted
from toolmend.messages import ToolSpec
from toolmend.reading import read_python
from toolmend.tools import Toolbox

BRANCHES = ("level 0", "level 1", "level 2", "level 3", "false")


@dataclass(frozen=True)
class Step:
    """One request. `amends` is the number of the step it changes (counted from 0), None for a new request.

    `given` is a reply that is set instead of asked for (a mistake of somebody else). `forced` names the argument of a
    mistake nobody can avoid; `corrects` the argument whose forced mistake this step's words correct. `reference` is the
    expected calls as written, for gold history.
    """

    say: str
    expected: Expected
    reference: str
    amends: int | None = None
    given: str | None = None
    forced: str | None = None
    corrects: str | None = None
    recoverable: bool = True


@dataclass(frozen=True)
class Case:
    """One dialogue. `group` is its heading in the report."""

    id: str
    group: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Experiment:
    """How cases are played: `corrections` a step at most, `branches` tried and undone after every reply.

    `history` is `own` (as it went) or `gold` (as it should have gone).
    """

    id: str
    about: str
    cases: tuple[Case, ...]
    attempts: int = 1
    corrections: int = 3
    history: str = "own"
    branches: tuple[str, ...] = BRANCHES


@dataclass(frozen=True)
class Suite:
    """A whole file. `hash` changes with any byte of it."""

    name: str
    version: int
    tools: str
    system: str | None
    experiments: tuple[Experiment, ...]
    hash: str
    path: str
    notation: str | None = None
    about: str = ""
    reminders: Mapping[str, str] = field(default_factory=dict)


def shipped() -> list[str]:
    """Names of the suites inside the package."""
    return sorted(Path(str(each)).stem for each in files("toolmend.suites").iterdir() if each.name.endswith(".yaml"))


def load_suite(name: str) -> Suite:
    """A shipped suite by name or any suite by path. Raises UnknownName or BadFile."""
    if name in shipped():
        return read_suite(Path(str(files("toolmend.suites").joinpath(f"{name}.yaml"))))
    if name.endswith((".yaml", ".yml")) or "/" in name:
        return read_suite(Path(name))
    raise UnknownName("suite", name, shipped(), "a file is given as PATH.yaml")


def read_suite(path: Path) -> Suite:
    """The suite of a file. Raises BadFile with line and key."""
    data = load(path)
    reader = _Reader(path)
    top = reader.mapping(data, "the file", None)
    known = {"suite", "version", "about", "tools", "system", "notation", "experiments", "cases"}
    reader.only(top, known)
    name, tools = reader.text(top, "suite"), reader.text(top, "tools")
    try:
        specs = Toolbox.load(tools).specs
    except ToolmendError as error:
        raise BadFile(path, f"tools: {error}", top.lines["tools"]) from error
    bare = True
    cases = reader.groups(reader.mapping(top.get("cases"), "cases", top), specs, bare)
    experiments = reader.experiments(top, cases)
    return Suite(
        name,
        reader.number(top, "version", 1),
        tools,
        reader.optional_text(top, "system"),
        experiments,
        hashlib.sha256(path.read_bytes()).hexdigest()[:16],
        str(path),
        reader.optional_text(top, "notation"),
        reader.optional_text(top, "about") or "",
    )


class _Reader:
    """Turns loaded YAML into values; knows the file for its error messages."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def bad(self, what: str, where: Located | None = None, key: str | None = None) -> BadFile:
        line = None if where is None else where.lines.get(key, where.line) if key else where.line
        return BadFile(self.path, f"{key}: {what}" if key else what, line)

    def mapping(self, value: Any, what: str, parent: Located | None) -> Located:
        if not isinstance(value, Located):
            raise self.bad(f"{what} must be a mapping of keys to values, not {type(value).__name__}", parent)
        return value

    def only(self, where: Located, known: Iterable[str]) -> None:
        for key in where:
            if key not in known:
                raise self.bad(str(UnknownName("key", key, known)), where, key)

    def text(self, where: Located, key: str) -> str:
        value = where.get(key)
        if not isinstance(value, str) or not value.strip():
            raise self.bad("is missing" if value is None else f"must be text, not {value!r}", where, key)
        return value

    def optional_text(self, where: Located, key: str) -> str | None:
        return self.text(where, key) if key in where else None

    def number(self, where: Located, key: str, default: int, least: int = 0) -> int:
        value = where.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise self.bad(f"must be a whole number of at least {least}, not {value!r}", where, key)
        return value

    def items(self, where: Located, key: str) -> list[Any]:
        value = where.get(key)
        if not isinstance(value, list) or not value:
            raise self.bad("must be a list with at least one item", where, key)
        return value

    # the parts of a suite --------------------------------------------------------------------------------------

    def experiments(self, top: Located, groups: dict[str, tuple[Case, ...]]) -> tuple[Experiment, ...]:
        if "experiments" not in top:
            everything = tuple(case for cases in groups.values() for case in cases)
            return (Experiment("chat", "every dialogue, mistakes corrected as they come", everything),)
        made = []
        for name, value in self.mapping(top["experiments"], "experiments", top).items():
            where = self.mapping(value, f"experiment {name}", top)
            self.only(where, {"about", "cases", "attempts", "corrections", "history", "branches"})
            for group in self.items(where, "cases"):
                if group not in groups:
                    raise self.bad(str(UnknownName("group of cases", str(group), groups)), where, "cases")
            history = where.get("history", "own")
            if history not in ("own", "gold"):
                raise self.bad(f"must be own or gold, not {history!r}", where, "history")
            branches = where.get("branches", list(BRANCHES))
            if not isinstance(branches, list) or any(branch not in BRANCHES for branch in branches):
                raise self.bad(f"must be a list out of {', '.join(BRANCHES)}", where, "branches")
            cases = tuple(case for group in where["cases"] for case in groups[group])
            attempts, corrections = self.number(where, "attempts", 1, 1), self.number(where, "corrections", 3)
            about = self.optional_text(where, "about") or ""
            made.append(Experiment(name, about, cases, attempts, corrections, history, tuple(branches)))
        return tuple(made)

    def groups(self, where: Located, specs: tuple[ToolSpec, ...], bare: bool) -> dict[str, tuple[Case, ...]]:
        made = {}
        for group, value in where.items():
            if not isinstance(value, list) or not value:
                raise self.bad("must be a list of cases", where, group)
            made[group] = tuple(
                self.case(item, group, number, where, specs, bare) for number, item in enumerate(value, 1)
            )
        return made

    def case(
        self, value: Any, group: str, number: int, parent: Located, specs: tuple[ToolSpec, ...], bare: bool
    ) -> Case:
        where = self.mapping(value, f"case {number} of {group}", parent)
        self.only(where, {"id", "steps", "upto", "given"})
        steps: list[Step] = []
        for each in self.items(where, "steps"):
            steps.append(self.step(self.mapping(each, "a step", where), len(steps), specs, bare))
        upto = self.number(where, "upto", len(steps), 1)
        if upto > len(steps):
            raise self.bad(f"there are only {len(steps)} steps", where, "upto")
        steps = steps[:upto]
        if given := self.optional_text(where, "given"):
            steps[-1] = replace(steps[-1], given=given)
        label = self.optional_text(where, "id")
        return Case(f"{group}/{label}" if label else f"{group}/{number}" if number > 1 else group, group, tuple(steps))

    def step(self, where: Located, number: int, specs: tuple[ToolSpec, ...], bare: bool) -> Step:
        self.only(
            where,
            {"say", "expect", "accept", "amends", "given", "forced", "corrects", "ordered", "asks", "recoverable"},
        )
        amends = where.get("amends")
        if amends == "previous":
            amends = number - 1
        elif amends == "none":
            amends = None
        elif isinstance(amends, int):
            amends -= 1
        if amends is not None and not (isinstance(amends, int) and 0 <= amends < number):
            raise self.bad("must be previous, none or the number of an earlier step", where, "amends")
        expected, reference = self.expected(where, specs, bare)
        return Step(
            self.text(where, "say"),
            expected,
            reference,
            amends,
            self.optional_text(where, "given"),
            self.optional_text(where, "forced"),
            self.optional_text(where, "corrects"),
            where.get("recoverable", True) is not False,
        )

    def expected(self, where: Located, specs: tuple[ToolSpec, ...], bare: bool) -> tuple[Expected, str]:
        asks = tuple(where.get("asks") or ())
        if "expect" not in where and not asks:
            raise self.bad("is missing: the call that is right, or `none`", where, "expect")
        written = where.get("expect")
        lines = [written] if isinstance(written, str) else written or []
        if written == "none" or asks:
            return Expected((), asks=asks, bare=bare), ""
        known = {spec.full_name for spec in specs}
        calls = []
        for line in lines:
            reading = read_python(line, specs, lenient=False)
            if reading.problem or len(reading.calls) != 1 or reading.rest or reading.leniencies:
                raise self.bad(
                    f"{line!r} is not one plain call ({reading.detail or reading.rest or 'see docs/suites.md'})",
                    where,
                    "expect",
                )
            call = reading.calls[0]
            if call.tool not in known:
                raise self.bad(str(UnknownName("tool", call.tool, known)), where, "expect")
            calls.append(ExpectedCall(call.tool, self.accepting(where, dict(call.arguments), len(lines) == 1)))
        return Expected(tuple(calls), ordered=where.get("ordered") is True, bare=bare), "\n".join(lines)

    def accepting(self, where: Located, arguments: dict[str, Any], single: bool) -> dict[str, Any]:
        if "accept" not in where:
            return arguments
        if not single:
            raise self.bad("goes with a single expected call", where, "accept")
        for name, rule in self.mapping(where["accept"], "accept", where).items():
            if name not in arguments:
                raise self.bad(str(UnknownName("argument", name, arguments)), where, "accept")
            try:
                arguments[name] = accepted(rule)
            except (ToolmendError, ValueError) as error:
                raise self.bad(f"{name}: {error}", where, "accept") from error
        return arguments


def select(suite: Suite, names: Iterable[str]) -> Suite:
    """The suite with only some of its experiments. Raises BadOption naming those it has."""
    wanted, known = list(names), [experiment.id for experiment in suite.experiments]
    for name in wanted:
        if name not in known:
            raise BadOption(f"suite '{suite.name}' has no experiment {name!r}; it has {', '.join(known)}")
    return replace(suite, experiments=tuple(e for e in suite.experiments if not wanted or e.id in wanted))
