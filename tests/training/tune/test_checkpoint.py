"""Checkpoints: whole or as before, whatever happens while one is written."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from toolmend.errors import BadFile, BadOption
from toolmend.training.tune.checkpoint import Checkpoint, checkpoint_of, last_checkpoint, save_checkpoint

RUN = {"base": "b", "rate": 0.1}


def made(step: int) -> Checkpoint:
    return Checkpoint(step, {"weight/0": np.full((3,), step, np.float32)}, {"step": step, "curve": [1, None]})


def test_it_comes_back_as_it_was(tmp_path: Path) -> None:
    save_checkpoint(tmp_path, made(5), RUN)
    found = last_checkpoint(tmp_path, RUN)
    assert found is not None
    assert (found.step, found.about, found.tensors["weight/0"].tolist()) == (5, made(5).about, [5, 5, 5])


def test_two_are_kept(tmp_path: Path) -> None:
    for step in (5, 10, 15):
        save_checkpoint(tmp_path, made(step), RUN)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "step-00000010.safetensors",
        "step-00000015.safetensors",
    ]


def test_where_there_is_none_there_is_none(tmp_path: Path) -> None:
    assert last_checkpoint(tmp_path, RUN) is None


@pytest.mark.parametrize("cut", [0, 10, 200, -1])
def test_one_that_is_cut_short_is_passed_over(tmp_path: Path, cut: int) -> None:
    save_checkpoint(tmp_path, made(5), RUN)
    path = save_checkpoint(tmp_path, made(10), RUN)
    path.write_bytes(path.read_bytes()[:cut])
    found = last_checkpoint(tmp_path, RUN)
    assert found is not None and found.step == 5


def test_a_changed_byte_is_seen(tmp_path: Path) -> None:
    save_checkpoint(tmp_path, made(5), RUN)
    path = save_checkpoint(tmp_path, made(10), RUN)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    found = last_checkpoint(tmp_path, RUN)
    assert found is not None and found.step == 5
    with pytest.raises(BadFile, match="damaged or gone"):
        checkpoint_of(tmp_path, 10)


def test_a_full_disk_leaves_the_last_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_checkpoint(tmp_path, made(5), RUN)

    def full(_number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadFile, match=r"could not be written \(No space left on device\); the one of step 5 stays"):
        save_checkpoint(tmp_path, made(10), RUN)
    monkeypatch.undo()
    found = last_checkpoint(tmp_path, RUN)
    assert found is not None and found.step == 5
    assert len(list(tmp_path.iterdir())) == 1


def test_a_kill_while_it_is_written_leaves_the_last_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_checkpoint(tmp_path, made(5), RUN)

    def killed(*_paths: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        save_checkpoint(tmp_path, made(10), RUN)
    found = last_checkpoint(tmp_path, RUN)
    assert found is not None and found.step == 5


def test_what_a_killed_process_leaves_behind_is_no_checkpoint(tmp_path: Path) -> None:
    (tmp_path / ".step-00000010.safetensors.part").write_bytes(b"half")
    assert last_checkpoint(tmp_path, RUN) is None


def test_the_folder_of_another_training_is_refused_by_what_differs(tmp_path: Path) -> None:
    save_checkpoint(tmp_path, made(5), RUN)
    with pytest.raises(BadOption, match=r"holds another training \(rate differ\)"):
        last_checkpoint(tmp_path, {"base": "b", "rate": 0.2})
