"""Adapters as PEFT writes them: their mean."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from toolmend.base.errors import BadFile
from toolmend.models.gguf.peft import CONFIG, WEIGHTS, average, eighths, halves, peft_key

KEY = peft_key(0, "attn_q", "A")


def folder(path: Path, *values: float, small: bool = False) -> Path:
    """An adapter of one matrix, a row."""
    path.mkdir()
    tensors = {KEY: np.array([values], np.float16)}
    save_file(eighths(tensors) if small else tensors, path / WEIGHTS)
    (path / CONFIG).write_text(json.dumps({"lora_alpha": 32}), encoding="utf-8")
    return path


def test_the_mean_of_two_adapters_lies_between_them(tmp_path: Path) -> None:
    average([folder(tmp_path / "a", 1.0, 4.0), folder(tmp_path / "b", 3.0, -4.0)], tmp_path / "mean")
    assert halves(tmp_path / "mean")[KEY].tolist() == [[2.0, 0.0]]
    assert json.loads((tmp_path / "mean" / CONFIG).read_text(encoding="utf-8")) == {"lora_alpha": 32}


def test_one_in_eight_bits_is_averaged_by_its_values(tmp_path: Path) -> None:
    average([folder(tmp_path / "a", 127.0, 0.0, small=True), folder(tmp_path / "b", 1.0, 2.0)], tmp_path / "mean")
    assert halves(tmp_path / "mean")[KEY].tolist() == [[64.0, 1.0]]


def test_adapters_of_two_shapes_have_no_mean(tmp_path: Path) -> None:
    first, other = folder(tmp_path / "a", 1.0), folder(tmp_path / "b", 1.0, 2.0)
    with pytest.raises(BadFile, match="of another shape than"):
        average([first, other], tmp_path / "mean")
    assert not (tmp_path / "mean").exists()
