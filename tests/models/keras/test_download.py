"""`?download=true` with hubs whose clients are replaced: what is asked of them, and what is said when they fail."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolmend.errors import ModelError
from toolmend.messages import Message, Options, Request
from toolmend.models import load_model
from toolmend.models.keras import folder as folders_of
from toolmend.models.keras.folder import locate

pytest.importorskip("keras_hub")
hub = pytest.importorskip("huggingface_hub")
kagglehub = pytest.importorskip("kagglehub")


@pytest.fixture
def empty(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Caches of both hubs without anything in them."""
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setenv("KAGGLEHUB_CACHE", str(tmp_path / "kaggle"))
    return tmp_path


def fake(monkeypatch: pytest.MonkeyPatch, module: Any, name: str, fetch: Callable[..., str]) -> list[tuple[Any, Any]]:
    """A client's function replaced; what it is called with."""
    asked: list[tuple[Any, Any]] = []

    def replaced(what: str, **how: Any) -> str:
        asked.append((what, how))
        return fetch()

    monkeypatch.setattr(module, name, replaced)
    return asked


@pytest.mark.slow
def test_what_is_missing_is_fetched_once_and_then_found(
    monkeypatch: pytest.MonkeyPatch, empty: Path, folders: dict[str, Path]
) -> None:
    place = empty / "hf" / "hub" / "models--google--gemma-2b-it-keras" / "snapshots" / "abc"
    asked = fake(monkeypatch, hub, "snapshot_download", lambda: str(shutil.copytree(folders["gemma"], place)))
    with pytest.raises(ModelError, match="is not on this machine"):
        load_model("keras/gemma-2b?window=64&batch=1")
    assert asked == []
    model: Any = load_model("keras/gemma-2b?window=64&batch=1&download=true")
    assert asked == [("google/gemma-2b-it-keras", {"allow_patterns": folders_of._FETCHED})]
    assert model.reply_now(Request((Message("user", "hi"),), options=Options(max_tokens=3))).usage.output_tokens
    load_model("keras/gemma-2b?window=64&batch=1")
    load_model("keras/gemma-2b?window=64&batch=1&download=true")
    assert len(asked) == 1


def test_a_preset_comes_from_kaggle(monkeypatch: pytest.MonkeyPatch, empty: Path) -> None:
    asked = fake(monkeypatch, kagglehub, "model_download", lambda: str(empty))
    assert locate("kaggle://keras/gemma/keras/gemma_2b_en/2", str, download=True) == empty
    assert asked == [("keras/gemma/keras/gemma_2b_en/2", {})]


def test_a_hub_that_fails_is_one_line(monkeypatch: pytest.MonkeyPatch, empty: Path) -> None:
    def fail() -> str:
        raise ConnectionError("no route\nto the host\nat all")

    fake(monkeypatch, hub, "snapshot_download", fail)
    with pytest.raises(ModelError) as caught:
        load_model("keras/gemma-2b?download=true")
    assert str(caught.value) == "keras/gemma-2b could not be fetched (ConnectionError: no route)"


def test_a_client_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, empty: Path) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ModelError, match="the package huggingface_hub is needed to fetch it; or: hf download"):
        load_model("keras/gemma-2b?download=true")
