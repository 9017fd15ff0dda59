"""Suites as data: what is asked, what is expected, and how it is played. docs/suites.md explains the file format.

    suite > experiment > case = one dialogue > step = one request with its expected calls, or the world it leads to

Knows no models and runs nothing; files are read by evals/suites/file.py.
"""

from __future__ import annotations

import datetime as dt
import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol, TypeVar

from toolmend import registry
from toolmend.base.errors import BadOption, UnknownName
from toolmend.base.messages import ToolSpec
from toolmend.base.options import split_name
from toolmend.evals.suites.stub_tools import offered
from toolmend.grading import Expected
from toolmend.grading.worlds import ExpectedWorld
from toolmend.tools import Toolbox

T = TypeVar("T")

BRANCHES = ("level 0", "level 1", "level 2", "level 3", "false")


class Beside(Protocol):
    """A check that stands beside a step's own and decides nothing: what somebody else counts as right."""

    def holds(self, before: Any, after: Any) -> bool:
        """Whether it is passed, from the state of the world before the request and after the reply."""
        ...


@dataclass(frozen=True)
class Step:
    """One request. `amends` is the number of the step it changes (counted from 0), None for a new request.

    `given` is a reply that is set instead of asked for (a mistake of somebody else). `forced` names the argument of a
    mistake nobody can avoid; `corrects` the argument whose forced mistake this step's words correct. `reference` is the
    right calls as written, for gold history, and `words` what is right to say beside or instead of them. `world` is
    what must have become of the world, `start` the state it is in when a dialogue begins with this step, `open` the
    arguments of the reference that may be anything. `attempt` is a call that the world refuses.
    """

    say: str
    expected: Expected
    reference: str
    amends: int | None = None
    given: str | None = None
    forced: str | None = None
    corrects: str | None = None
    recoverable: bool = True
    world: ExpectedWorld | None = None
    start: Any = None
    words: str = ""
    open: tuple[str, ...] = ()
    attempt: str = ""
    beside: Mapping[str, Beside] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """One dialogue. `group` is its heading in the report; `tools` are those it brings, instead of the suite's; `now`
    is the time it is in these."""

    id: str
    group: str
    steps: tuple[Step, ...]
    tools: tuple[ToolSpec, ...] = ()
    now: dt.datetime | None = None


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
    """A whole file. `hash` changes with any byte of it. `path` is the name that loads it again.

    `reminders` are sentences by pattern of model names: what the user adds to everything said to such a model. `now` is
    the time it is in the toolbox. Where published rules count, too (`notation`, a step's `beside`), it takes no
    words for values.
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
    now: dt.datetime | None = None

    def reminder(self, model: str) -> str:
        """What is added to everything said to a model of that name; "" for nothing."""
        return fitting(self.reminders, model) or ""

    def cases(self) -> dict[str, Case]:
        """Every case by the name its samples are stored under: `experiment/case`."""
        return {f"{experiment.id}/{case.id}": case for experiment in self.experiments for case in experiment.cases}

    def toolbox(self, case: Case) -> Toolbox:
        """A new toolbox in the state in which a case begins."""
        if case.tools:
            box = offered(case.tools)
            if case.now is not None:
                box.now = case.now  # type: ignore[attr-defined]
            return box
        box = Toolbox.load(self.tools)
        box.spoken_values = self.notation is None and not any(step.beside for step in case.steps)
        if self.now is not None:
            box.now = self.now  # type: ignore[attr-defined]
        if case.steps and case.steps[0].start is not None:
            box.set_state(case.steps[0].start)
        return box


def shipped() -> list[str]:
    """Names of the suites inside the package."""
    return sorted(
        Path(str(entry)).stem
        for entry in files("toolmend.evals.suites.shipped").iterdir()
        if entry.name.endswith(".yaml")
    )


def imported() -> list[str]:
    """Names of the suites that `toolmend suites import` wrote."""
    from toolmend.evals.suites.lines import imported_suites

    return sorted(path.stem for path in imported_suites().glob("*.jsonl"))


def load_suite(name: str, tools: str | None = None, **options: str) -> Suite:
    """A shipped or imported suite by name, any suite by path, or one that a part of a program makes
    (`llmaker?cases=PATH`).

    `tools` names another toolbox to play it with. Raises UnknownName or BadFile; the latter, too, where an expected
    call is none of that toolbox; BadOption for `options` that the suite does not have.
    """
    if name in shipped() or name.endswith((".yaml", ".yml", ".jsonl")) or name in imported():
        if options:
            raise BadOption(f"suite {name!r} takes no {', '.join(sorted(options))}")
        own = Path(str(files("toolmend.evals.suites.shipped").joinpath(f"{name}.yaml")))
        if name in shipped():
            return read_suite(own, tools)
        return _read_any(name, tools)
    bare, given = split_name(name, "suite")
    if bare in registry.suites.names():
        return _made(bare, registry.suites.get(bare), tools, {**given, **options})
    if options:
        raise BadOption(f"suite {name!r} takes no {', '.join(sorted(options))}")
    if "/" in name:
        return read_suite(Path(name), tools)
    known = [*shipped(), *imported(), *registry.suites.names()]
    hint = "`toolmend suites import bfcl` fetches it" if name == "bfcl" else "a file is given as PATH.yaml"
    raise UnknownName("suite", name, known, hint)


def _read_any(name: str, tools: str | None) -> Suite:
    """A suite by its path, or an imported one by its name."""
    from toolmend.evals.suites.lines import imported_suites, read_lines

    path = Path(name) if "." in name else imported_suites() / f"{name}.jsonl"
    return read_lines(path, tools) if path.suffix == ".jsonl" else read_suite(path, tools)


def _made(name: str, factory: registry.Factory, tools: str | None, options: dict[str, str]) -> Suite:
    """The suite that a function makes. Raises BadOption for an option that it does not know."""
    known = [option for option in inspect.signature(factory).parameters if option != "tools"]
    if unknown := sorted(set(options) - set(known)):
        raise BadOption(f"suite {name!r} takes no {', '.join(unknown)}; it takes {', '.join(known) or 'nothing'}")
    made: Suite = factory(tools=tools, **options)
    return made


def read_suite(path: Path, tools: str | None = None) -> Suite:
    """The suite of a file, with its own toolbox or that of `tools`. Raises BadFile with line and key."""
    from toolmend.evals.suites.file import read

    return read(path, tools)


def select(suite: Suite, names: Iterable[str]) -> Suite:
    """The suite with only some of its experiments. Raises BadOption naming those it has."""
    wanted, known = list(names), [experiment.id for experiment in suite.experiments]
    for name in wanted:
        if name not in known:
            raise BadOption(f"suite '{suite.name}' has no experiment {name!r}; it has {', '.join(known)}")
    return replace(suite, experiments=tuple(e for e in suite.experiments if not wanted or e.id in wanted))


def fitting(patterns: Mapping[str, T], model: str) -> T | None:
    """What stands under the name itself, else under the first pattern that fits it; None if none does.

    `*` is any text and `?` any sign; capitals do not matter. What follows a `?` in the name, its options, is left out.
    """
    bare = model.partition("?")[0]
    for exact in (model, bare):
        if exact in patterns:
            return patterns[exact]
    return next((value for pattern, value in patterns.items() if fnmatchcase(bare.lower(), pattern.lower())), None)
