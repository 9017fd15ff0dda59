"""Names of GGUF files: what Ollama holds is found as it lays it down."""

from __future__ import annotations

import json
from pathlib import Path

import platformdirs
import pytest

from toolmend import load_model
from toolmend.base.errors import BadFile, ModelError, UnknownName
from toolmend.models.gguf.places import local, locate


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, with nothing in it."""
    for name in ("OLLAMA_MODELS", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda app: tmp_path / "cache" / app)
    return tmp_path


def laid(path: Path, content: str = "GGUF") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


def test_one_that_was_not_fetched_names_the_command() -> None:
    with pytest.raises(ModelError, match=r"^gguf/smollm2 is not on this machine; get it once with `toolmend models"):
        load_model("gguf/smollm2")


def test_one_that_was_fetched(home: Path) -> None:
    path = laid(home / "cache/toolmend/models/SmolLM2-135M-Instruct.Q4_1.gguf")
    assert locate("smollm2") == path
    assert [file.name for file in local()] == ["smollm2"]


def test_ollama_keeps_manifests_and_blobs(home: Path) -> None:
    blob = laid(home / ".ollama/models/blobs/sha256-ab12")
    layers = [
        {"mediaType": "application/vnd.ollama.image.template", "digest": "sha256:cd34"},
        {"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:ab12"},
    ]
    for name in ("library/llama3.2/latest", "library/llama3.2/1b", "someone/own/latest"):
        laid(home / ".ollama/models/manifests/registry.example" / name, json.dumps({"layers": layers}))
    laid(home / ".ollama/models/manifests/registry.example/library/broken/latest", "{")
    names = [file.name for file in local()]
    assert names == ["ollama:llama3.2:1b", "ollama:llama3.2:latest", "ollama:someone/own:latest"]
    assert [locate(name) for name in ("ollama:llama3.2", "ollama:llama3.2:1b", "ollama:someone/own")] == [blob] * 3


def test_ollamas_own_variable(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_MODELS", str(home / "elsewhere"))
    laid(home / "elsewhere/blobs/sha256-1")
    layers = [{"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:1"}]
    laid(home / "elsewhere/manifests/host/library/tiny/latest", json.dumps({"layers": layers}))
    assert locate("ollama:tiny") == home / "elsewhere/blobs/sha256-1"


def test_a_name_that_nobody_holds() -> None:
    with pytest.raises(UnknownName, match=r"unknown GGUF file 'ollama:small'; see `toolmend models local`"):
        locate("ollama:small")
    with pytest.raises(UnknownName, match=r"unknown GGUF model 'smolm2' .did you mean smollm2"):
        locate("smolm2")


def test_a_path_that_is_not_there(home: Path) -> None:
    with pytest.raises(BadFile, match=r"none\.gguf: no such file"):
        load_model(f"gguf/{home}/none.gguf")
    with pytest.raises(BadFile, match=r"is a folder; name the \.gguf file in it"):
        load_model(f"gguf/{home}")
