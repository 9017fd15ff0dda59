"""`toolmend train --base … --data …`: what it asks for, shows and prints; the training itself is somebody else's."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

pytest.importorskip("jax")  # the module that is called imports the whole of fine-tuning
pytest.importorskip("keras_hub")

from toolmend.training.tune.recipe import Recipe
from toolmend.training.tune.tuning import Asked

Invoke = Callable[..., Result]
WORDS = ("--base", "keras/tiny", "--data", "d", "--out", "o")
FIGURES = {
    "before": {"held_out_loss": 0.75}, "after": {"held_out_loss": 0.5}, "kept_step": 50, "steps": 60, "tokens": 9000,
}  # fmt: skip
ROWS: list[dict[str, Any]] = [
    {"step": 0, "tokens": 0, "held_out_loss": 0.75, "best": True},
    {"step": 5, "steps": 60, "tokens": 1000, "of": 9000, "loss": 0.9, "tokens_per_second": 500},
    {"step": 50, "tokens": 8000, "held_out_loss": 0.5, "best": True},
]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Asked]:
    """Training that only reports; what was asked of it."""
    calls: list[Asked] = []

    def tune(asked: Asked, report: Callable[[Mapping[str, Any]], None], say: Callable[[str], None]) -> Any:
        calls.append(asked)
        say("60 steps")
        for row in ROWS:
            report(row)
        return FIGURES

    monkeypatch.setattr("toolmend.training.tune.tuning.tune", tune)
    return calls


@pytest.mark.parametrize("command", [("train",), ("train", "tune")])
def test_without_a_name_train_is_train_tune(invoke: Invoke, asked: list[Asked], command: tuple[str, ...]) -> None:
    assert invoke(*command, *WORDS).exit_code == 0
    line = "toolmend train --base keras/tiny --data d --out o"
    assert asked == [Asked("keras/tiny", Path("d"), Path("o"), Path("o.work"), Recipe(), command=line)]


def test_every_option_arrives(invoke: Invoke, asked: list[Asked]) -> None:
    more = "--method preference --work w --tokens 5 --batch 64 --rate 0.1 --length 99 --seed 7 --every 3"
    last = "--patience 2 --beta 0.5 --lora --rank 4 --alpha 2 --skip-bad --epochs 2"
    assert invoke("train", *WORDS, *more.split(), *last.split()).exit_code == 0
    [found] = asked
    assert (found.work, found.skip_bad) == (Path("w"), True)
    assert found.recipe == Recipe(
        "preference", 2.0, 5, 64, 0.1, seed=7, every=3, patience=2, length=99, beta=0.5, rank=4, alpha=2.0
    )


def test_without_lora_every_weight_is_trained(invoke: Invoke, asked: list[Asked]) -> None:
    invoke("train", *WORDS, "--rank", "4")
    assert asked[0].recipe.rank == 0


def test_figures_are_printed_at_the_end_and_progress_on_standard_error(invoke: Invoke, asked: list[Asked]) -> None:
    result = invoke("train", *WORDS)
    assert result.stdout.splitlines() == [
        "o: step 50 of 60 kept", "  before  held-out loss 0.7500", "  after   held-out loss 0.5000",
    ]  # fmt: skip
    assert result.stderr.splitlines() == [
        "toolmend: 60 steps",
        "toolmend: 0 tokens: held-out loss 0.7500, the best so far",
        "toolmend: 1,000 of 9,000 tokens, loss 0.900, 500 tokens/s, 16 s left",
        "toolmend: 8,000 tokens: held-out loss 0.5000, the best so far",
    ]


def test_json_stands_alone(invoke: Invoke, asked: list[Asked]) -> None:
    result = invoke("train", *WORDS, "--format", "json")
    assert json.loads(result.stdout) == {"schema": 1, "base": "keras/tiny", "preset": "o", **FIGURES}


def test_ctrl_c_says_how_to_go_on(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("toolmend.training.tune.tuning.tune", interrupted)
    result = invoke("train", *WORDS)
    assert (result.exit_code, result.stderr) == (
        130,
        "toolmend: stopped; the last checkpoint is in o.work: the same command goes on from it\n",
    )


def test_what_is_missing_is_said(invoke: Invoke) -> None:
    result = invoke("train", "--base", "keras/tiny")
    assert (result.exit_code, "Missing option '--data'" in result.stderr) == (2, True)


def test_a_base_nobody_knows_is_one_line(invoke: Invoke) -> None:
    result = invoke("train", "--base", "last.ckpt", "--data", "d", "--out", "o")
    assert (result.exit_code, result.stderr) == (
        2, "toolmend: last.ckpt: pickled weights are never loaded; convert them to safetensors\n",
    )  # fmt: skip


def test_help_names_both_ways(invoke: Invoke) -> None:
    result = invoke("train", "-h")
    assert "toolmend train --base … --data …" in result.output
    assert max(map(len, result.output.splitlines())) <= 80
