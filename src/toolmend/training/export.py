"""Writes a trained net as a preset that works at once: weights, tokenizer, sizes, what it is for, and its card."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from safetensors.numpy import save_file

from toolmend.models.builtin.engine import Sizes
from toolmend.models.builtin.preset import FORMAT, write_config
from toolmend.models.builtin.tokens import Tokens
from toolmend.training.net import EPSILON, ROPE_THETA, Net, Shape, export


def sizes(shape: Shape) -> Sizes:
    """The engine's sizes of a trained shape."""
    return Sizes(
        shape.vocabulary, shape.width, shape.inner, shape.layers, shape.heads, shape.heads, ROPE_THETA, EPSILON
    )


def write_preset(
    folder: Path,
    net: Net,
    tokens: Tokens,
    *,
    toolboxes: Sequence[str],
    window: int,
    about: Mapping[str, Any],
    card: str,
) -> None:
    """Write the folder; `about` (command, seed, data hash, figures) goes into toolmend.json, `card` is README.md."""
    folder.mkdir(parents=True, exist_ok=True)
    save_file(export(net), folder / "model.safetensors", metadata={"format": "pt"})
    tokens.tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    write_config(folder, sizes(net.shape), window)
    data = {
        "format": FORMAT,
        "toolboxes": list(toolboxes),
        "shorthands": list(tokens.spelling.shorthands),
        "window": window,
        **about,
    }
    (folder / "toolmend.json").write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / "README.md").write_text(card, encoding="utf-8")
