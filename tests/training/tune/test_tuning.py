"""Fine-tuning from end to end on a tiny random preset: it learns, it resumes to the same bits, its product works."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

pytest.importorskip("jax")
pytest.importorskip("keras_hub")

from toolmend.errors import BadFile, BadOption, ToolmendError
from toolmend.messages import Message, Options, Request
from toolmend.models import load_model
from toolmend.portal import run_sync
from toolmend.training.tune.hub import HubBase
from toolmend.training.tune.recipe import Recipe
from toolmend.training.tune.tuning import Asked, tune

pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("compiled_once"),
    pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning"),  # Keras 3.15 under numpy 2.4
]
RECIPE = Recipe(rate=0.02, batch=512, every=4, epochs=4.0)


class Stopped(Exception):
    """In place of a kill."""


def ask(preset: Path, data: Path, name: str = "out", **recipe: Any) -> Asked:
    folder = data.parent
    return Asked(str(preset), data, folder / name, folder / f"{name}.work", replace(RECIPE, **recipe), command="c")


def until(step: int) -> Any:
    """A report that stops the training there."""

    def report(row: Mapping[str, Any]) -> None:
        if row["step"] >= step:
            raise Stopped

    return report


def quiet(_row: object) -> None:
    """No report."""


@pytest.mark.parametrize("method", ["sft", "hindsight", "preference"])
def test_every_method_learns(preset: Path, data: Path, method: str) -> None:
    figures = tune(ask(preset, data, method=method), quiet, quiet)
    assert figures["after"]["held_out_loss"] < figures["before"]["held_out_loss"] - 0.1


@pytest.mark.parametrize("method", ["hindsight", "preference"])
def test_stopped_anywhere_it_goes_on_to_the_same_result(preset: Path, data: Path, method: str) -> None:
    whole, broken = ask(preset, data, "whole", method=method), ask(preset, data, "broken", method=method)
    figures = tune(whole, quiet, quiet)
    for step in (1, 4, 9):
        with pytest.raises(Stopped):
            tune(broken, until(step), quiet)
    assert tune(broken, quiet, quiet) == figures
    files = [(path, broken.work / path.name) for path in whole.work.glob("*.safetensors")]
    assert len(files) == 2
    for left, right in files:
        one, other = load_file(left), load_file(right)
        assert all(np.array_equal(one[name], other[name]) for name in one)


def test_a_finished_training_only_writes_its_product_again(preset: Path, data: Path) -> None:
    asked, rows = ask(preset, data), list[Any]()
    figures = tune(asked, quiet, quiet)
    assert (tune(asked, rows.append, quiet), rows) == (figures, [])


def test_it_stops_when_nothing_gets_better_and_keeps_the_best(preset: Path, data: Path) -> None:
    rows = list[Any]()
    asked = ask(preset, data, rate=1e-9, patience=2, epochs=50.0)
    figures = tune(asked, rows.append, quiet)
    assert figures["steps"] < 50 * 4
    kept = [row["step"] for row in rows if row.get("best")][-1]
    assert figures["kept_step"] == kept


def test_the_product_is_a_contestant_with_a_card(preset: Path, data: Path) -> None:
    asked = ask(preset, data, epochs=1.0)
    tune(asked, quiet, quiet)
    model = load_model(f"keras/{asked.out}?window=64&batch=1")
    reply = run_sync(model.reply, Request((Message("user", "Add Tom"),), options=Options(max_tokens=3)))
    assert reply.usage.output_tokens == 3
    card = (asked.out / "README.md").read_text(encoding="utf-8")
    assert "Learned from 24 examples (8 held out" in card
    assert (asked.out / "loss.svg").read_text(encoding="utf-8").startswith("<svg")
    about = json.loads((asked.out / "training.json").read_text(encoding="utf-8"))
    assert (about["trained"]["method"], about["license"]) == ("sft", "as the base's")


def test_a_broken_line_is_said_by_number_or_counted(preset: Path, data: Path) -> None:
    with (data / "train" / "chat.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id": 1}\n')
    with pytest.raises(BadFile, match=r"train/chat.jsonl:25: "):
        tune(ask(preset, data), quiet, quiet)
    said = list[str]()
    tune(replace(ask(preset, data, tokens=1), skip_bad=True), quiet, said.append)
    assert said[0].endswith("24 examples, 8 held out, 1 broken left out")


def test_too_few_examples_are_said_before_weights_are_loaded(
    preset: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = (data / "train" / "chat.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (data / "train" / "chat.jsonl").write_text("".join(lines[:5]), encoding="utf-8")
    monkeypatch.setattr(HubBase, "load", None)
    with pytest.raises(BadOption, match=r"gives 5, sft needs at least 16: 11 more"):
        tune(ask(preset, data), quiet, quiet)


def test_the_work_of_another_recipe_is_refused(preset: Path, data: Path) -> None:
    tune(ask(preset, data, tokens=1), quiet, quiet)
    with pytest.raises(BadOption, match=r"holds another training \(rate, seed differ\)"):
        tune(ask(preset, data, tokens=1, rate=0.5, seed=2), quiet, quiet)


def test_a_loss_that_is_no_number_stops_it(preset: Path, data: Path) -> None:
    with pytest.raises(ToolmendError, match=r"the loss is no number any more at step \d+: a lower --rate"):
        tune(ask(preset, data, rate=1e30, clip=1e30), quiet, quiet)
