"""A study from end to end, its trainings canned: what is compared, what is done once, what it answers."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from toolmend.errors import BadOption
from toolmend.models import builtin
from toolmend.training.studies.arena import Watching
from toolmend.training.studies.measured import Moved
from toolmend.training.studies.study import Found, Question, carry_out, study_json

QUESTION = Question("canned", "Is B better?", ("way A", "way B"), "net_fix", {"tokens": 5})
PRESETS = {"way A": "plain", "way B": "small"}


class Trainer:
    """Writes models that ship; `calls` says which were asked for, `stop` before which it is killed."""

    def __init__(self, stop: int = 99) -> None:
        self.calls: list[tuple[str, int]] = []
        self.stop = stop

    def __call__(self, arm: str, seed: int, folder: Path, _watching: Watching) -> Mapping[str, Any]:
        if len(self.calls) == self.stop:
            raise InterruptedError
        self.calls.append((arm, seed))
        shutil.copytree(builtin.PRESETS / PRESETS[arm], folder / "preset")
        return {"loss": 0.5}


def test_both_ways_with_every_seed_on_the_same_requests(tmp_path: Path) -> None:
    trainer = Trainer()
    found = carry_out(QUESTION, trainer, tmp_path, 4, 2, Watching())
    assert trainer.calls == [("way A", 1), ("way B", 1), ("way A", 2), ("way B", 2)]
    rates = {each.figure: each for each in found.moved}
    assert (rates["first_right"].pairs, rates["first_right"].cases) == (8, 4)
    assert (rates["fix_at_1"].pairs, rates["fix_at_1"].cases) == (8, 4)
    assert [seed for seed, _ in found.by_seed] == [1, 2]
    data = json.loads(json.dumps(study_json(found)))
    assert (data["a"], data["b"], data["seeds"], data["cases"]) == ("way A", "way B", [1, 2], 4)
    assert data["trainings"][0] == {"arm": "way A", "seed": 1, "loss": 0.5}


def test_stopped_it_goes_on(tmp_path: Path) -> None:
    with pytest.raises(InterruptedError):
        carry_out(QUESTION, Trainer(stop=1), tmp_path, 2, 1, Watching())
    trainer = Trainer()
    carry_out(QUESTION, trainer, tmp_path, 2, 1, Watching())
    assert trainer.calls == [("way B", 1)]


def test_more_seeds_go_on_from_those_there(tmp_path: Path) -> None:
    carry_out(QUESTION, Trainer(), tmp_path, 2, 1, Watching())
    trainer = Trainer()
    found = carry_out(QUESTION, trainer, tmp_path, 2, 2, Watching())
    assert (trainer.calls, found.seeds) == ([("way A", 2), ("way B", 2)], (1, 2))


@pytest.mark.parametrize(("cases", "seeds"), [(1, 1), (2, 0)])
def test_too_little_is_refused(tmp_path: Path, cases: int, seeds: int) -> None:
    with pytest.raises(BadOption, match="at least one seed and two cases"):
        carry_out(QUESTION, Trainer(), tmp_path, cases, seeds, Watching())


@pytest.mark.parametrize(
    ("difference", "p", "answer"),
    [
        (0.1, 0.01, "yes: way B is better than way A"),
        (-0.1, 0.01, "no, the other way round: way B is worse than way A"),
        (0.1, 0.2, "not beyond chance: way B is neither better nor worse than way A"),
        (None, None, "nothing can be said: no case in which both have net_fix"),
    ],
)
def test_the_answer(difference: float | None, p: float | None, answer: str) -> None:
    moved = (Moved("net_fix", 9, 9, difference=difference, p=p, p_holm=p),)
    assert Found(QUESTION, 9, (1,), moved, (), ()).answer == answer
