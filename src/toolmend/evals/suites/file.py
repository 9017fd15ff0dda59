"""A suite's file read: its experiments, groups of cases, dialogues and named starting states. docs/suites.md.

Everything that is wrong with a file is one BadFile with file, line and key; single steps are evals/suites/steps.py's.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from toolmend.base.errors import ToolmendError
from toolmend.evals.suites.steps import StepReader
from toolmend.evals.suites.suite import BRANCHES, Case, Experiment, Step, Suite
from toolmend.evals.suites.yaml12 import Located, load
from toolmend.tools import Toolbox

_TOP_KEYS = tuple(
    "suite version about tools now system notation reminders starts aside open shapes experiments cases".split()
)
_EXPERIMENT_KEYS = tuple("about cases attempts corrections history branches start".split())


def read(path: Path, tools: str | None = None) -> Suite:
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
    now = reader.now(top)
    reader.for_all_steps(top)
    return Suite(
        name,
        reader.number(top, "version", 1),
        tools or own,
        reader.optional_text(top, "system"),
        reader.experiments(top, reader.groups(top)),
        hashlib.sha256(b"".join([path.read_bytes(), *reader.read])).hexdigest()[:16],
        str(path),
        reader.choice(top, "notation", ("blog",), None),
        reader.optional_text(top, "about") or "",
        reader.reminders(top),
        now,
    )


class _Reader(StepReader):
    """Turns a loaded file into a suite; `read` holds the bytes of the other files that it names."""

    def __init__(self, path: Path, box: Toolbox | None) -> None:
        super().__init__(path, box)
        self.read: list[bytes] = []

    def now(self, top: Located) -> dt.datetime | None:
        """The time it is, where the suite says so: a toolbox with a clock is needed for it."""
        if "now" not in top:
            return None
        if not isinstance(getattr(self.box, "now", None), dt.datetime):
            raise self.bad("this toolbox has no clock to set", top, "now")
        try:
            return dt.datetime.fromisoformat(self.text(top, "now"))
        except ValueError:
            raise self.bad(f"must be a time as YYYY-MM-DDTHH:MM, not {top['now']!r:.40}", top, "now") from None

    def reminders(self, top: Located) -> dict[str, str]:
        """Sentences by pattern of model names."""
        where = self.filled(top, "reminders") if "reminders" in top else Located()
        return {pattern: self.text(where, pattern).strip() for pattern in where}

    def for_all_steps(self, top: Located) -> None:
        """What steps share: starting states by name, places nobody looks at, arguments that may be anything."""
        self.open = self.arguments(top, "open")
        self.aside = tuple(str(item) for item in self.items(top, "aside")) if "aside" in top else ()
        where = self.filled(top, "starts") if "starts" in top else Located()
        for name, written in where.items():
            state = self.state_of_file(written, where, name) if isinstance(written, str) else written
            self.starts[name] = self.settable(state, where, name)

    def state_of_file(self, written: str, where: Located, key: str) -> Any:
        """The state in a JSON file beside this one, or under a name in it: `levels.json`, `levels.json#crypt`."""
        file, _, name = written.partition("#")
        path = self.path.parent / file
        try:
            content = path.read_bytes()
            data = json.loads(content)
        except (OSError, ValueError, RecursionError) as error:
            raise self.bad(f"{file} cannot be read as JSON ({error})", where, key) from error
        self.read.append(content)
        if not name:
            return data
        if not isinstance(data, dict) or name not in data:
            raise self.bad(f"{file} has no {name!r}", where, key)
        return data[name]

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
            self.only(where, _EXPERIMENT_KEYS)
            made.append(self.experiment(name, where, groups))
        return tuple(made)

    def experiment(self, name: str, where: Located, groups: dict[str, tuple[Case, ...]]) -> Experiment:
        """One experiment."""
        self.items(where, "cases")
        chosen = self.names(where, "cases", "group of cases", groups)
        branches = self.names(where, "branches", "branch", BRANCHES) if "branches" in where else BRANCHES
        cases = tuple(case for group in chosen for case in groups[group])
        if self.choice(where, "start", ("each", "chained"), "chained") == "each":
            cases = tuple(part for case in cases for part in self.parts(case, where))
        return Experiment(
            name,
            self.optional_text(where, "about") or "",
            cases,
            self.number(where, "attempts", 1, 1),
            self.number(where, "corrections", 3),
            self.choice(where, "history", ("own", "gold"), "own"),
            tuple(branches),
        )

    def parts(self, case: Case, where: Located) -> Iterator[Case]:
        """A dialogue as several, each beginning at a step that has a starting state of its own."""
        begins = [number for number, step in enumerate(case.steps) if number == 0 or step.start is not None]
        for begin, end in zip(begins, [*begins[1:], len(case.steps)], strict=True):
            steps = []
            for step in case.steps[begin:end]:
                if step.amends is not None and step.amends < begin:
                    raise self.bad(f"{case.id}: a step amends one that another start lies between", where, "start")
                steps.append(step if step.amends is None else replace(step, amends=step.amends - begin))
            yield replace(case, id=f"{case.id}/{begin + 1}" if len(begins) > 1 else case.id, steps=tuple(steps))

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
        for item in self.items(where, "steps"):
            steps.append(self.step(self.mapping(item, where, "steps", f"step {len(steps) + 1} "), len(steps)))
        upto = self.number(where, "upto", len(steps), 1)
        if upto > len(steps):
            raise self.bad(f"there are only {len(steps)} steps", where, "upto")
        steps = steps[:upto]
        if given := self.optional_text(where, "given"):
            steps[-1] = replace(steps[-1], given=given)
        label = self.optional_text(where, "id")
        return Case(f"{group}/{label}" if label else f"{group}/{number}" if number > 1 else group, group, tuple(steps))
