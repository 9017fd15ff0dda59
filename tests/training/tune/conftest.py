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
from toolmend.models.builtin.spelling import Spelling
from toolmend.models.builtin.tokens import Tokens

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
    """The folder of a random Llama 3 as KerasHub writes it: width 16, one layer."""
    return llama3(tmp_path_factory.mktemp("base") / "tiny", tokens, tied=False)


def llama3(folder: Path, tokens: Tokens, *, tied: bool) -> Path:
    """A Llama 3 preset that KerasHub itself wrote."""
    keras_hub = pytest.importorskip("keras_hub")
    model = json.loads(tokens.tokenizer.to_str())["model"]
    vocabulary = dict(model["vocab"])
    for name in ("<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>"):
        vocabulary[name] = len(vocabulary)
    merges = [each if isinstance(each, str) else " ".join(each) for each in model["merges"]]
    tokenizer = keras_hub.tokenizers.Llama3Tokenizer(vocabulary=vocabulary, merges=merges)
    backbone = keras_hub.models.Llama3Backbone(
        vocabulary_size=len(vocabulary), num_layers=1, num_query_heads=4, num_key_value_heads=2, hidden_dim=16,
        intermediate_dim=24, tie_word_embeddings=tied,
    )  # fmt: skip
    return save(
        folder, keras_hub.models.Llama3CausalLM, backbone, keras_hub.models.Llama3CausalLMPreprocessor(tokenizer)
    )


def save(folder: Path, task: Any, backbone: Any, preprocessor: Any) -> Path:
    """Write the preset with larger weights than KerasHub begins with, so that there is something to see."""
    rng = np.random.default_rng(0)
    for variable in backbone.variables:
        if "kernel" in variable.path or "embeddings" in variable.path:
            variable.assign(rng.normal(size=variable.shape) * 0.25)
    task(backbone=backbone, preprocessor=preprocessor).save_to_preset(str(folder))
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
