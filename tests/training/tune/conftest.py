"""A tiny embedded preset of random weights, and a data folder whose answers can be learned."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tiny_tokens import train_vocabulary
from toolmend.models.builtin.engine import Sizes
from toolmend.models.builtin.spelling import Spelling
from toolmend.models.builtin.tokens import Tokens
from toolmend.training.preset_files import write_files

os.environ.setdefault("KERAS_BACKEND", "jax")


@pytest.fixture(scope="session")
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What JAX compiles is kept for the other tests: compiling is nearly all that they do."""
    jax = pytest.importorskip("jax")
    jax.config.update("jax_compilation_cache_dir", str(tmp_path_factory.mktemp("compiled")))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)


NAMES = ("Anna", "Tom", "Olga", "Fred")
TEXTS = ["Add a lunch with Anna at 5pm", 'action.add("Lunch with Anna", time="17:00")', "It is wrong.", "Cancel it"]


@pytest.fixture(scope="session")
def tokens() -> Tokens:
    """Five special ids, 256 bytes and a few merges: 300 ids."""
    return train_vocabulary(TEXTS * 20, 300, Spelling(()))


@pytest.fixture(scope="session")
def preset(tokens: Tokens, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a random model: width 16, two layers, a window of 128."""
    return write_random(tmp_path_factory.mktemp("base") / "tiny", tokens)


def write_random(folder: Path, tokens: Tokens, tied: bool = True, toolbox: str = "calendar") -> Path:
    sizes = Sizes(tokens.tokenizer.get_vocab_size(), width=16, inner=24, layers=2, heads=4, key_heads=2)
    rng = np.random.default_rng(0)
    shapes = {
        "self_attn.q_proj": (16, 16), "self_attn.k_proj": (8, 16), "self_attn.v_proj": (8, 16),
        "self_attn.o_proj": (16, 16), "mlp.gate_proj": (24, 16), "mlp.up_proj": (24, 16), "mlp.down_proj": (16, 24),
    }  # fmt: skip
    weights = {"model.embed_tokens.weight": rng.normal(size=(sizes.vocabulary, 16)) * 0.25}
    if not tied:
        weights["lm_head.weight"] = rng.normal(size=(sizes.vocabulary, 16)) * 0.25
    weights["model.norm.weight"] = rng.uniform(0.5, 1.5, 16)
    for layer in range(2):
        at = f"model.layers.{layer}"
        weights |= {f"{at}.{name}.weight": rng.normal(size=shape) * 0.25 for name, shape in shapes.items()}
        weights |= {
            f"{at}.{n}.weight": rng.uniform(0.5, 1.5, 16) for n in ("input_layernorm", "post_attention_layernorm")
        }
    halves = {name: weight.astype(np.float16) for name, weight in weights.items()}
    write_files(folder, halves, sizes, tokens, toolboxes=[toolbox], window=128, about={"license": "none"}, card="")
    return folder


def chat(number: int) -> dict[str, Any]:
    """A request with a wrong reply, a correction and the right one."""
    name = NAMES[number % 4]
    messages = [
        {"role": "user", "content": f"Add {name}"},
        {"role": "assistant", "content": 'add("")', "learn": False},
        {"role": "user", "content": "It is wrong."},
        {"role": "assistant", "content": f'add("{name}")'},
    ]
    return {"id": f"c{number}", "tools": [], "messages": messages, "from": {}}


def pair(number: int) -> dict[str, Any]:
    name = NAMES[number % 4]
    return {
        "id": f"p{number}", "tools": [], "messages": [{"role": "user", "content": f"Add {name}"}],
        "chosen": [{"role": "assistant", "content": f'add("{name}")'}],
        "rejected": [{"role": "assistant", "content": 'add("")'}], "why": "", "from": {},
    }  # fmt: skip


def hindsight(number: int) -> dict[str, Any]:
    name = NAMES[number % 4]
    return {
        "id": f"h{number}", "tools": [], "messages": [{"role": "user", "content": f"Add {name}"}],
        "attempts": [
            {"content": 'add("")', "quality": "bad", "wrong": "The title is missing."},
            {"content": f'add("{name}")', "quality": "good"},
        ],
        "from": {},
    }  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """24 lines of each kind to learn, 8 held out."""
    return write_data(tmp_path / "data", 24, 8)


def write_data(folder: Path, train: int, held: int) -> Path:
    for split, count in (("train", train), ("test", held)):
        (folder / split).mkdir(parents=True)
        for kind, make in KINDS.items():
            lines = [json.dumps(make(number)) for number in range(count)]
            (folder / split / f"{kind}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


KINDS: dict[str, Callable[[int], dict[str, Any]]] = {"chat": chat, "pairs": pair, "hindsight": hindsight}
