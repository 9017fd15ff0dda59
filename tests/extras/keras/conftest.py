"""Tiny random models of every family, written as Hugging Face folders on the spot: fixed seeds, no network."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import numpy as np
import pytest
from safetensors.numpy import save_file

from toolmend.base.messages import Reply, Request
from toolmend.models import Model
from toolmend.models.model import OnDelta

os.environ.setdefault("KERAS_BACKEND", "jax")

TEXTS = [
    "Add a meeting with Anna on May 3 at 5pm",
    'action.add_calendar_entry("Meeting with Anna", date="2023-05-03", time="17:00", duration=30)',
    "You are a helpful assistant. Cancel the lunch with Tom, please!",
    "USER: hello ASSISTANT: hello [INST] hello [/INST] user model system",
]
SPECIALS = {
    "llama": ["<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"],
    "qwen2": ["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
    "qwen3": ["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
}
PIECES = {"gemma": ["<start_of_turn>", "<end_of_turn>"], "gemma2": ["<start_of_turn>", "<end_of_turn>"]}
WIDTH, INNER, LAYERS, HEADS, KEYS, SIZE = 32, 48, 2, 4, 2, 8


def byte_level(specials: list[str]) -> Any:
    """A byte-level BPE tokenizer of 400 ids."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    letters = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=specials, initial_alphabet=letters, show_progress=False
    )
    tokenizer.train_from_iterator(TEXTS * 5, trainer)
    return tokenizer


def pieces(symbols: list[str], **names: str) -> bytes:
    """A SentencePiece model with byte fallback."""
    import sentencepiece

    out = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXTS * 5), model_writer=out, vocab_size=360, model_type="bpe", byte_fallback=True,
        user_defined_symbols=symbols, hard_vocab_limit=False, minloglevel=2, **names,
    )  # fmt: skip
    return out.getvalue()


def weights(config: dict[str, Any], seed: int) -> dict[str, np.ndarray]:
    """Random weights under their Hugging Face names."""
    rng = np.random.default_rng(seed)

    def matrix(rows: int, columns: int) -> np.ndarray:
        return (rng.normal(size=(rows, columns)) * columns**-0.5).astype(np.float32)

    kind, size = config["model_type"], config.get("head_dim", SIZE)
    scales = ["input_layernorm", "post_attention_layernorm"]
    scales += ["pre_feedforward_layernorm", "post_feedforward_layernorm"] if kind == "gemma2" else []
    made = {"model.embed_tokens.weight": matrix(config["vocab_size"], WIDTH), "model.norm.weight": np.ones(WIDTH)}
    if not config.get("tie_word_embeddings", "gemma" in kind):
        made["lm_head.weight"] = 3 * matrix(config["vocab_size"], WIDTH)
    for number in range(LAYERS):
        at = f"model.layers.{number}"
        for name, rows in (("q", HEADS * size), ("k", KEYS * size), ("v", KEYS * size)):
            made[f"{at}.self_attn.{name}_proj.weight"] = matrix(rows, WIDTH)
            if kind == "qwen2":
                made[f"{at}.self_attn.{name}_proj.bias"] = rng.normal(size=rows)
        made[f"{at}.self_attn.o_proj.weight"] = matrix(WIDTH, HEADS * size)
        if kind == "qwen3":
            made |= {f"{at}.self_attn.{name}_norm.weight": rng.uniform(0.5, 1.5, size) for name in "qk"}
        made |= {f"{at}.mlp.{name}_proj.weight": matrix(INNER, WIDTH) for name in ("gate", "up")}
        made[f"{at}.mlp.down_proj.weight"] = matrix(WIDTH, INNER)
        made |= {f"{at}.{name}.weight": rng.uniform(0.5, 1.5, WIDTH) for name in scales}
    return {name: weight.astype(np.float32) for name, weight in made.items()}


def config_of(kind: str) -> dict[str, Any]:
    """A config.json as such models have it: Vicuna's says nothing of the rotary base."""
    found: dict[str, Any] = {
        "model_type": kind, "vocab_size": 400, "hidden_size": WIDTH, "intermediate_size": INNER,
        "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "num_key_value_heads": KEYS, "rms_norm_eps": 1e-5,
        "max_position_embeddings": 512,
    }  # fmt: skip
    if kind.startswith("gemma"):
        found |= {"head_dim": SIZE, "hidden_activation": "gelu_pytorch_tanh", "rms_norm_eps": 1e-6}
        found |= {"tie_word_embeddings": True}
    else:
        found |= {"tie_word_embeddings": False, "hidden_act": "silu"}
    if kind == "gemma2":
        found |= {"query_pre_attn_scalar": SIZE, "sliding_window": 24}
        found |= {"final_logit_softcapping": 30.0, "attn_logit_softcapping": 50.0}
    if kind == "qwen3":
        found |= {"head_dim": SIZE, "rope_theta": 1e6}
    return found


def write(folder: Path, kind: str, seed: int = 0, **more: Any) -> Path:
    """A folder of a family: config, weights, tokenizer."""
    folder.mkdir(parents=True)
    config = {**config_of(kind), **more}
    if kind in SPECIALS and "vicuna" not in folder.name:
        byte_level(SPECIALS[kind]).save(str(folder / "tokenizer.json"))
    else:
        names = {"bos_piece": "<bos>", "eos_piece": "<eos>"} if kind in PIECES else {}
        names |= {"add_dummy_prefix": "false", "remove_extra_whitespaces": "false"} if kind in PIECES else {}
        names |= {"normalization_rule_name": "identity"}
        (folder / "tokenizer.model").write_bytes(pieces(PIECES.get(kind, []), **names))
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    save_file(weights(config, seed), folder / "model.safetensors", metadata={"format": "pt"})
    return folder


KINDS = ("llama", "gemma", "gemma2", "mistral", "qwen2", "qwen3", "vicuna")


@pytest.fixture(scope="session")
def write_folder() -> Callable[..., Path]:
    """Write a folder of a family."""
    return write


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A tiny random model of every family."""
    root = tmp_path_factory.mktemp("families")
    return {kind: write(root / kind, "llama" if kind == "vicuna" else kind, seed) for seed, kind in enumerate(KINDS)}


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """No test writes compiled functions into the user's cache, or asks a hub."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JAX_COMPILATION_CACHE_DIR", str(tmp_path_factory.mktemp("compiled")))
        patch.setenv("HF_HOME", str(tmp_path_factory.mktemp("hf")))
        patch.setenv("KAGGLEHUB_CACHE", str(tmp_path_factory.mktemp("kaggle")))
        patch.setenv("HF_HUB_OFFLINE", "1")
        yield


@pytest.fixture
def ask() -> Callable[..., Reply]:
    """The reply of a model."""

    def reply(model: Model, request: Request, on_delta: OnDelta | None = None) -> Reply:
        return anyio.run(lambda: model.reply(request, on_delta=on_delta))

    return reply
