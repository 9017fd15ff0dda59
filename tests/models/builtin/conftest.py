"""Tiny presets of random weights made on the spot, and a model that says a text given to it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from tiny_tokens import train_vocabulary
from toolmend.models.builtin import PRESETS
from toolmend.models.builtin.engine import Sizes
from toolmend.models.builtin.model import BuiltinModel
from toolmend.models.builtin.preset import Preset
from toolmend.models.builtin.tokens import ASSISTANT, END, BuiltinTokens, Spelling

SHORTHANDS = ('action.add_calendar_entry("', '", date="', '", time="')
TEXTS = [
    "Add a meeting with Anna on May 3 at 5pm",
    'action.add_calendar_entry("Meeting with Anna", date="2023-05-03", time="17:00", duration=30)',
    "Cancel the lunch with Tom",
]
Weights = dict[str, np.ndarray]


@pytest.fixture(scope="session")
def tokens() -> BuiltinTokens:
    """Five special ids, 256 bytes and a few merges: 300 ids."""
    return train_vocabulary(TEXTS * 20, 300, Spelling(SHORTHANDS))


@pytest.fixture(scope="session")
def sizes(tokens: BuiltinTokens) -> Sizes:
    return Sizes(tokens.tokenizer.get_vocab_size(), width=32, inner=48, layers=2, heads=4)


@pytest.fixture(scope="session")
def make_weights() -> Callable[[Sizes, int], Weights]:
    """Random weights of the given sizes, by seed."""

    def make(sizes: Sizes, seed: int = 0, scale: float = 1.0) -> Weights:
        rng = np.random.default_rng(seed)

        def matrix(rows: int, columns: int) -> np.ndarray:
            return (rng.normal(size=(rows, columns)) * scale * columns**-0.5).astype(np.float32)

        weights = {"model.embed_tokens.weight": rng.normal(size=(sizes.vocabulary, sizes.width)).astype(np.float32)}
        norms = ["model.norm.weight"]
        for number in range(sizes.layers):
            at = f"model.layers.{number}"
            weights |= {
                f"{at}.self_attn.q_proj.weight": matrix(sizes.width, sizes.width),
                f"{at}.self_attn.k_proj.weight": matrix(sizes.width, sizes.width),
                f"{at}.self_attn.v_proj.weight": matrix(sizes.width, sizes.width),
                f"{at}.self_attn.o_proj.weight": matrix(sizes.width, sizes.width),
                f"{at}.mlp.gate_proj.weight": matrix(sizes.inner, sizes.width),
                f"{at}.mlp.up_proj.weight": matrix(sizes.inner, sizes.width),
                f"{at}.mlp.down_proj.weight": matrix(sizes.width, sizes.inner),
            }
            norms += [f"{at}.input_layernorm.weight", f"{at}.post_attention_layernorm.weight"]
        return weights | {name: rng.uniform(0.5, 1.5, sizes.width).astype(np.float32) for name in norms}

    return make


@pytest.fixture(scope="session")
def write_preset(tokens: BuiltinTokens) -> Callable[..., Path]:
    """Write a folder that Preset.read accepts."""

    def write(
        folder: Path, sizes: Sizes, weights: Mapping[str, np.ndarray], window: int = 96, tied: bool = True
    ) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        halves = {name: weight.astype(np.float16) for name, weight in weights.items()}
        save_file(halves, folder / "model.safetensors", metadata={"format": "pt"})
        tokens.tokenizer.save(str(folder / "tokenizer.json"))
        config = json.loads((PRESETS / "small" / "config.json").read_text(encoding="utf-8")) | {
            "vocab_size": sizes.vocabulary, "hidden_size": sizes.width, "intermediate_size": sizes.inner,
            "num_hidden_layers": sizes.layers, "num_attention_heads": sizes.heads, "num_key_value_heads": sizes.heads,
            "max_position_embeddings": window, "tie_word_embeddings": tied,
        }  # fmt: skip
        (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
        about = {"format": 1, "toolboxes": ["calendar"], "shorthands": list(SHORTHANDS), "window": window}
        (folder / "toolmend.json").write_text(json.dumps(about), encoding="utf-8")
        return folder

    return write


@pytest.fixture
def preset(tmp_path: Path, sizes: Sizes, make_weights: Any, write_preset: Any) -> Path:
    """The folder of a random model, fresh for each test."""
    return write_preset(tmp_path / "preset", sizes, make_weights(sizes, 0))


@pytest.fixture(scope="session")
def random_model(
    tmp_path_factory: pytest.TempPathFactory, sizes: Sizes, make_weights: Any, write_preset: Any
) -> BuiltinModel:
    """A random model with a random head, so that it does not just repeat itself."""
    weights = make_weights(sizes, 0)
    weights["lm_head.weight"] = np.random.default_rng(1).normal(size=(sizes.vocabulary, sizes.width))
    folder = write_preset(tmp_path_factory.mktemp("random"), sizes, weights, tied=False)
    return BuiltinModel("builtin/random", Preset.read(folder))


class Speech:
    """In place of an engine: says certain ids, then the end."""

    def __init__(self, sizes: Sizes, said: list[int]) -> None:
        self.sizes, self.said = sizes, [*said, END]

    def logits(self, ids: list[int], cache: object) -> np.ndarray:
        position = ids[::-1].index(ASSISTANT)
        logits = np.zeros(self.sizes.vocabulary, np.float32)
        logits[self.said[position]] = 9
        return logits


@pytest.fixture
def speaker(tokens: BuiltinTokens, sizes: Sizes) -> Callable[[str], BuiltinModel]:
    """A model that says a text."""

    def make(text: str) -> BuiltinModel:
        parts = Speech(sizes, tokens.encode(text)), tokens
        preset: Any = SimpleNamespace(toolboxes=(), window=96, about={}, folder=Path(), load=lambda: parts)
        return BuiltinModel("builtin/speaker", preset)

    return make
