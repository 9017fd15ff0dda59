"""What is asked of the flywheel, and everything that can be wrong with it, said before anything is played or loaded."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from toolmend.errors import BadOption
from toolmend.evals.suites.suite import Suite, load_suite
from toolmend.models.keras.loading import prepare
from toolmend.strategies import load_strategy
from toolmend.training.datasets.phrasing import As
from toolmend.training.improve.halves import check_share, held_cases, is_dev, kept_for_testing, usual_share
from toolmend.training.improve.lessons import check_mix
from toolmend.training.improve.simulated import TOOLBOX
from toolmend.training.tune.base import Base, open_base
from toolmend.training.tune.recipe import Recipe

MIX = 0.5


@dataclass(frozen=True)
class Asked:
    """What was asked for. `out` gets the kept preset, `work` everything else.

    `hold` is the share of talks to judge by (None: the usual one), `mix` the share of simulated dialogues (None: half
    where the toolbox is theirs, else none). `force` allows a suite that is kept for testing.
    """

    model: str
    suite: str
    out: Path
    work: Path
    recipe: Recipe = field(default_factory=Recipe)
    guards: tuple[str, ...] = ()
    rounds: int = 1
    strategy: str = "oneline"
    attempts: int | None = None
    temperature: float | None = None
    hold: float | None = None
    mix: float | None = None
    force: bool = False
    command: str = ""


@dataclass(frozen=True)
class Checked:
    """The same with what the names stand for. `held` are the cases never learned from, `notes` what figures mean."""

    asked: Asked
    base: Base
    suite: Suite
    guards: tuple[Suite, ...]
    hold: float
    held: frozenset[str]
    mix: float
    notes: tuple[str, ...]

    @property
    def form(self) -> As:
        """How calls are written in the lessons."""
        return "native" if self.asked.strategy.partition("?")[0] == "native" else "oneline"

    @property
    def learned(self) -> frozenset[str]:
        """The cases learned from."""
        return frozenset(self.suite.cases()) - self.held

    def identity(self) -> dict[str, Any]:
        """What makes two improvements the same; the number of rounds may grow."""
        asked = self.asked
        return {
            "model": f"{asked.model} {self.base.identity[:16]}",
            "suite": f"{self.suite.name} {self.suite.hash}",
            "guards": [f"{each.name} {each.hash}" for each in self.guards],
            "recipe": asdict(asked.recipe),
            "hold": self.hold,
            "mix": self.mix,
            "strategy": asked.strategy,
            "attempts": asked.attempts,
            "temperature": asked.temperature,
        }


def check(asked: Asked) -> Checked:
    """Everything opened. Raises UnknownName, BadFile or BadOption for what is wrong, MissingExtra without Keras."""
    prepare()
    suite = load_suite(asked.suite)
    guards = tuple(load_suite(name) for name in dict.fromkeys(asked.guards))
    forced = _tested(suite, force=asked.force)
    for guard in guards:
        if guard.name == suite.name:
            raise BadOption(f"--guard {guard.name} is the suite that is learned from; a guard must be another one")
    base = open_base(asked.model)
    load_strategy(asked.strategy)
    for each in (suite, *guards):
        if base.toolboxes and each.tools not in base.toolboxes:
            known = ", ".join(base.toolboxes)
            raise BadOption(f"suite '{each.name}' is played with the toolbox {each.tools}; {asked.model} knows {known}")
    hold = usual_share(suite) if asked.hold is None else asked.hold
    mix = (MIX if suite.tools == TOOLBOX else 0.0) if asked.mix is None else asked.mix
    check_mix(suite, mix)
    held = held_cases(suite, hold) if hold else frozenset[str]()
    check_share(suite, held, hold)
    _check_out(asked)
    notes = (*forced, *_notes(suite, guards, hold))
    return Checked(asked, base, suite, guards, hold, held, mix, notes)


def _tested(suite: Suite, *, force: bool) -> tuple[str, ...]:
    why = kept_for_testing(suite)
    if why is None:
        return ()
    if not force:
        what = "a model that has learned from it could never be tested on it again"
        raise BadOption(f"{why}: {what}; improve on calendar_dev, or say --force")
    return (f"{why}, and was learned from by force: its figures are no test of this model, now or later",)


def _notes(suite: Suite, guards: tuple[Suite, ...], hold: float) -> tuple[str, ...]:
    """What these suites' figures are worth afterwards."""
    made = []
    if not is_dev(suite) and kept_for_testing(suite) is None:
        made.append(f"'{suite.name}' is no suite for development: learned from, its figures are no test of this model")
    if not hold:
        made.append("no case is held out: it is judged by the very cases it has learned from, which flatters it")
    for each in guards:
        made.append(f"'{each.name}' took part in the decision: its figures flatter a little, too")
    return tuple(made)


def _check_out(asked: Asked) -> None:
    """Raise BadOption for a folder that holds something else than an improved model of the same work."""
    out = asked.out
    if out.exists() and (not out.is_dir() or any(out.iterdir())) and not (out / "improved.json").is_file():
        raise BadOption(f"--out {out} is there and is no improved model; name another folder")
