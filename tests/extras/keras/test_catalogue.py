"""The catalogue agrees with itself, and says of each model why it cannot run here."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from toolmend.extras.keras import catalogue


def test_the_eight_models_of_the_experiment() -> None:
    assert [entry.name for entry in catalogue.ENTRIES] == [
        "gemma2-9b", "llama3.1-8b", "llama3.2-3b", "llama3.2-1b", "gemma-2b", "codegemma-7b", "vicuna-7b", "mistral-7b",
    ]  # fmt: skip


@pytest.mark.needs_shared
def test_the_pages_are_those_that_the_experiment_links(shared: Path) -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in sorted((shared / "seeds").glob("000_*.txt")))
    assert [entry.linked for entry in catalogue.ENTRIES if f"huggingface.co/{entry.linked}" not in text] == []


def test_what_cannot_run_says_why() -> None:
    row = catalogue.rows(budget=1_000_000_000)[0]
    assert row["why_not"][-2:] == [
        "not fetched: hf download google/gemma-2-instruct-9b-keras",
        "18.5 GB in bfloat16, and the budget is 1.0 GB",
    ]


def test_weights_that_are_as_large_as_the_budget_fit() -> None:
    (row,) = [row for row in catalogue.rows(budget=5_012_344_832) if row["model"] == "keras/gemma-2b"]
    assert [reason for reason in row["why_not"] if "the budget is" in reason] == []


def test_what_is_fetched_and_fits_can_run(
    folders: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("keras_hub")
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    place = tmp_path / "hub" / "models--google--gemma-2b-it-keras" / "snapshots" / "abc"
    shutil.copytree(folders["gemma"], place)
    (row,) = [row for row in catalogue.rows(budget=10**12) if row["model"] == "keras/gemma-2b"]
    assert row["why_not"] == []
    (place / "model.safetensors").unlink()
    (row,) = [row for row in catalogue.rows(budget=10**12) if row["model"] == "keras/gemma-2b"]
    assert "model.safetensors or model.safetensors.index.json is missing" in row["why_not"][0]
