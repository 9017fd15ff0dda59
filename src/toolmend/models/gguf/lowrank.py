"""An adapter cut to a lower rank: of what its matrices add, the largest singular values are kept, each side gets their
root. People's corrections come out as well after 64 → 32 (docs/log.md). Knows neither engine nor training.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from toolmend.base.atomic import written
from toolmend.base.errors import BadFile, BadOption
from toolmend.models.gguf.peft import CONFIG, WEIGHTS, halves, read_peft

PRESET = "toolmend.json"
Matrix = np.ndarray[Any, Any]


def cut_rank(folder: Path, rank: int, out: Path) -> float:
    """Write the adapter of a folder with a lower rank, its card and figures left out; the share of its energy (squared
    singular values) that is kept. Raises BadFile for no adapter, BadOption for a rank that is not lower."""
    from safetensors.numpy import save_file

    config, _ = read_peft(folder)
    tensors = halves(folder)
    old = int(config["r"]) if "r" in config else 0
    if not 0 < rank < old:
        raise BadOption(f"{folder} has rank {old}: it can be cut to 1 to {old - 1}, not to {rank}")
    cut: dict[str, Matrix] = {}
    kept = whole = 0.0
    for key in (key for key in tensors if ".lora_A." in key):
        other = key.replace(".lora_A.", ".lora_B.")
        if other not in tensors:
            raise BadFile(folder / WEIGHTS, f"has {key} without its other half")
        down, up, values = _cut(tensors[key], tensors[other], rank)
        cut |= {key: down, other: up}
        kept, whole = kept + float((values[:rank] ** 2).sum()), whole + float((values**2).sum())
    alpha = float(config["lora_alpha"]) * rank / old  # the scale stays: alpha over rank
    with written(out) as part:
        part.mkdir()
        _put(part / CONFIG, {**config, "r": rank, "lora_alpha": int(alpha) if alpha.is_integer() else alpha})
        if (folder / PRESET).is_file():
            _put(part / PRESET, {**json.loads((folder / PRESET).read_text(encoding="utf-8")), "figures": {}})
        save_file({key: values.astype(np.float16) for key, values in cut.items()}, part / WEIGHTS)
    return kept / whole if whole else 1.0


def _put(path: Path, content: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def _cut(down: Matrix, up: Matrix, rank: int) -> tuple[Matrix, Matrix, Matrix]:
    """A (rank, columns) and B (rows, rank) of the nearest product of lower rank, and all singular values: by QR of both
    sides, so that no product of rows by columns is ever made."""
    left, small_left = np.linalg.qr(up.astype(np.float64))
    right, small_right = np.linalg.qr(down.astype(np.float64).T)
    u, values, v = np.linalg.svd(small_left @ small_right.T)
    root = np.sqrt(values[:rank])
    return (v[:rank] * root[:, None]) @ right.T, (left @ u[:, :rank]) * root, values
