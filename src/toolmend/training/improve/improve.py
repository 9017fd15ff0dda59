"""`toolmend improve`: play, learn from the mistakes, play again, keep the new model only if it is better. In rounds.

Every stage is noted in the work folder: killed anywhere, the same call goes on. Knows the order of things only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolmend.evals.metrics.outcomes import Played
from toolmend.evals.suites.suite import Suite
from toolmend.store import Store
from toolmend.training.improve.arena import STORE, Arena, Watching
from toolmend.training.improve.asked import Asked, Checked, check
from toolmend.training.improve.ledger import Ledger
from toolmend.training.improve.lessons import Source, compose, find_lessons
from toolmend.training.improve.measured import Part, part
from toolmend.training.improve.product import put_out
from toolmend.training.improve.verdict import Verdict, decide

DIALOGUES = 1_000_000  # simulated dialogues set apart for each round


@dataclass(frozen=True)
class Round:
    """One turn of the wheel. `verdict` None: there was no mistake to learn from. `data` and `training` are counts."""

    number: int
    model: str
    preset: str
    mistakes: int
    data: Mapping[str, Any]
    training: Mapping[str, Any]
    parts: tuple[Part, ...]
    verdict: Verdict | None

    @property
    def kept(self) -> bool:
        """Whether its product is kept."""
        return self.verdict is not None and self.verdict.kept


@dataclass(frozen=True)
class Improved:
    """What came of it: the rounds, and where the best model is, None where none was better than the one given."""

    checked: Checked
    rounds: tuple[Round, ...]
    out: Path | None


def improve(asked: Asked, watching: Watching | None = None) -> Improved:
    """Everything checked, then round after round until one is not kept.

    Raises what is wrong before anything is played; BadOption where there is too little to learn from.
    """
    checked = check(asked)
    ledger = Ledger(asked.work, checked.identity())
    with Store(asked.work / STORE) as store:
        arena = Arena(store, ledger, asked.strategy, asked.attempts, asked.temperature, watching or Watching())
        wheel = _Wheel(checked, arena)
        rounds: list[Round] = []
        model = asked.model
        for number in range(1, asked.rounds + 1):
            rounds.append(wheel.turn(number, model))
            if not rounds[-1].kept:
                break
            model = rounds[-1].preset
    found = Improved(checked, tuple(rounds), asked.out if rounds[0].kept else None)
    if found.out is not None:
        put_out(found)
    return found


@dataclass(frozen=True)
class _Wheel:
    checked: Checked
    arena: Arena

    def turn(self, number: int, model: str) -> Round:
        """One round: its lessons, its training, its verdict."""
        folder = self.checked.asked.work / f"round-{number}"
        before = self._play(model, "base" if number == 1 else f"round {number - 1}")
        mistakes = self._mistakes(before[0])
        if not mistakes:
            return Round(number, model, "", 0, {}, {}, (), None)
        lessons, data = self._lessons(folder, before[0], number)
        preset, training = self._train(model, folder, lessons, number)
        after = self._play(preset, f"round {number}")
        parts = self._parts(before, after)
        return Round(number, model, preset, mistakes, data, training, parts, decide(parts))

    def _play(self, model: str, stage: str) -> list[Played]:
        """The suite and the guards."""
        suites: tuple[Suite, ...] = (self.checked.suite, *self.checked.guards)
        return [self.arena.play(suite, model, f"{stage}: {suite.name}") for suite in suites]

    def _mistakes(self, played: Played) -> int:
        """Wrong first replies in the cases that are learned from."""
        learned = self.checked.learned
        steps = [step for each in played.outcomes if each.case in learned for step in each.steps.values()]
        return sum(not step.right[0] for step in steps)

    def _lessons(self, folder: Path, played: Played, number: int) -> tuple[Path, dict[str, Any]]:
        checked = self.checked
        source = Source(checked.suite, played.run.id, self.arena.store.place, checked.hold, checked.form)
        found, lessons = folder / "found", folder / "lessons"
        counts = find_lessons(source, found)
        about = compose(
            source, found, lessons, mix=checked.mix, method=checked.asked.recipe.method, start=number * DIALOGUES
        )
        return lessons, {"found": counts["parts"], "lessons": about["parts"]}

    def _train(self, model: str, folder: Path, lessons: Path, number: int) -> tuple[str, dict[str, Any]]:
        """The new preset as a model's name, and what its training says of itself."""
        from toolmend.training.tune import tuning

        stage, ledger = f"round {number}: trained", self.arena.ledger
        preset = folder / "preset"
        name = f"{'keras/' if model.startswith('keras/') else ''}{_as_name(preset)}"
        figures = ledger.get(stage)
        if figures is None:
            asked = self.checked.asked
            wanted = tuning.Asked(model, lessons, preset, folder / "tune", asked.recipe, command=asked.command)
            figures = tuning.tune(wanted, self.arena.watching.rows, self.arena.watching.say)
            ledger.put(stage, figures)
        return name, figures

    def _parts(self, before: list[Played], after: list[Played]) -> tuple[Part, ...]:
        """The cases held out decide, where there are any; those learned from and the guards must not be worse."""
        checked, [first, *guards], [second, *later] = self.checked, before, after
        name = checked.suite.name
        if not checked.held:
            made = [part(f"{name}, all cases", first, second, decides=True)]
        else:
            made = [
                part(f"{name}, held out", first, second, decides=True, only=checked.held),
                part(f"{name}, learned from", first, second, decides=False, only=checked.learned),
            ]
        more = [part(a.run.config.suite, a, b, decides=False) for a, b in zip(guards, later, strict=True)]
        return (*made, *more)


def _as_name(folder: Path) -> str:
    return str(folder) if folder.is_absolute() else f"./{folder}"
