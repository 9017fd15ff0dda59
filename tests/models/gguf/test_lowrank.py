"""Cutting an adapter's rank: the nearest product of that rank, the scale and what it speaks kept."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tiny_llama import write_peft
from toolmend.base.errors import BadFile, BadOption
from toolmend.models.gguf.lowrank import cut_rank
from toolmend.models.gguf.peft import halves, peft_key


@pytest.fixture
def adapter(tmp_path: Path) -> Path:
    """An adapter of rank 2."""
    return write_peft(tmp_path / "whole", tmp_path / "base.gguf", figures={"word_for_word": 3})


def product(folder: Path, name: str) -> np.ndarray:
    tensors = halves(folder)
    return tensors[peft_key(0, name, "B")].astype("f4") @ tensors[peft_key(0, name, "A")].astype("f4")


@pytest.mark.parametrize("name", ["attn_q", "ffn_down"])
def test_it_is_the_nearest_of_that_rank(name: str, adapter: Path, tmp_path: Path) -> None:
    cut_rank(adapter, 1, tmp_path / "cut")
    u, values, v = np.linalg.svd(product(adapter, name))
    np.testing.assert_allclose(product(tmp_path / "cut", name), values[0] * u[:, :1] @ v[:1], atol=0.01)


def test_the_share_that_is_kept_is_told(adapter: Path, tmp_path: Path) -> None:
    assert 0.5 < cut_rank(adapter, 1, tmp_path / "cut") < 0.9


def test_the_scale_stays_and_the_figures_do_not(adapter: Path, tmp_path: Path) -> None:
    cut_rank(adapter, 1, tmp_path / "cut")
    config = json.loads((tmp_path / "cut" / "adapter_config.json").read_text())
    assert (config["r"], config["lora_alpha"], config["toolmend_notation"]) == (1, 2, 1)
    assert json.loads((tmp_path / "cut" / "toolmend.json").read_text())["figures"] == {}


@pytest.mark.parametrize("rank", [0, 2, 64])
def test_only_a_lower_rank_is_a_cut(rank: int, adapter: Path, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=rf"has rank 2: it can be cut to 1 to 1, not to {rank}"):
        cut_rank(adapter, rank, tmp_path / "cut")
    assert not (tmp_path / "cut").exists()


def test_what_is_no_adapter_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="holds no adapter as PEFT writes them"):
        cut_rank(tmp_path, 1, tmp_path / "cut")
