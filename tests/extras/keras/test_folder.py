"""What is wrong with a folder or a name is said at once, by name, before anything heavy is imported."""

from __future__ import annotations

import json
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from toolmend.base.errors import BadFile, BadOption, ModelError, UnknownName
from toolmend.extras.keras.folder import Folder, locate
from toolmend.models import load_model


@pytest.fixture
def folder(folders: dict[str, Path], tmp_path: Path) -> Path:
    return shutil.copytree(folders["llama"], tmp_path / "model")


def change(path: Path, **values: object) -> None:
    config = json.loads((path / "config.json").read_text(encoding="utf-8"))
    (path / "config.json").write_text(json.dumps({**config, **values}), encoding="utf-8")


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda path: (path / "config.json").unlink(), "config.json is missing"),
        (lambda path: (path / "config.json").write_text("{"), "not readable JSON"),
        (lambda path: (path / "model.safetensors").unlink(), "model.safetensors or .*index.json is missing"),
        (lambda path: (path / "tokenizer.json").unlink(), "tokenizer.json or tokenizer.model is missing"),
        (lambda path: (path / "tokenizer.json").write_text("{}"), "tokenizer.json: not a tokenizer"),
        (lambda path: change(path, model_type="mamba"), "model_type 'mamba'; known: llama, gemma, gemma2"),
        (lambda path: change(path, hidden_size="wide"), "hidden_size is missing or no whole number"),
    ],
)
def test_what_is_wrong_with_a_folder(folder: Path, spoil: Callable[[Path], object], says: str) -> None:
    spoil(folder)
    with pytest.raises(BadFile, match=says):
        load_model(f"keras/{folder}")


def test_pickled_weights_are_refused(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(BadFile, match=r"pytorch_model\.bin: pickled weights are never loaded"):
        load_model(f"keras/{folder}")


def test_a_foreign_tokenizer(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    for name in ("model.embed_tokens.weight", "lm_head.weight"):
        weights[name] = np.ascontiguousarray(weights[name][:300])
    save_file(weights, folder / "model.safetensors")
    change(folder, vocab_size=300)
    with pytest.raises(BadFile, match=r"another model's tokenizer: \d+ ids, and weights for 300 only"):
        load_model(f"keras/{folder}")


def test_a_foreign_tokenizer_in_a_preset_that_kerashub_saved(folders: dict[str, Path], tmp_path: Path) -> None:
    config = {"registered_name": "Gemma", "class_name": "GemmaBackbone", "config": {"vocabulary_size": 300}}
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (tmp_path / "model.weights.h5").touch()
    shutil.copy(folders["gemma"] / "tokenizer.model", tmp_path)
    with pytest.raises(BadFile, match=r"another model's tokenizer: \d+ ids, and weights for 300 only"):
        load_model(f"keras/{tmp_path}")


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="nowhere: no such folder"):
        load_model(f"keras/{tmp_path / 'nowhere'}")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (
            "hf://google/gemma-2b-it-keras",
            "on this machine; get it once with `hf download google/gemma-2b-it-keras`",
        ),
        ("gemma2-9b", "keras/gemma2-9b is not on this machine; .*hf download google/gemma-2-instruct-9b-keras"),
    ],
)
def test_what_is_not_here_is_said_without_a_connection(name: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(*_: object) -> None:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", connect)
    with pytest.raises(ModelError, match=says):
        load_model(f"keras/{name}")


def test_a_strange_handle() -> None:
    with pytest.raises(UnknownName, match=r"known: codegemma-7b, .*; a folder is ./FOLDER, a handle hf://"):
        load_model("keras/gs://bucket/model")


def test_an_unknown_option_and_an_unknown_template(folders: dict[str, Path]) -> None:
    with pytest.raises(BadOption, match=r"unknown option 'windw' \(did you mean window"):
        load_model(f"keras/{folders['llama']}?windw=3")
    with pytest.raises(UnknownName, match=r"unknown chat template 'lama3' .*known: chatml, gemma"):
        load_model(f"keras/{folders['llama']}?template=lama3")


def test_what_was_fetched_once_is_found(
    folders: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    place = tmp_path / "hub" / "models--google--gemma-2b-it-keras" / "snapshots" / "abc"
    shutil.copytree(folders["gemma"], place)
    assert locate("gemma-2b") == place
    assert locate("hf://google/gemma-2b-it-keras") == place


def test_bytes_of_the_weights(folders: dict[str, Path]) -> None:
    weights = load_file(folders["gemma"] / "model.safetensors")
    head = 4096  # names and shapes, which the file has too
    assert 0 <= Folder.read(folders["gemma"]).bytes(2) - 2 * sum(weight.size for weight in weights.values()) < head
