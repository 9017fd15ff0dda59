"""`toolmend improve`: what arrives, what is shown; the flywheel itself is somebody else's."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import Result

pytest.importorskip("keras_hub")

from toolmend.training.improve.arena import Watching
from toolmend.training.improve.asked import Asked
from toolmend.training.improve.improve import Improved, Round
from toolmend.training.improve.measured import Moved, Part
from toolmend.training.improve.verdict import Verdict
from toolmend.training.tune.recipe import Recipe

Invoke = Callable[..., Result]
WORDS = ("improve", "builtin/small", "--suite", "calendar_dev", "--out", "better")
UP = Moved("first_right", 40, 15, 0.25, (0.1, 0.4), 0.5, (0.3, 0.7), 0.25, (0.05, 0.45), "wilcoxon", 0.004, 0.02)
PART = Part("calendar_dev, held out", "calendar_dev", True, (UP, Moved("done")), ("aaa", "bbb"))
DATA = {"lessons": {"train": {"chat": 40, "pairs": 20, "hindsight": 20}}}
TRAINING = {"before": {"held_out_loss": 2.0}, "after": {"held_out_loss": 0.5}, "kept_step": 50, "steps": 60}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Asked]:
    """A flywheel that only reports; what was asked of it."""
    calls: list[Asked] = []

    def turn(asked: Asked, watching: Watching) -> Improved:
        calls.append(asked)
        watching.say("playing")
        watching.samples(SimpleNamespace(done=1, total=2, errors=0))  # type: ignore[arg-type]
        watching.rows({"step": 50, "tokens": 8000, "held_out_loss": 0.5, "best": True})
        kept = not asked.force
        verdict = Verdict(kept, ("it is better",) if kept else ("it is not better",))
        once = Round(1, asked.model, "w/preset", 12, DATA, TRAINING, (PART,), verdict)
        suite = SimpleNamespace(name="calendar_dev", hash="h")
        checked: Any = SimpleNamespace(
            asked=asked, suite=suite, hold=0.5, held=frozenset({"chat/a"}), mix=0.5, notes=("take care",)
        )
        return Improved(checked, (once,), asked.out if kept else None)

    monkeypatch.setattr("toolmend.training.improve.improve.improve", turn)
    return calls


def test_the_plainest_command(invoke: Invoke, asked: list[Asked]) -> None:
    assert invoke(*WORDS).exit_code == 0
    command = "toolmend improve builtin/small --suite calendar_dev --out better"
    assert asked == [
        Asked("builtin/small", "calendar_dev", Path("better"), Path("better.work"), Recipe(), command=command)
    ]


def test_every_option_arrives(invoke: Invoke, asked: list[Asked]) -> None:
    more = "--work w --guard a --guard b --rounds 3 --method hindsight --strategy native --attempts 4 --temperature 0.5"
    last = "--hold 0.3 --mix 0.2 --epochs 2 --tokens 9 --batch 8 --rate 0.1 --every 7 --seed 6 --lora 4 --force"
    invoke(*WORDS, *more.split(), *last.split())
    [found] = asked
    assert found.recipe == Recipe("hindsight", 2.0, 9, 8, 0.1, every=7, seed=6, rank=4)
    assert (found.work, found.guards, found.rounds, found.strategy) == (Path("w"), ("a", "b"), 3, "native")
    assert (found.attempts, found.temperature, found.hold, found.mix, found.force) == (4, 0.5, 0.3, 0.2, True)


def test_what_is_printed(invoke: Invoke, asked: list[Asked]) -> None:
    result = invoke(*WORDS)
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert lines[0] == "round 1: builtin/small, 12 mistakes; lessons: 40 chat, 20 pairs, 20 hindsight"
    assert "calendar_dev, held out · decides · 15 cases · runs aaa and bbb" in lines
    assert "first right 25 % 50 % +25 % 0.020 40" in lines and "(10…40) (30…70) (+5…+45) (15)" in lines
    assert lines[-4:] == ["kept:", "it is better", "better is better: use it with --model ./better", "note: take care"]
    assert result.stderr.splitlines() == [
        "toolmend: playing",
        "toolmend: 8,000 tokens: held-out loss 0.5000, the best so far",
        "toolmend: whole reports: toolmend show RUN --store better.work/runs.db",
    ]


def test_a_model_that_is_not_better_stays(invoke: Invoke, asked: list[Asked]) -> None:
    result = invoke(*WORDS, "--force")
    assert result.exit_code == 0
    assert "builtin/small stays; nothing was written to better" in result.stdout


def test_json_stands_alone(invoke: Invoke, asked: list[Asked]) -> None:
    data = json.loads(invoke(*WORDS, "--format", "json").stdout)
    assert (data["schema"], data["kept"], data["preset"], data["held_cases"]) == (1, True, "better", ["chat/a"])
    [once] = data["rounds"]
    assert (once["kept"], once["why"], once["parts"][0]["runs"]) == (
        True,
        ["it is better"],
        {"before": "aaa", "after": "bbb"},
    )
    figure = once["parts"][0]["figures"][0]
    assert (figure["a"], figure["a_ends"], figure["b"], figure["difference"], figure["ends"], figure["way"]) == (
        0.25, [0.1, 0.4], 0.5, 0.25, [0.05, 0.45], "better",
    )  # fmt: skip


def test_ctrl_c_says_how_to_go_on(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("toolmend.training.improve.improve.improve", interrupted)
    result = invoke(*WORDS)
    said = "toolmend: stopped; what is finished is in better.work: the same command goes on\n"
    assert (result.exit_code, result.stderr) == (130, said)


def test_a_suite_for_testing_is_one_line(invoke: Invoke) -> None:
    result = invoke("improve", "builtin/small", "--suite", "calendar_test", "--out", "o")
    assert result.exit_code == 2
    assert result.stderr.startswith("toolmend: 'calendar_test' is kept for testing: ")
    assert list(Path().iterdir()) == []
