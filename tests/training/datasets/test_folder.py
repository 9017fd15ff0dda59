"""A data folder is written whole or not at all, and never in place of something else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolmend.errors import BadFile, BadOption
from toolmend.training.datasets import folder as folders
from toolmend.training.datasets.lines import Chat, Said
from toolmend.training.datasets.reader import load

CHAT = Chat("1", (), (Said("user", "Tea \ud800 ☕"), Said("assistant", "No.")), {"talk": "t"})
PARTS = {"train": {"chat": [CHAT], "pairs": [], "hindsight": []}, "test": {"chat": [], "pairs": [], "hindsight": []}}
COUNTS = {"toolmend": "data", "schema": 1}


def write(folder: Path, *, force: bool = False) -> None:
    folders.write(folder, PARTS, COUNTS, "# Card\n", force=force)


def test_what_is_written(tmp_path: Path) -> None:
    write(tmp_path / "data")
    found = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    kinds = ("chat", "hindsight", "pairs")
    parts = [f"data/{part}/{kind}.jsonl" for part in ("test", "train") for kind in kinds]
    assert found == ["data/README.md", "data/counts.json", *parts]
    assert load(tmp_path / "data").chat == (CHAT,)


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(BadOption, match="is not empty; --force replaces a data folder"):
        write(tmp_path)


def test_force_replaces_a_data_folder_only(tmp_path: Path) -> None:
    write(tmp_path / "data")
    write(tmp_path / "data", force=True)
    (tmp_path / "data" / "counts.json").write_text("{}")
    with pytest.raises(BadOption, match="--force does not delete it"):
        write(tmp_path / "data", force=True)


def test_a_file_is_no_place(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("mine")
    with pytest.raises(BadOption, match="is not empty"):
        write(tmp_path / "data")


def test_what_was_there_stays_when_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "data")
    before = (tmp_path / "data" / "train" / "chat.jsonl").read_bytes()

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(BadFile, match=r"cannot be written \(No space left on device\)"):
        write(tmp_path / "data", force=True)
    assert (tmp_path / "data" / "train" / "chat.jsonl").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_counts_of_what_is_no_data_folder(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no data folder"):
        folders.read_counts(tmp_path)
    (tmp_path / "counts.json").write_text(json.dumps(COUNTS))
    assert folders.read_counts(tmp_path) == COUNTS
