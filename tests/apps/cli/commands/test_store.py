"""`toolmend run --part` and `toolmend store merge`, as they are typed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

Invoke = Callable[..., Result]


def test_parts_in_a_folder_become_one_run(invoke: Invoke, suite: Path, tmp_path: Path) -> None:
    folder, whole = tmp_path / "parts", tmp_path / "whole.db"
    for number in (1, 2):
        invoke("run", suite, "--model", "canned/right", "--part", f"{number}/2", "--store", folder / f"{number}.db")
    told = json.loads(invoke("store", "merge", whole, folder, "--format", "json").stdout)
    assert (told["status"], told["new"], told["there"], told["ok"]) == ("finished", 2, 0, 2)
    again = invoke("store", "merge", whole, folder)
    assert f"run {told['run']}: 0 samples new, 2 there already, 0 could not be run\n" in again.stderr


def test_a_folder_without_a_store(invoke: Invoke, tmp_path: Path) -> None:
    result = invoke("store", "merge", tmp_path / "whole.db", tmp_path)
    assert (result.exit_code, "holds no store (*.db)" in result.stderr) == (2, True)
    assert not (tmp_path / "whole.db").exists()


def test_what_does_not_go_together(invoke: Invoke, suite: Path) -> None:
    fresh = invoke("run", suite, "--model", "canned/right", "--part", "1/2", "--fresh")
    assert "--fresh would take the run from the other parts" in fresh.stderr
    both = invoke("run", suite, "--model", "canned/right", "--part", "1/2", "--on", "ray")
    assert "--on and --part both divide the run" in both.stderr
