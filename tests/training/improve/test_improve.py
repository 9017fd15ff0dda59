"""The flywheel on a tiny random model: every stage once, whatever stops it; the product; what is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jax")
pytest.importorskip("keras_hub")

from toolmend.errors import BadOption, ToolmendError
from toolmend.evals.suites.suite import load_suite
from toolmend.models import load_model
from toolmend.training.improve import improve as module
from toolmend.training.improve.arena import Watching
from toolmend.training.improve.asked import Asked, check
from toolmend.training.improve.improve import improve
from toolmend.training.improve.lessons import check_mix
from toolmend.training.improve.report import report
from toolmend.training.improve.verdict import Verdict
from toolmend.training.tune import tuning
from toolmend.training.tune.recipe import Recipe

NOUNS = ("lunch", "dentist", "choir", "yoga", "chess", "swim", "opera", "market")  # the cases of the suite
FIGURES = {"before": {"held_out_loss": 2.0}, "after": {"held_out_loss": 1.0}, "kept_step": 4, "steps": 5, "tokens": 9}


class Stopped(Exception):
    """In place of a kill."""


@pytest.fixture
def asked(model: Path, suite: str, guard: str, tmp_path: Path) -> Asked:
    return Asked(
        str(model), suite, tmp_path / "out", tmp_path / "work", guards=(guard,), mix=0.6, command="the command"
    )


@pytest.fixture
def trained(monkeypatch: pytest.MonkeyPatch) -> list[tuning.Asked]:
    """Training that only copies the base; what was asked of it."""
    calls: list[tuning.Asked] = []

    def tune(asked: tuning.Asked, _report: object, _say: object) -> dict[str, Any]:
        calls.append(asked)
        shutil.copytree(asked.base, asked.out, dirs_exist_ok=True)
        return FIGURES

    monkeypatch.setattr(tuning, "tune", tune)
    return calls


@pytest.fixture
def verdicts(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sets what is decided, round by round."""

    def say(*kept: bool) -> None:
        each: Iterator[bool] = iter(kept)
        monkeypatch.setattr(module, "decide", lambda _parts: Verdict(next(each), ("because",)))

    return say


def test_the_same_model_is_not_kept(asked: Asked, trained: list[tuning.Asked]) -> None:
    found = improve(asked)
    assert (found.out, asked.out.exists(), len(trained)) == (None, False, 1)
    [once] = found.rounds
    assert [(each.name, each.decides, each.cases) for each in once.parts] == [
        ("eight, all cases", True, 8),
        ("two", False, 2),
    ]
    assert (once.mistakes, once.kept) == (8, False)
    assert once.verdict is not None and once.verdict.why == ("eight, all cases: nothing is better beyond chance",)


def test_mistakes_become_lessons_with_the_right_reply(asked: Asked, trained: list[tuning.Asked]) -> None:
    improve(asked)
    lines = [json.loads(line) for line in (trained[0].data / "train" / "chat.jsonl").read_text().splitlines()]
    own = [line for line in lines if line["from"].get("own")]
    said = {message["content"] for line in own for message in line["messages"][-1:]}
    assert 'action.add_calendar_entry("Lunch", date="2024-05-01", time="12:00")' in said
    simulated = [line for line in lines if "simulated" in line["from"]]
    assert len(simulated) == round(1.5 * len(own))


def test_cases_held_out_are_in_no_lesson(asked: Asked, trained: list[tuning.Asked]) -> None:
    found = improve(replace(asked, hold=0.5, guards=(), mix=0.8))
    held = {name.split("/")[1] for name in found.checked.held}
    assert 0 < len(held) < 8
    lessons = "".join(path.read_text(encoding="utf-8") for path in trained[0].data.glob("t*/*.jsonl"))
    assert {noun for noun in NOUNS if f"Put the {noun} on" in lessons} == set(NOUNS) - held
    parts = found.rounds[0].parts
    assert [(each.name, each.decides, each.cases) for each in parts] == [
        ("eight, held out", True, len(held)),
        ("eight, learned from", False, 8 - len(held)),
    ]


def test_a_model_that_is_better_is_put_in_its_place(
    asked: Asked, trained: list[tuning.Asked], verdicts: Callable[..., None]
) -> None:
    verdicts(True)
    found = improve(asked)
    assert found.out == asked.out
    assert load_model(str(asked.out)).abilities.toolboxes == ("calendar",)
    card = (asked.out / "README.md").read_text(encoding="utf-8")
    runs = found.rounds[0].parts[0].runs
    assert "by `the command`" in card and f"runs {runs[0]} and {runs[1]}" in card
    assert "| first right |" in card and "- 'two' took part in the decision" in card
    assert json.loads((asked.out / "improved.json").read_text(encoding="utf-8")) == json.loads(
        json.dumps(report(found))
    )


def test_rounds_go_on_from_what_was_kept(
    asked: Asked, trained: list[tuning.Asked], verdicts: Callable[..., None]
) -> None:
    verdicts(True, False)
    found = improve(replace(asked, rounds=3))
    first = str(asked.work / "round-1" / "preset")
    assert [each.base for each in trained] == [asked.model, first]
    assert [(each.model, each.kept) for each in found.rounds] == [(asked.model, True), (first, False)]
    assert found.rounds[1].parts[0].runs[0] == found.rounds[0].parts[0].runs[1]  # played once
    assert found.out == asked.out


@pytest.mark.parametrize("stage", ["playing eight with", "playing two with", "trained", "round-1/preset"])
def test_stopped_anywhere_it_goes_on(
    asked: Asked, trained: list[tuning.Asked], stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def say(text: str) -> None:
        if stage in text:
            raise Stopped

    def stop(*_arguments: object) -> None:
        raise Stopped

    with monkeypatch.context() as broken:
        if stage == "trained":
            broken.setattr(tuning, "tune", stop)
        with pytest.raises(Stopped):
            improve(asked, Watching(say))
    found, again = improve(asked), improve(asked)
    assert len(trained) == 1
    assert report(found) == report(again)
    assert sorted(path.name for path in (asked.work / "round-1").iterdir()) == ["found", "lessons", "preset"]


def test_samples_stopped_in_the_middle_are_not_played_again(asked: Asked, trained: list[tuning.Asked]) -> None:
    heard: list[int] = []

    def third(progress: Any) -> None:
        heard.append(progress.done)
        if progress.done == 3:
            raise Stopped

    with pytest.raises(BaseExceptionGroup) as stopped:
        improve(asked, Watching(samples=third))
    assert stopped.group_contains(Stopped)
    heard.clear()
    improve(asked, Watching(samples=lambda progress: heard.append(progress.done)))
    assert heard[0] >= 3


def test_another_recipe_in_the_same_folder_is_refused(asked: Asked, trained: list[tuning.Asked]) -> None:
    improve(asked)
    with pytest.raises(BadOption, match=r"holds other work \(recipe differ\)"):
        improve(replace(asked, recipe=Recipe(rate=0.1)))


def test_too_few_lessons_are_said_before_training(asked: Asked, trained: list[tuning.Asked]) -> None:
    with pytest.raises(BadOption, match=r"too few lessons: \d+ chat to stop the training by, at least 4 are needed"):
        improve(replace(asked, mix=0.0))
    assert trained == []


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"suite": "calendar_test"}, "'calendar_test' is kept for testing: a model that has learned from it"),
        ({"guards": ("calendar_dev",), "suite": "calendar_dev"}, "--guard calendar_dev is the suite"),
        ({"suite": "shop"}, "suite 'shop' is played with the toolbox shop; "),
        ({"guards": ("shop",)}, "suite 'shop' is played with the toolbox shop; "),
        ({"suite": "nothing"}, "unknown suite 'nothing'"),
        ({"model": "ollama/qwen"}, "base 'ollama/qwen' is neither"),
        ({"model": "last.ckpt"}, "pickled weights are never loaded"),
        ({"strategy": "nothing"}, "unknown strategy 'nothing'"),
        ({"hold": 0.0001}, "--hold 0.0001 leaves none of the 8 cases of 'eight' to judge by"),
    ],
)
def test_what_is_wrong_is_said_at_once(asked: Asked, change: dict[str, Any], what: str) -> None:
    with pytest.raises(ToolmendError) as error:
        check(replace(asked, **change))
    assert what in str(error.value)
    assert not asked.work.exists()


def test_simulated_dialogues_are_the_calendars() -> None:
    with pytest.raises(BadOption, match="--mix: simulated dialogues are about the calendar, 'shop' is about shop"):
        check_mix(load_suite("shop"), 0.5)


def test_something_else_is_not_overwritten(asked: Asked) -> None:
    asked.out.mkdir()
    (asked.out / "mine.txt").write_text("", encoding="utf-8")
    with pytest.raises(BadOption, match="is there and is no improved model"):
        check(asked)


def test_what_the_figures_are_worth_is_noted(asked: Asked) -> None:
    notes = check(replace(asked, guards=())).notes
    assert [note.split(":")[0] for note in notes] == ["'eight' is no suite for development", "no case is held out"]
    forced = check(replace(asked, suite="calendar_test", force=True, guards=()))
    assert "learned from by force" in forced.notes[0]
    assert forced.held and not forced.held & forced.learned


@pytest.mark.slow
def test_a_real_training(asked: Asked) -> None:
    found = improve(replace(asked, guards=(), recipe=Recipe(tokens=4000, batch=1024, every=2)))
    assert found.rounds[0].training["steps"] >= 2
    assert (asked.work / "round-1" / "preset" / "model.safetensors").is_file()
