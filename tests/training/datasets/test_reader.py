"""A data folder read back: typed lines, broken ones with file and number."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolmend.errors import BadFile
from toolmend.training.datasets.lines import Chat, Said, to_json
from toolmend.training.datasets.reader import load

CHAT = Chat("1", (), (Said("user", "Tea?"), Said("assistant", "No.")), {"talk": "t"})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A train part with one good line, a blank one, a broken one and a good one."""
    (tmp_path / "train").mkdir()
    good = json.dumps(to_json(CHAT))
    (tmp_path / "train" / "chat.jsonl").write_text(f"{good}\n\n{{broken\n{good}\n", encoding="utf-8")
    return tmp_path


def test_a_broken_line_has_its_number(folder: Path) -> None:
    with pytest.raises(BadFile, match=r"train/chat\.jsonl:3: Expecting property name"):
        load(folder)


def test_broken_lines_are_skipped_and_counted(folder: Path) -> None:
    data = load(folder, skip_bad=True)
    assert (data.chat, data.pairs, data.hindsight, data.skipped) == ((CHAT, CHAT), (), (), 1)


def test_bytes_that_are_no_text(folder: Path) -> None:
    (folder / "train" / "chat.jsonl").write_bytes(b"\xff\n")
    with pytest.raises(BadFile, match=r"chat\.jsonl:1: 'utf-8' codec"):
        load(folder)


def test_a_line_of_another_kind(folder: Path) -> None:
    (folder / "train" / "chat.jsonl").rename(folder / "train" / "pairs.jsonl")
    with pytest.raises(BadFile, match=r"pairs\.jsonl:1: chosen: is missing"):
        load(folder)


def test_a_part_that_is_not_there(folder: Path) -> None:
    with pytest.raises(BadFile, match=r"test: there is no such part of a data folder"):
        load(folder, "test")
