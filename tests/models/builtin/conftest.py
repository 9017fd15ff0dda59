"""Tiny presets made on the spot: one of random weights, and one that speaks a text given to it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from toolmend.models.builtin.engine import Sizes
from toolmend.models.builtin.model import BuiltinModel
from toolmend.models.builtin.preset import Preset, write_config
from toolmend.models.builtin.spelling import Spelling
from toolmend.models.builtin.tokens import ASSISTANT, END, Tokens
from toolmend.training.vocabulary import train_vocabulary

SHORTHANDS = ('action.add_calendar_entry("', '", date="', '", time="')
TEXTS = [
    "Add a meeting with Anna on May 3 at 5pm",
    'action.add_calendar_entry("Meeting with Anna", date="2023-05-03", time="17:00", duration=30)',
    "Cancel the lunch with Tom",
]
Weights = dict[str, np.ndarray]


@pytest.fixture(scope="session")
def tokens() -> Tokens:
    """Five special ids, 256 bytes and a few merges: 300 ids."""
    return train_vocabulary(TEXTS * 20, 300, Spelling(SHORTHANDS))


@pytest.fixture(scope="session")
def sizes(tokens: Tokens) -> Sizes:
    return Sizes(tokens.tokenizer.get_vocab_size(), width=32, inner=48, layers=2, heads=4, key_heads=4)


@pytest.fixture(scope="session")
def make_weights() -> Callable[[Sizes, int], Weights]:
    """Random weights of the given sizes, by seed."""

    def make(sizes: Sizes, seed: int = 0, scale: float = 1.0) -> Weights:
        rng = np.random.default_rng(seed)

        def matrix(rows: int, columns: int) -> np.ndarray:
            return (rng.normal(size=(rows, columns)) * scale * columns**-0.5).astype(np.float32)

        keys = sizes.width * sizes.key_heads // sizes.heads
        weights = {"model.embed_tokens.weight": rng.normal(size=(sizes.vocabulary, sizes.width)).astype(np.float32)}
        norms = ["model.norm.weight"]
        for number in range(sizes.layers):
            at = f"model.layers.{number}"
            weights |= {
                f"{at}.self_attn.q_proj.weight": matrix(sizes.width, sizes.width),
                f"{at}.self_attn.k_proj.weight": matrix(keys, sizes.width),
                f"{at}.self_attn.v_proj.weight": matrix(keys, sizes.width),
                f"{at}.self_attn.o_proj.weight": matrix(sizes.width, sizes.width),
                f"{at}.mlp.gate_proj.weight": matrix(sizes.inner, sizes.width),
                f"{at}.mlp.up_proj.weight": matrix(sizes.inner, sizes.width),
                f"{at}.mlp.down_proj.weight": matrix(sizes.width, sizes.inner),
            }
            norms += [f"{at}.input_layernorm.weight", f"{at}.post_attention_layernorm.weight"]
        return weights | {name: rng.uniform(0.5, 1.5, sizes.width).astype(np.float32) for name in norms}

    return make


@pytest.fixture(scope="session")
def write_preset(tokens: Tokens) -> Callable[..., Path]:
    """Write a folder that Preset.read accepts."""

    def write(folder: Path, sizes: Sizes, weights: Mapping[str, np.ndarray], window: int = 96) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        halves = {name: weight.astype(np.float16) for name, weight in weights.items()}
        save_file(halves, folder / "model.safetensors", metadata={"format": "pt"})
        tokens.tokenizer.save(str(folder / "tokenizer.json"))
        write_config(folder, sizes, window)
        about = {"format": 1, "toolboxes": ["calendar"], "shorthands": list(SHORTHANDS), "window": window}
        (folder / "toolmend.json").write_text(json.dumps(about), encoding="utf-8")
        return folder

    return write


@pytest.fixture
def preset(tmp_path: Path, sizes: Sizes, make_weights: Any, write_preset: Any) -> Path:
    """The folder of a random model, fresh for each test."""
    return write_preset(tmp_path / "preset", sizes, make_weights(sizes, 0))


@pytest.fixture(scope="session")
def random_model(tmp_path_factory: pytest.TempPathFactory, sizes: Sizes, make_weights: Any, write_preset: Any) -> Any:
    folder = write_preset(tmp_path_factory.mktemp("random"), sizes, make_weights(sizes, 0))
    return BuiltinModel("builtin/random", Preset.read(folder))


@pytest.fixture(scope="session")
def speaker(tmp_path_factory: pytest.TempPathFactory, sizes: Sizes, make_weights: Any, write_preset: Any, tokens: Tokens) -> Any:
    """A model whose layers do nothing and whose head follows one id with the next of a text, so that it says the text.

    Each id may occur once only.
    """

    def make(text: str) -> BuiltinModel:
        chain = [ASSISTANT, *tokens.encode(text), END]
        assert len(set(chain)) == len(chain), "a token occurs twice"
        weights = make_weights(sizes, 1)
        for name in weights:
            if name.endswith(("o_proj.weight", "down_proj.weight")):
                weights[name][:] = 0
        weights["model.norm.weight"][:] = 1
        embedding = weights["model.embed_tokens.weight"]
        embedding /= np.linalg.norm(embedding, axis=1, keepdims=True)
        head = np.zeros_like(embedding)
        for here, following in zip(chain, chain[1:], strict=False):
            head[following] = embedding[here]
        folder = write_preset(tmp_path_factory.mktemp("speaker"), sizes, {**weights, "lm_head.weight": head})
        return BuiltinModel("builtin/speaker", Preset.read(folder))

    return make
