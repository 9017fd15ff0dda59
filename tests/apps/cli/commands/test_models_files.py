"""`toolmend models get` and `toolmend models local`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import platformdirs
import pytest
from click.testing import Result

from toolmend.models.gguf import fetch

Invoke = Callable[..., Result]


@pytest.fixture(autouse=True)
def empty_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A home and a cache of its own."""
    for name in ("OLLAMA_MODELS", "HF_HOME", "HF_HUB_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda app: tmp_path / app)
    return tmp_path


def test_nothing_here_says_how_to_get_one(invoke: Invoke) -> None:
    told = "no GGUF file was found; `toolmend models get smollm2` fetches one, and gguf/PATH names any\n"
    assert invoke("models", "local").stdout == told


def test_files_of_others_are_listed_by_the_name_that_runs_them(invoke: Invoke, empty_home: Path) -> None:
    path = empty_home / ".ollama/models/blobs/sha256-1"
    manifest = empty_home / ".ollama/models/manifests/host/library/tiny/latest"
    for folder in (path.parent, manifest.parent):
        folder.mkdir(parents=True)
    path.write_bytes(b"GGUF" * 500_000)
    layer = {"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:1"}
    manifest.write_text(json.dumps({"layers": [layer]}))
    assert invoke("models", "local").stdout == "gguf/ollama:tiny:latest  2.0 MB\n"


def test_get_says_what_it_put_where(invoke: Invoke, empty_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def got(name: str) -> Path:
        path = empty_home / "file.gguf"
        path.write_bytes(b"0" * 98_400_000)
        return path

    monkeypatch.setattr(fetch, "get", got)
    result = invoke("models", "get", "smollm2")
    assert result.stdout == f"gguf/smollm2  98.4 MB, Apache-2.0: {empty_home / 'file.gguf'}\n"


def test_a_model_that_cannot_be_got_is_one_line(invoke: Invoke) -> None:
    result = invoke("models", "get", "large")
    assert (result.exit_code, result.stderr) == (2, "toolmend: unknown model to get 'large'; known: smollm2\n")
