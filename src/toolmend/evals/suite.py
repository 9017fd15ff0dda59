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
from typing import Any, TypeVar

from toolmend.errors import BadFile, BadOption, ToolmendError, UnknownName
from toolmend.evals.patterns import fitting
from toolmend.evals.yaml12 import Located, load
from toolmend.grading import Expected, ExpectedCall, accepted, grade
from toolmend.reading import read_python
from toolmend.tools import Toolbox

T = TypeVar("T")

BRANCHES = ("level 0", "level 1", "level 2", "level 3", "false")
_TOP_KEYS = tuple("suite version about tools system notation reminders experiments cases".split())
_STEP_KEYS = tuple("say expect accept ordered asks amends given recoverable forced corrects".split())


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
    """How cases are played: `corrections` a step at most, `branches` tried and undone after the
    first reply of a step.

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
    """A whole file. `hash` changes with any byte of it.

    `reminders` are sentences by pattern of model names: what the user adds to everything said to such a model.
    """

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

    def reminder(self, model: str) -> str:
        """What is added to everything said to a model of that name; "" for nothing."""
        return fitting(self.reminders, model) or ""

    def cases(self) -> dict[str, Case]:
        """Every case by the name its samples are stored under: `experiment/case`."""
        return {f"{each.id}/{case.id}": case for each in self.experiments for case in each.cases}


def shipped() -> list[str]:
    """Names of the suites inside the package."""
    return sorted(Path(str(each)).stem for each in files("toolmend.suites").iterdir() if each.name.endswith(".yaml"))


def load_suite(name: str, tools: str | None = None) -> Suite:
    """A shipped suite by name or any suite by path; `tools` names another toolbox to play it with.

    Raises UnknownName or BadFile; the latter, too, where an expected call is none of that toolbox.
    """
    if name in shipped():
        return read_suite(Path(str(files("toolmend.suites").joinpath(f"{name}.yaml"))), tools)
    if name.endswith((".yaml", ".yml")) or "/" in name:
        return read_suite(Path(name), tools)
    raise UnknownName("suite", name, shipped(), "a file is given as PATH.yaml")


def read_suite(path: Path, tools: str | None = None) -> Suite:
    """The suite of a file, with its own toolbox or that of `tools`. Raises BadFile with line and key."""
    reader = _Reader(path, Toolbox.load(tools) if tools else None)
    top = reader.mapping(load(path), None, "", "the file ")
    reader.only(top, _TOP_KEYS)
    name, own = reader.text(top, "suite"), reader.text(top, "tools")
    if not tools:
        try:
            reader.box = Toolbox.load(own)
        except ToolmendError as error:
            raise reader.bad(str(error), top, "tools") from error
    return Suite(
        name,
        reader.number(top, "version", 1),
        tools or own,
        reader.optional_text(top, "system"),
        reader.experiments(top, reader.groups(top)),
        hashlib.sha256(path.read_bytes()).hexdigest()[:16],
        str(path),
        reader.choice(top, "notation", ("blog",), None),
        reader.optional_text(top, "about") or "",
        reader.reminders(top),
    )


class _Reader:
    """Turns loaded YAML into values; knows the file, for its error messages, and the toolbox."""

    def __init__(self, path: Path, box: Toolbox | None) -> None:
        self.path, self.box = path, box or Toolbox()

    def bad(self, what: str, where: Located | None = None, key: str = "") -> BadFile:
        line = where.lines.get(key, where.line) if where is not None else None
        return BadFile(self.path, f"{key}: {what}" if key else what, line)

    def mapping(self, value: Any, where: Located | None, key: str, what: str = "") -> Located:
        if not isinstance(value, Located):
            raise self.bad(f"{what}must be a mapping of keys to values, not {value!r:.40}", where, key)
        return value

    def filled(self, where: Located, key: str) -> Located:
        value = where.get(key)
        if value is None or value == {}:
            raise self.bad("is missing" if key not in where else "must not be empty", where, key)
        return self.mapping(value, where, key)

    def only(self, where: Located, known: Iterable[str]) -> None:
        for key in where:
            if key not in known:
                raise self.bad(str(UnknownName("key", key, known)), where, key)

    def text(self, where: Located, key: str) -> str:
        value = where.get(key)
        if not isinstance(value, str) or not value.strip():
            raise self.bad("is missing" if value is None else f"must be text, not {value!r:.40}", where, key)
        return value

    def optional_text(self, where: Located, key: str) -> str | None:
        return self.text(where, key) if key in where else None

    def choice(self, where: Located, key: str, among: tuple[str, ...], default: T) -> str | T:
        if key not in where:
            return default
        value = where[key]
        if value not in among:
            raise self.bad(f"must be {' or '.join(among)}, not {value!r:.40}", where, key)
        return str(value)

    def flag(self, where: Located, key: str, default: bool) -> bool:
        value = where.get(key, default)
        if not isinstance(value, bool):
            raise self.bad(f"must be true or false, not {value!r:.40}", where, key)
        return value

    def number(self, where: Located, key: str, default: int, least: int = 0) -> int:
        value = where.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise self.bad(f"must be a whole number of at least {least}, not {value!r:.40}", where, key)
        return value

    def items(self, where: Located, key: str) -> list[Any]:
        value = where.get(key)
        if not isinstance(value, list) or not value:
            raise self.bad("must be a list with at least one item", where, key)
        return value

    def names(self, where: Located, key: str, kind: str, known: Iterable[str]) -> list[str]:
        """A list of known names, none of them twice."""
        value, made = where[key], list[str]()
        if not isinstance(value, list):
            raise self.bad(f"must be a list of names, not {value!r:.40}", where, key)
        for name in value:
            if not isinstance(name, str) or name not in known:
                raise self.bad(str(UnknownName(kind, str(name), known)), where, key)
            if name in made:
                raise self.bad(f"{name!r} stands twice", where, key)
            made.append(name)
        return made

    def reminders(self, top: Located) -> dict[str, str]:
        """Sentences by pattern of model names."""
        where = self.filled(top, "reminders") if "reminders" in top else Located()
        return {pattern: self.text(where, pattern).strip() for pattern in where}

    # the parts of a suite --------------------------------------------------------------------------------------

    def experiments(self, top: Located, groups: dict[str, tuple[Case, ...]]) -> tuple[Experiment, ...]:
        """The experiments with their groups of cases; without any, one that plays them all."""
        if "experiments" not in top:
            everything = tuple(case for cases in groups.values() for case in cases)
            return (Experiment("chat", "every dialogue, mistakes corrected as they come", everything),)
        made = []
        parent = self.filled(top, "experiments")
        for name, value in parent.items():
            if "/" in name:
                raise self.bad("the name of an experiment has no '/' in it", parent, name)
            where = self.mapping(value, parent, name)
            self.only(where, ("about", "cases", "attempts", "corrections", "history", "branches"))
            self.items(where, "cases")
            chosen = self.names(where, "cases", "group of cases", groups)
            branches = self.names(where, "branches", "branch", BRANCHES) if "branches" in where else BRANCHES
            made.append(
                Experiment(
                    name,
                    self.optional_text(where, "about") or "",
                    tuple(case for group in chosen for case in groups[group]),
                    self.number(where, "attempts", 1, 1),
                    self.number(where, "corrections", 3),
                    self.choice(where, "history", ("own", "gold"), "own"),
                    tuple(branches),
                )
            )
        return tuple(made)

    def groups(self, top: Located) -> dict[str, tuple[Case, ...]]:
        """Every group of cases, by its name."""
        made: dict[str, tuple[Case, ...]] = {}
        where, ids = self.filled(top, "cases"), set[str]()
        for group in where:
            made[group] = tuple(
                self.case(self.mapping(item, where, group, f"case {number} "), group, number)
                for number, item in enumerate(self.items(where, group), 1)
            )
            for case in made[group]:
                if case.id in ids:
                    raise self.bad(f"two cases are called {case.id!r}; give each an id of its own", where, group)
                ids.add(case.id)
        return made

    def case(self, where: Located, group: str, number: int) -> Case:
        """One dialogue, cut at `upto`, its last reply given where `given` says so."""
        self.only(where, ("id", "steps", "upto", "given"))
        steps: list[Step] = []
        for each in self.items(where, "steps"):
            steps.append(self.step(self.mapping(each, where, "steps", f"step {len(steps) + 1} "), len(steps)))
        upto = self.number(where, "upto", len(steps), 1)
        if upto > len(steps):
            raise self.bad(f"there are only {len(steps)} steps", where, "upto")
        steps = steps[:upto]
        if given := self.optional_text(where, "given"):
            steps[-1] = replace(steps[-1], given=given)
        label = self.optional_text(where, "id")
        return Case(f"{group}/{label}" if label else f"{group}/{number}" if number > 1 else group, group, tuple(steps))

    def step(self, where: Located, number: int) -> Step:
        """One request with what is expected of the reply."""
        self.only(where, _STEP_KEYS)
        expected, reference = self.expected(where)
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
        )

    def amends(self, where: Located, number: int) -> int | None:
        value = where.get("amends", "none")
        if value == "none":
            return None
        earlier = number - 1 if value == "previous" else value - 1 if type(value) is int else -1
        if not 0 <= earlier < number:
            raise self.bad("must be previous, none or the number of an earlier step", where, "amends")
        return earlier

    def argument(self, where: Located, key: str, expected: Expected) -> str | None:
        name = self.optional_text(where, key)
        known = [argument for call in expected.calls for argument in call.arguments]
        if name is not None and name not in known:
            raise self.bad(str(UnknownName("argument", name, known, "those of the expected call")), where, key)
        return name

    def expected(self, where: Located) -> tuple[Expected, str]:
        """What is expected, and its calls as written."""
        written = where.get("expect")
        if "asks" in where or written == "none":
            for key in ("accept", "ordered", *(("expect",) if "asks" in where else ())):
                if key in where:
                    raise self.bad("goes with an expected call; this step expects none", where, key)
            return Expected(asks=self.asks(where)), ""
        if written is None:
            raise self.bad("is missing: the call that is right, or `none`", where, "expect")
        lines = [written] if isinstance(written, str) else self.items(where, "expect")
        calls = [self.call(where, line) for line in lines]
        if "accept" in where:
            calls = self.widened(where, calls)
        expected, reference = Expected(tuple(calls), ordered=self.flag(where, "ordered", False)), "\n".join(lines)
        if found := grade(reference, expected, self.box.specs).mistakes:
            raise self.bad(f"the call itself is not accepted: {', '.join(map(str, found))}", where, "accept")
        return expected, reference

    def asks(self, where: Located) -> tuple[str, ...]:
        if "asks" not in where:
            return ()
        self.items(where, "asks")
        parameters = sorted({name for spec in self.box.specs for name in spec.properties})
        return tuple(self.names(where, "asks", "argument", parameters))

    def call(self, where: Located, line: Any) -> ExpectedCall:
        """The expected call of one line. It must be one that the toolbox takes."""
        reading = read_python(line, self.box.specs, lenient=False) if isinstance(line, str) else None
        if reading is None or reading.problem or len(reading.calls) != 1 or reading.rest or reading.leniencies:
            why = (reading.detail or reading.rest) if reading else ""
            raise self.bad(f"{line!r} is not one plain call ({why or 'see docs/suites.md'})", where, "expect")
        call = reading.calls[0]
        try:
            _, coerced = self.box.tool(call.tool).validate(call.arguments)
        except ToolmendError as error:
            raise self.bad(str(error), where, "expect") from error
        if coerced:
            raise self.bad(f"{line!r} has a value of another type: {', '.join(coerced)}", where, "expect")
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


def select(suite: Suite, names: Iterable[str]) -> Suite:
    """The suite with only some of its experiments. Raises BadOption naming those it has."""
    wanted, known = list(names), [experiment.id for experiment in suite.experiments]
    for name in wanted:
        if name not in known:
            raise BadOption(f"suite '{suite.name}' has no experiment {name!r}; it has {', '.join(known)}")
    return replace(suite, experiments=tuple(e for e in suite.experiments if not wanted or e.id in wanted))
