"""A tiny random Llama as a GGUF file, and LoRA adapters for it: noise, but llama.cpp's own tokens and slots."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest

from tiny_llama import CHATML, INNER, LAYERS, WIDTH, finish, write_llama
from toolmend.models.gguf import load
from toolmend.models.gguf.model import GgufModel

Weights = dict[str, np.ndarray[Any, Any]]
Write = Callable[..., Path]


@pytest.fixture(scope="session")
def weights() -> Weights:
    """Every tensor of the net: ones for norms, noise for the rest."""
    shapes = {"token_embd": (259, WIDTH), "output": (259, WIDTH)}
    for layer in range(LAYERS):
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            shapes[f"blk.{layer}.{name}"] = (WIDTH, WIDTH)
        shapes |= {f"blk.{layer}.ffn_gate": (INNER, WIDTH), f"blk.{layer}.ffn_up": (INNER, WIDTH)}
        shapes[f"blk.{layer}.ffn_down"] = (WIDTH, INNER)
    noise = np.random.default_rng(11)
    made: Weights = {f"{name}.weight": noise.normal(0, 0.3, shape).astype("f4") for name, shape in shapes.items()}
    norms = ["output_norm", *(f"blk.{layer}.{name}" for layer in range(LAYERS) for name in ("attn_norm", "ffn_norm"))]
    return made | {f"{name}.weight": np.ones(WIDTH, "f4") for name in norms}


@pytest.fixture(scope="session")
def write_model(weights: Weights) -> Write:
    """Write the net to a path; other tensors and keys take the place of its own."""

    def write(path: Path, changed: Mapping[str, Any] | None = None, **keys: Any) -> Path:
        template = keys.pop("template", CHATML)

        def more(writer: Any) -> None:
            for key, value in keys.items():
                writer.add_string(key.replace("__", "."), value)

        return write_llama(path, {**weights, **(changed or {})}, template, more)

    return write


@pytest.fixture(scope="session")
def write_adapter(weights: Weights) -> Write:
    """Write a random adapter of rank 2 and alpha 4 for some weights; `more` holds others of its tensors."""

    def write(path: Path, seed: int = 1, arch: str = "llama", more: Mapping[str, Any] | None = None) -> Path:
        noise, tensors = np.random.default_rng(seed), dict[str, Any]()
        for name in ("blk.0.attn_v.weight", "blk.1.ffn_down.weight"):
            rows, columns = weights[name].shape
            tensors[f"{name}.lora_a"] = noise.normal(0, 0.5, (2, columns)).astype("f4")
            tensors[f"{name}.lora_b"] = noise.normal(0, 0.5, (rows, 2)).astype("f4")
        writer = gguf.GGUFWriter(path, arch)
        writer.add_type("adapter")
        writer.add_string("adapter.type", "lora")
        writer.add_float32("adapter.lora.alpha", 4.0)
        return finish(writer, path, {**tensors, **(more or {})})

    return write


@pytest.fixture(scope="session")
def tiny(write_model: Write, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the tiny net."""
    return write_model(tmp_path_factory.mktemp("gguf") / "tiny.gguf")


@pytest.fixture(scope="session")
def model(tiny: Path) -> GgufModel:
    """The tiny net on one thread, with two slots of 512 tokens."""
    return load(f"{tiny}?threads=1&num_ctx=512&parallel=2")
