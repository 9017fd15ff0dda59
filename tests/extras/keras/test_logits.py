"""Logits of every family within 1e-3 of transformers', from one folder. Needs torch, which dev lacks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from toolmend.extras.keras.folder import Folder
from toolmend.extras.keras.loading import load_lm, worker

pytest.importorskip("keras_hub")
torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.slow
IDS = np.random.default_rng(0).integers(5, 350, 60).tolist()  # longer than Gemma 2's sliding window


def ours(folder: Path) -> Any:
    lm = worker().submit(load_lm, Folder.read(folder), "float32").result()
    asked = {"token_ids": np.array([IDS]), "padding_mask": np.ones((1, len(IDS)))}
    return worker().submit(lambda: np.asarray(lm(asked))).result()


def theirs(folder: Path) -> Any:
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, torch_dtype=torch.float32)
    with torch.no_grad():
        return model(torch.tensor([IDS])).logits.numpy()


@pytest.mark.parametrize("kind", ["llama", "gemma", "gemma2", "mistral", "qwen2", "qwen3", "vicuna"])
def test_logits_are_those_of_transformers(folders: dict[str, Path], kind: str) -> None:
    np.testing.assert_allclose(ours(folders[kind]), theirs(folders[kind]), rtol=0, atol=1e-3)


LLAMA31 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}


@pytest.mark.parametrize("key", ["rope_scaling", "rope_parameters"])
def test_the_scaling_of_llama_31_is_read_in_both_spellings(tmp_path: Path, write_folder: Any, key: str) -> None:
    scaling = {**LLAMA31, "original_max_position_embeddings": 32, "rope_theta": 5e5}
    folder = write_folder(tmp_path / key, "llama", **{key: scaling, "rope_theta": 5e5})
    np.testing.assert_allclose(ours(folder), theirs(folder), rtol=0, atol=1e-3)


def test_a_tied_head(tmp_path: Path, write_folder: Any) -> None:
    folder = write_folder(tmp_path / "tied", "llama", tie_word_embeddings=True)
    np.testing.assert_allclose(ours(folder), theirs(folder), rtol=0, atol=1e-3)


def test_mistral_with_a_window_shorter_than_the_text(tmp_path: Path, write_folder: Any) -> None:
    folder = write_folder(tmp_path / "sliding", "mistral", sliding_window=24)
    np.testing.assert_allclose(ours(folder), theirs(folder), rtol=0, atol=1e-3)
