"""`toolmend run --part` and `toolmend store merge`, as they are typed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from click.testing import Result

Invoke = Callable[..., Result]


def test_parts_in_a_folder_become_one_run(invoke: Invoke, suite: Path, tmp_path: Path) -> None:
    folder, whole = tmp_path / "parts", tmp_path / "whole.db"
    for number in (1, 2):
        invoke("run", suite, "--model", "canned/right", "--part", f"{number}/2", "--store", folder / f"{number}.db")
    told = invoke("store", "merge", whole, folder).stderr
    assert told.endswith(": 2 samples new, 0 there already, 0 could not be run\n")
    again = invoke("store", "merge", whole, folder).stderr
    assert again == told.replace("2 samples new, 0 there", "0 samples new, 2 there")


def test_a_folder_without_a_store(invoke: Invoke, tmp_path: Path) -> None:
    result = invoke("store", "merge", tmp_path / "whole.db", tmp_path)
    assert (result.exit_code, "holds no store (*.db)" in result.stderr) == (2, True)
    assert not (tmp_path / "whole.db").exists()


def test_what_does_not_go_together(invoke: Invoke, suite: Path) -> None:
    both = invoke("run", suite, "--model", "canned/right", "--part", "1/2", "--on", "ray")
    assert "--on and --part both divide the run" in both.stderr
