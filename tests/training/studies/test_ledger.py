"""What has been done is remembered, and a folder is not used for two things."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolmend.errors import BadFile, BadOption
from toolmend.training.studies.ledger import Ledger


def test_a_stage_is_remembered(tmp_path: Path) -> None:
    Ledger(tmp_path / "w", {"model": "a"}).put("run", "42")
    assert Ledger(tmp_path / "w", {"model": "a"}).get("run") == "42"


def test_what_was_not_done_is_none(tmp_path: Path) -> None:
    assert Ledger(tmp_path, {}).get("run") is None


def test_tuples_come_back_as_the_same_work(tmp_path: Path) -> None:
    Ledger(tmp_path, {"guards": ("a", "b")})
    Ledger(tmp_path, {"guards": ("a", "b")})


def test_another_work_is_refused_by_what_differs(tmp_path: Path) -> None:
    Ledger(tmp_path, {"model": "a", "mix": 0.5, "old": 1})
    with pytest.raises(BadOption, match=r"holds other work \(model, new, old differ\)"):
        Ledger(tmp_path, {"model": "b", "mix": 0.5, "new": 1})


@pytest.mark.parametrize("text", ["", "{", "[]", '{"what": {}}', '{"what": 1, "done": {}}', "\udcff"])
def test_a_broken_file_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "state.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(BadFile, match=r"state\.json: cannot be read .*; remove .* to start over"):
        Ledger(tmp_path, {})
