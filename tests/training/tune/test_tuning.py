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
from toolmend.messages import Message, Request
from toolmend.models import load_model
from toolmend.models.builtin.engine import Cache
from toolmend.models.builtin.preset import Preset
from toolmend.models.builtin.tokens import Tokens
from toolmend.portal import run_sync
from toolmend.training.tune.base import open_base
from toolmend.training.tune.embedded import EmbeddedBase, weights_of
from toolmend.training.tune.recipe import Recipe
from toolmend.training.tune.tuning import Asked, tune

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("compiled_once")]
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


def test_keras_computes_what_the_engine_computes(preset: Path) -> None:
    base = open_base(str(preset))
    assert isinstance(base, EmbeddedBase)
    engine, tokens = Preset.read(preset).load()
    ids = tokens.prompt([("user", "Add a lunch with Anna"), ("assistant", "add()"), ("user", "no")])
    inputs = {"token_ids": np.array([ids]), "padding_mask": np.ones((1, len(ids)))}
    logits = np.asarray(base.load()(inputs))[0]
    wanted = engine.logits(ids, Cache(engine.sizes, len(ids)), every=True)
    np.testing.assert_allclose(logits, wanted, rtol=0, atol=1e-4)


@pytest.mark.parametrize("tied", [True, False])
def test_weights_go_in_and_come_out_the_same(tokens: Tokens, tmp_path: Path, tied: bool) -> None:
    from .conftest import write_random

    folder = write_random(tmp_path / "base", tokens, tied)
    base = open_base(str(folder))
    lm = base.load()
    made, wanted = weights_of(lm), Preset.read(folder).weights()
    assert made.keys() == wanted.keys()
    assert all(np.array_equal(made[name], wanted[name]) for name in wanted)
    base.write(lm, tmp_path / "out", {}, "")
    assert Preset.read(tmp_path / "out").tied is tied


@pytest.mark.parametrize("method", ["sft", "hindsight", "preference"])
def test_every_method_learns(preset: Path, data: Path, method: str) -> None:
    figures = tune(ask(preset, data, method=method), quiet, quiet)
    assert figures["after"]["held_out_loss"] < 0.7 * figures["before"]["held_out_loss"]


@pytest.mark.parametrize("method", ["hindsight", "preference"])
def test_stopped_anywhere_it_goes_on_to_the_same_result(preset: Path, data: Path, method: str) -> None:
    whole, broken = ask(preset, data, "whole", method=method), ask(preset, data, "broken", method=method)
    figures = tune(whole, quiet, quiet)
    for step in (1, 4, 9):
        with pytest.raises(Stopped):
            tune(broken, until(step), quiet)
    assert tune(broken, quiet, quiet) == figures
    files = [(whole.out / "model.safetensors", broken.out / "model.safetensors")]
    files += [(path, broken.work / path.name) for path in whole.work.glob("*.safetensors")]
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
    asked = ask(preset, data, epochs=20.0, rate=0.03)
    tune(asked, quiet, quiet)
    model = load_model(str(asked.out))
    reply = run_sync(model.reply, Request((Message("user", "Add Tom"), Message("assistant", 'add("")'),
                                           Message("user", "It is wrong."))))  # fmt: skip
    assert reply.text == 'add("Tom")'
    assert model.abilities.toolboxes == ("calendar",)
    card = (asked.out / "README.md").read_text(encoding="utf-8")
    assert "Learned from 24 examples (8 held out" in card
    assert (asked.out / "loss.svg").read_text(encoding="utf-8").startswith("<svg")
    about = json.loads((asked.out / "toolmend.json").read_text(encoding="utf-8"))
    assert (about["trained"]["method"], about["license"]) == ("sft", "none")


def test_adapters_leave_everything_but_queries_and_values(preset: Path, data: Path) -> None:
    asked = ask(preset, data, rank=2, alpha=8.0, epochs=8.0)
    figures = tune(asked, quiet, quiet)
    assert figures["after"]["held_out_loss"] < figures["before"]["held_out_loss"]
    before, after = load_file(preset / "model.safetensors"), load_file(asked.out / "model.safetensors")
    changed = {name.split(".")[-2] for name in before if not np.array_equal(before[name], after[name])}
    assert changed == {"q_proj", "v_proj"}


def test_a_suite_decides_where_there_is_one(preset: Path, data: Path, tmp_path: Path) -> None:
    suite = tmp_path / "dev.yaml"
    suite.write_text(SUITE, encoding="utf-8")
    figures = tune(replace(ask(preset, data, epochs=1.0), dev=str(suite)), quiet, quiet)
    assert figures["before"].keys() == {"score", "held_out_loss"}
    assert figures["before"]["score"] == 0


def test_a_suite_of_another_toolbox_is_refused(preset: Path, data: Path) -> None:
    with pytest.raises(BadOption, match=r"played with the toolbox shop; the base knows calendar"):
        tune(replace(ask(preset, data), dev="shop"), quiet, quiet)


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
    monkeypatch.setattr(EmbeddedBase, "load", None)
    with pytest.raises(BadOption, match=r"gives 5, sft needs at least 16: 11 more"):
        tune(ask(preset, data), quiet, quiet)


def test_the_work_of_another_recipe_is_refused(preset: Path, data: Path) -> None:
    tune(ask(preset, data, tokens=1), quiet, quiet)
    with pytest.raises(BadOption, match=r"holds another training \(rate, seed differ\)"):
        tune(ask(preset, data, tokens=1, rate=0.5, seed=2), quiet, quiet)


def test_a_loss_that_is_no_number_stops_it(preset: Path, data: Path) -> None:
    with pytest.raises(ToolmendError, match=r"the loss is no number any more at step \d+: a lower --rate"):
        tune(ask(preset, data, rate=1e30, clip=1e30), quiet, quiet)


SUITE = """\
suite: tiny
tools: calendar
experiments:
  quick:
    about: one request
    cases: [lunch]
    attempts: 1
    corrections: 1
    branches: []
cases:
  lunch:
    - steps:
        - say: Add a lunch on May 3 2024 at noon.
          expect: action.add_calendar_entry("Lunch", date="2024-05-03", time="12:00")
"""
