"""Writes a net trained in torch as a preset that works at once; the files themselves are preset_files.py's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from toolmend.models.builtin.engine import Sizes
from toolmend.models.builtin.tokens import Tokens
from toolmend.training.net import EPSILON, ROPE_THETA, Net, Shape, export
from toolmend.training.preset_files import write_files


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
    write_files(
        folder,
        export(net),
        sizes(net.shape),
        tokens,
        toolboxes=toolboxes,
        window=window,
        about=about,
        card=card,
    )
