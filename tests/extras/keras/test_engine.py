"""The engine says what `CausalLM.generate` says, for every family, whatever is kept on the way."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from toolmend.extras.keras.engine import KerasEngine, chooser, shared
from toolmend.extras.keras.folder import Folder
from toolmend.extras.keras.loading import load_lm, worker

pytest.importorskip("keras_hub")
pytestmark = pytest.mark.slow
WINDOW, MORE, STOP = 96, 20, 3


@cache
def loaded(path: Path) -> Any:
    return worker().submit(load_lm, Folder.read(path), "float32").result()


@cache
def engine_of(path: Path) -> KerasEngine:
    return KerasEngine(loaded(path), WINDOW, [STOP])


@pytest.fixture
def lm(folders: dict[str, Path]) -> Any:
    return loaded(folders["llama"])


@pytest.fixture
def engine(folders: dict[str, Path]) -> KerasEngine:
    made = engine_of(folders["llama"])
    made._kept.clear()
    return made


def ids(count: int, seed: int = 0) -> list[int]:
    return np.random.default_rng(seed).integers(5, 350, count).tolist()


def theirs(lm: Any, prompt: list[int], more: int = MORE) -> list[int]:
    """What plain generate makes of a prompt, up to the stop."""

    def run() -> list[int]:
        lm.compile(sampler="greedy")
        tokens, mask = np.zeros((1, WINDOW), "int32"), np.zeros((1, WINDOW), "int32")
        tokens[0, : len(prompt)], mask[0, : len(prompt)] = prompt, 1
        out = lm.generate({"token_ids": tokens, "padding_mask": mask}, stop_token_ids=(STOP,))
        said = np.asarray(out["token_ids"])[0, len(prompt) : len(prompt) + more].tolist()
        return said[: said.index(STOP)] if STOP in said else said

    return worker().submit(run).result()


def ours(engine: KerasEngine, prompt: list[int], temperature: float = 0.0, seed: int = 0) -> list[int]:
    return worker().submit(engine.reply, prompt, MORE, chooser(temperature, seed)).result()[0]


@pytest.mark.parametrize("kind", ["llama", "gemma", "gemma2", "mistral", "qwen2", "qwen3", "vicuna"])
def test_every_family_says_what_generate_says(folders: dict[str, Path], kind: str) -> None:
    prompt = ids(40)
    expected = theirs(loaded(folders[kind]), prompt)
    assert ours(engine_of(folders[kind]), prompt) == expected
    assert len(set(expected)) > 1


def test_the_next_turn_goes_on_where_the_last_one_ended(engine: KerasEngine, lm: Any) -> None:
    first = ids(20)
    said = ours(engine, first)
    second = [*first, *said, *ids(9, 1)]
    assert ours(engine, second) == theirs(lm, second)
    third = [*second[:30], *ids(12, 2)]  # goes off in the middle: an earlier turn was edited
    assert ours(engine, third) == theirs(lm, third)


def test_what_is_kept_is_not_computed_again(engine: KerasEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ids(40)
    said = ours(engine, first)
    starts: list[int] = []
    filled = engine._filled
    monkeypatch.setattr(engine, "_filled", lambda cache, ids, at: starts.append(at) or filled(cache, ids, at))
    ours(engine, [*first, *said, *ids(5, 1)])
    assert starts[0] == len(first) + len(said) - 1


def test_attempts_at_one_prompt_share_its_cache(engine: KerasEngine, lm: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    prompt = ids(25)
    assert ours(engine, prompt) == theirs(lm, prompt)
    starts: list[int] = []
    filled = engine._filled
    monkeypatch.setattr(engine, "_filled", lambda cache, ids, at: starts.append(at) or filled(cache, ids, at))
    assert ours(engine, prompt) == theirs(lm, prompt)
    assert starts[0] == 24


def test_a_prompt_that_fills_the_window_to_the_last_token(engine: KerasEngine, lm: Any) -> None:
    prompt = ids(WINDOW - MORE)
    assert ours(engine, prompt) == theirs(lm, prompt)


def test_a_prompt_of_one_token(engine: KerasEngine, lm: Any) -> None:
    assert ours(engine, [7]) == theirs(lm, [7])


def test_a_seed_repeats_a_draw(engine: KerasEngine) -> None:
    prompt = ids(10)
    drawn = ours(engine, prompt, 1.0, 4)
    assert ours(engine, prompt, 1.0, 4) == drawn
    assert ours(engine, prompt, 1.0, 5) != drawn


def test_a_reply_that_is_told_to_stop_stops(engine: KerasEngine) -> None:
    asked = engine.reply, ids(10), 60, chooser(0.0, 0), lambda made: len(made) >= 5
    made, ended = worker().submit(*asked).result()
    assert (len(made), ended) == (5, False)


def test_a_stop_token_ends_a_reply(engine: KerasEngine) -> None:
    said = iter([9, 8, 7, STOP])
    assert worker().submit(engine.reply, ids(10), 10, lambda logits: next(said)).result() == ([9, 8, 7], True)


@pytest.mark.parametrize(("old", "new", "count"), [([], [1], 0), ([1, 2, 3], [1, 2, 4], 2), ([1, 2], [1, 2, 3], 2)])
def test_what_two_sequences_share(old: list[int], new: list[int], count: int) -> None:
    assert shared(old, new) == count
