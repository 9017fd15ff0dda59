"""A study: two ways of training, several seeds each, one suite; the rates of both on the same requests with intervals.

Seeds are played as attempts of the same cases: tests and intervals are over cases, the differences of every seed stand
beside. Knows no way of training; those are corrections.py's and hindsight.py's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from toolmend.errors import BadOption
from toolmend.evals.outcomes import Played
from toolmend.evals.pairing import Side, pair
from toolmend.store import Store
from toolmend.training.studies.arena import STORE, Arena, Watching
from toolmend.training.studies.ledger import Ledger
from toolmend.training.studies.measured import Moved, differences
from toolmend.training.studies.mending import mending_suite

SCHEMA = 1
Train = Callable[[str, int, Path, Watching], Mapping[str, Any]]
"""(arm, seed, folder, watching): writes `folder/preset` and says what a reader should know of the training."""


@dataclass(frozen=True)
class Question:
    """What is asked: `arms` are the two ways, the second of which may be better, `decisive` the rate that says so."""

    name: str
    text: str
    arms: tuple[str, str]
    decisive: str
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Found:
    """What came of it: rates of both ways over all seeds, and by seed; what each training said."""

    question: Question
    cases: int
    seeds: tuple[int, ...]
    moved: tuple[Moved, ...]
    by_seed: tuple[tuple[int, tuple[Moved, ...]], ...]
    trainings: tuple[Mapping[str, Any], ...]

    @property
    def answer(self) -> str:
        """Yes or no, in the words of the question."""
        first, second = self.question.arms
        moved = next((each for each in self.moved if each.figure == self.question.decisive), None)
        if moved is None or moved.p is None:
            return f"nothing can be said: no case in which both have {self.question.decisive}"
        if moved.way == "same":
            return f"not beyond chance: {second} is neither better nor worse than {first}"
        return f"{'yes' if moved.way == 'better' else 'no, the other way round'}: {second} is {moved.way} than {first}"


def carry_out(question: Question, train: Train, work: Path, cases: int, seeds: int, watching: Watching) -> Found:
    """Train both ways with every seed, play the suite with each product, compare. What is done is not done again."""
    if seeds < 1 or cases < 2:
        raise BadOption("a study needs at least one seed and two cases")
    suite, numbers = mending_suite(cases), tuple(range(1, seeds + 1))
    what = {"study": question.name, "settings": dict(question.settings), "suite": suite.hash}
    ledger = Ledger(work, what)
    runs: dict[tuple[str, int], Played] = {}
    told = []
    with Store(work / STORE) as store:
        arena = Arena(store, ledger, watching=watching)
        for seed in numbers:
            for arm in question.arms:
                folder = work / f"{_slug(arm)}-{seed}"
                stage = f"{arm}, seed {seed}"
                if ledger.get(f"{stage}: trained") is None:
                    watching.say(f"training: {stage}")
                    ledger.put(f"{stage}: trained", dict(train(arm, seed, folder, watching)))
                told.append({"arm": arm, "seed": seed, **ledger.get(f"{stage}: trained")})
                preset = folder / "preset"
                name = str(preset) if preset.is_absolute() else f"./{preset}"
                runs[arm, seed] = arena.play(suite, name, stage)
    return _compared(question, cases, numbers, runs, told)


def _compared(
    question: Question,
    cases: int,
    seeds: tuple[int, ...],
    runs: Mapping[tuple[str, int], Played],
    trainings: Sequence[Mapping[str, Any]],
) -> Found:
    def moved(of: Iterable[int]) -> tuple[Moved, ...]:
        chosen = list(of)
        first, second = (_side(arm, {seed: runs[arm, seed] for seed in chosen}) for arm in question.arms)
        return differences(pair(first, second))

    by_seed = tuple((seed, moved([seed])) for seed in seeds)
    return Found(question, cases, seeds, moved(seeds), by_seed, tuple(trainings))


def _side(arm: str, runs: Mapping[int, Played]) -> Side:
    """All runs of one way: the seed of a training stands where the attempt would."""
    outcomes = [replace(each, attempt=seed) for seed, played in runs.items() for each in played.outcomes]
    return Side(arm, {(each.case, each.attempt, each.arm, each.strategy): each for each in outcomes})


def _slug(arm: str) -> str:
    return "-".join(arm.split())


def study_json(found: Found) -> dict[str, Any]:
    """What came of it as JSON-able data: docs/improving.md names every field."""
    question = found.question
    return {
        "schema": SCHEMA,
        "study": question.name,
        "question": question.text,
        "a": question.arms[0],
        "b": question.arms[1],
        "decisive": question.decisive,
        "answer": found.answer,
        "settings": dict(question.settings),
        "cases": found.cases,
        "seeds": list(found.seeds),
        "figures": [_moved_json(each) for each in found.moved],
        "by_seed": [{"seed": seed, "figures": [_moved_json(each) for each in moved]} for seed, moved in found.by_seed],
        "trainings": [dict(each) for each in found.trainings],
    }


def _moved_json(moved: Moved) -> dict[str, Any]:
    return {**asdict(moved), "way": moved.way}
