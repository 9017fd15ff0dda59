"""Where talks come from: runs of a store, and saved runs (`*.jsonl`), each with its toolbox and its system text.

Counts what it had to leave out. Makes no lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from toolmend.base.errors import BadOption, ToolmendError
from toolmend.base.messages import Message, ToolSpec
from toolmend.evals.comparing.baseline import find_stored, read_run
from toolmend.evals.reports.report import played_suite
from toolmend.evals.store import Run, Sample, Store
from toolmend.evals.suites.suite import Case, Suite
from toolmend.strategies.oneline import Oneline
from toolmend.strategies.strategy import Talk
from toolmend.tools import Toolbox
from toolmend.training.datasets.talks import Origin, StoredTalk, talk_of


@dataclass
class Intake:
    """What was read: runs, samples, and by reason what was left out."""

    runs: list[Run] = field(default_factory=list)
    samples: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    tools: dict[str, str] = field(default_factory=dict)


Found = tuple[Run, Iterable[Sample]]
"""A run with its samples, read as they are asked for."""


def find(words: Sequence[str], place: str | None, stack: ExitStack) -> list[Found]:
    """The runs named (ids or their beginnings, `*.jsonl` files); without a name every run of the store, oldest first.

    The store is closed with `stack`. Raises BadFile, UnknownName, or BadOption where there is nothing.
    """
    found = [_saved(Path(word)) for word in words if word.endswith(".jsonl")]
    ids = [word for word in words if not word.endswith(".jsonl")]
    if ids or not words:
        store = stack.enter_context(Store(place, create=False))
        runs = [find_stored(store, word) for word in ids] if ids else store.runs()
        for run in {run.id: run for run in sorted(runs, key=lambda run: (run.created, run.id))}.values():
            found.append((run, store.samples(run.id, by_case=True)))
        if not found:
            raise BadOption(f"{store.place} holds no run yet; `toolmend run` makes one")
    return found


def talks(found: Sequence[Found], intake: Intake) -> Iterator[StoredTalk]:
    """Every talk of these runs. What cannot be used is counted in `intake` and left out."""
    for run, samples in found:
        intake.runs.append(run)
        world = _World(run)
        for sample in samples:
            intake.samples += 1
            if sample.status == "error":
                intake.left_out["could not be run"] += 1
            elif not world.tools:
                intake.left_out[world.problem] += 1
            elif talk := _talk(sample, run, world):
                intake.tools[run.id] = world.name
                yield talk
            else:
                intake.left_out["no reply"] += 1


def _talk(sample: Sample, run: Run, world: _World) -> StoredTalk | None:
    origin = Origin(run.id, run.config.suite, sample.case, sample.attempt, sample.model, sample.strategy)
    talk = talk_of(sample, origin, world.tools, world.system(sample.case))
    return talk if talk.turns else None


class _World:
    """A run's toolbox as models were shown it, and the system text above a case. `problem` says why there is none."""

    def __init__(self, run: Run) -> None:
        self.problem = ""
        self._suite: Suite | None = played_suite(run, [])
        self._cases: Mapping[str, Case] = self._suite.cases() if self._suite else {}
        self._systems: dict[str, str] = {}
        self._given: str | None = self._suite.system if self._suite else run.config.settings.get("system")
        self.tools: tuple[ToolSpec, ...] = ()
        self.name = str(run.config.settings.get("tools") or (self._suite.tools if self._suite else ""))
        if not self.name:
            self.problem = "the run names no toolbox"
            return
        try:
            self._box = Toolbox.load(self.name)
            self.tools = self._box.specs
        except (ToolmendError, ImportError):
            self.problem = f"no toolbox {self.name}"

    def system(self, case: str) -> str:
        """The suite's text, or the one that the strategy `oneline` writes, with the world as the case begins."""
        if case not in self._systems:
            known = self._suite is not None and case in self._cases
            box = self._suite.toolbox(self._cases[case]) if self._suite and known else self._box
            self._systems[case] = system_text(box, self._given)
        return self._systems[case]


def system_text(box: Toolbox, given: str | None = None) -> str:
    """The text above a talk about this toolbox: the one given, or that of the strategy `oneline`."""
    shown = Talk(box.specs, (Message("user", ""),), given, box.view)
    return Oneline().system_text(shown)


def _saved(path: Path) -> Found:
    """A saved run, its samples in the order in which a store gives them."""
    run, samples = read_run(path)
    return run, sorted(samples, key=lambda sample: (*sample.contestant, sample.case, sample.attempt))
