"""The engine says what `CausalLM.generate` says, for every family, whatever is kept, stacked or grown on the way."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from toolmend.models.keras.engine import DecodedRow, KerasEngine, shared
from toolmend.models.keras.folder import Folder
from toolmend.models.keras.loading import load_lm
from toolmend.models.keras.worker import worker

pytest.importorskip("keras_hub")
pytestmark = pytest.mark.slow
WINDOW, MORE, STOP = 96, 20, 3


@cache
def loaded(path: Path) -> Any:
    return worker().call(lambda: load_lm(Folder.read(path), "float32"))


@cache
def engine_of(path: Path) -> KerasEngine:
    return KerasEngine(loaded(path), WINDOW, 3, [STOP])


@pytest.fixture
def lm(folders: dict[str, Path]) -> Any:
    return loaded(folders["llama"])


@pytest.fixture
def engine(folders: dict[str, Path]) -> KerasEngine:
    made = engine_of(folders["llama"])
    made.forget()
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

    return worker().call(run)


def ours(engine: KerasEngine, *prompts: list[int], **how: Any) -> list[list[int]]:
    rows = [DecodedRow(prompt, MORE, **how) for prompt in prompts]
    worker().call(lambda: engine.generate(rows))
    return [row.made for row in rows]


@pytest.mark.parametrize("kind", ["llama", "gemma", "gemma2", "mistral", "qwen2", "qwen3", "vicuna"])
def test_every_family_says_what_generate_says(folders: dict[str, Path], kind: str) -> None:
    prompt = ids(40)
    expected = theirs(loaded(folders[kind]), prompt)
    assert ours(engine_of(folders[kind]), prompt) == [expected]
    assert len(set(expected)) > 1


def test_the_next_turn_goes_on_where_the_last_one_ended(engine: KerasEngine, lm: Any) -> None:
    first = ids(20)
    [said] = ours(engine, first)
    second = [*first, *said, *ids(9, 1)]
    assert ours(engine, second) == [theirs(lm, second)]
    third = [*second[:30], *ids(12, 2)]  # goes off in the middle: an earlier turn was edited
    assert ours(engine, third) == [theirs(lm, third)]


def test_what_is_kept_is_not_computed_again(engine: KerasEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ids(40)
    [said] = ours(engine, first)
    starts: list[tuple[int, int]] = []
    filled = engine._filled
    monkeypatch.setattr(
        engine,
        "_filled",
        lambda cache, all_ids, start, end: starts.append((start, end)) or filled(cache, all_ids, start, end),
    )
    ours(engine, [*first, *said, *ids(5, 1)])
    assert starts == [(len(first) + len(said) - 1, len(first) + len(said) + 4)]


def test_attempts_at_one_prompt_share_its_cache(engine: KerasEngine, lm: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    filled = engine._filled
    monkeypatch.setattr(engine, "_filled", lambda *given: calls.append(1) or filled(*given))
    prompt = ids(25)
    assert ours(engine, prompt, prompt, prompt) == [theirs(lm, prompt)] * 3
    assert calls == [1]


def test_rows_of_other_lengths_do_not_disturb_each_other(engine: KerasEngine, lm: Any) -> None:
    prompts = [ids(50, 1), ids(3, 2), ids(24, 3)]
    assert ours(engine, *prompts) == [theirs(lm, prompt) for prompt in prompts]


def test_a_prompt_that_fills_the_window_to_the_last_token(engine: KerasEngine, lm: Any) -> None:
    prompt = ids(WINDOW - MORE)
    assert ours(engine, prompt) == [theirs(lm, prompt)]


def test_a_prompt_of_one_token(engine: KerasEngine, lm: Any) -> None:
    assert ours(engine, [7]) == [theirs(lm, [7])]


def test_a_seed_makes_a_draw_repeatable_whoever_is_beside_it(engine: KerasEngine) -> None:
    prompt = ids(10)
    [alone] = ours(engine, prompt, temperature=1.0, seed=4)
    assert ours(engine, prompt, temperature=1.0, seed=4) == [alone]
    assert ours(engine, prompt, temperature=1.0, seed=5) != [alone]
    rows = [DecodedRow(ids(30, 9), MORE), DecodedRow(prompt, MORE, 1.0, 4)]
    worker().call(lambda: engine.generate(rows))
    assert rows[1].made == alone


def test_greedy_rows_stay_greedy_beside_drawn_ones(engine: KerasEngine, lm: Any) -> None:
    prompt = ids(10)
    rows = [DecodedRow(prompt, MORE), DecodedRow(prompt, MORE, 2.0, 1)]
    worker().call(lambda: engine.generate(rows))
    assert rows[0].made == theirs(lm, prompt)


def test_a_row_that_is_told_to_stop_stops(engine: KerasEngine) -> None:
    rows = [DecodedRow(ids(10), 60, take=lambda made: len(made) >= 5), DecodedRow(ids(9, 1), 60)]
    worker().call(lambda: engine.generate(rows))
    assert 5 <= len(rows[0].made) <= 16


def test_a_led_row_follows_whoever_leads_it(engine: KerasEngine) -> None:
    said = iter([9, 8, 7, STOP])
    row = DecodedRow(ids(10), 10, pick=lambda logits: next(said))
    worker().call(lambda: engine.generate([row]))
    assert (row.made, row.ended) == ([9, 8, 7], True)


def test_a_led_row_that_takes_the_likeliest_is_greedy(engine: KerasEngine, lm: Any) -> None:
    prompt = ids(10)
    assert ours(engine, prompt, pick=lambda logits: int(logits.argmax())) == [theirs(lm, prompt)]


def test_nothing_is_compiled_after_warm_up(tmp_path: Path, write_folder: Any) -> None:
    small = write_folder(tmp_path / "small", "llama", num_hidden_layers=1)
    engine = KerasEngine(loaded(small), WINDOW, 3, [STOP])
    worker().call(lambda: engine.warm_up((False,)))
    assert engine.traces == 12
    for count in (1, 5, 17, 30, 60, 76):
        ours(engine, ids(count))
        ours(engine, ids(count, 1), ids(3, 2))
    assert engine.traces == 12


def test_logits_of_never_are_not_chosen(folders: dict[str, Path], lm: Any) -> None:
    first = theirs(lm, ids(10))[0]
    engine = KerasEngine(lm, WINDOW, 1, [STOP], never=[first])
    [said] = ours(engine, ids(10))
    assert first not in said


@pytest.mark.parametrize(("old", "new", "count"), [([], [1], 0), ([1, 2, 3], [1, 2, 4], 2), ([1, 2], [1, 2, 3], 2)])
def test_what_two_sequences_share(old: list[int], new: list[int], count: int) -> None:
    assert shared(old, new) == count
