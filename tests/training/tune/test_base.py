"""Bases by name, and what is wrong with them, before a weight is loaded."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from toolmend.errors import BadFile, BadOption, UnknownName
from toolmend.models.builtin.tokens import Tokens
from toolmend.training.tune.base import open_base


@pytest.fixture
def copy(preset: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(preset, tmp_path / "copy"))


def test_a_shipped_model_and_a_folder(copy: Path) -> None:
    assert open_base("builtin/small").window == 768
    assert (open_base(str(copy)).window, open_base(str(copy)).toolboxes) == (128, ("calendar",))


def test_the_identity_changes_with_the_weights(copy: Path) -> None:
    before = open_base(str(copy)).identity
    weights = load_file(copy / "model.safetensors")
    save_file({name: weight + np.float16(1) for name, weight in weights.items()}, copy / "model.safetensors")
    assert open_base(str(copy)).identity != before


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.json"])
def test_a_missing_file_is_named(copy: Path, name: str) -> None:
    (copy / name).unlink()
    with pytest.raises(BadFile, match=f"{name} is missing"):
        open_base(str(copy))


@pytest.mark.parametrize("name", ["a.pkl", "a.pickle", "a.pt", "a.pth", "pytorch_model.bin", "last.ckpt"])
def test_pickles_are_refused_by_name(copy: Path, name: str) -> None:
    (copy / name).write_bytes(b"")
    with pytest.raises(BadFile, match=rf"{name}: pickled weights are never loaded"):
        open_base(str(copy))
    with pytest.raises(BadFile, match=rf"{name}: pickled weights are never loaded"):
        open_base(f"./{name}")


def test_a_wrong_shape_is_said_without_loading(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = load_file(copy / "model.safetensors")
    weights["model.layers.1.mlp.up_proj.weight"] = np.zeros((24, 17), np.float16)
    save_file(weights, copy / "model.safetensors")
    monkeypatch.setattr("safetensors.numpy.load_file", None)
    with pytest.raises(BadFile, match=r"up_proj.weight has shape \(24, 17\), config.json says \(24, 16\)"):
        open_base(str(copy))


def test_weights_cut_short_are_said(copy: Path) -> None:
    path = copy / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(BadFile, match="not a readable safetensors file"):
        open_base(str(copy))


def test_a_tokenizer_of_the_same_size_but_other_merges_is_another_one(copy: Path) -> None:
    data = json.loads((copy / "tokenizer.json").read_text(encoding="utf-8"))
    vocabulary = data["model"]["vocab"]
    vocabulary["a"], vocabulary["b"] = vocabulary["b"], vocabulary["a"]
    (copy / "tokenizer.json").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(BadFile, match=r"another tokenizer than the weights were trained with"):
        open_base(str(copy))


def test_a_tokenizer_of_another_size(copy: Path, tokens: Tokens) -> None:
    config = json.loads((copy / "config.json").read_text(encoding="utf-8"))
    weights = load_file(copy / "model.safetensors")
    weights["model.embed_tokens.weight"] = weights["model.embed_tokens.weight"][:-8]
    save_file(weights, copy / "model.safetensors")
    size = tokens.tokenizer.get_vocab_size() - 8
    (copy / "config.json").write_text(json.dumps({**config, "vocab_size": size}), encoding="utf-8")
    with pytest.raises(BadFile, match="another model's tokenizer"):
        open_base(str(copy))


def test_names_nobody_knows() -> None:
    with pytest.raises(UnknownName, match="did you mean small"):
        open_base("builtin/smal")
    with pytest.raises(BadOption, match="neither builtin/NAME"):
        open_base("small")
    with pytest.raises(BadFile, match="no such preset folder"):
        open_base("./nowhere")
