"""`toolmend run` and `toolmend suites` with an agent system: its report, and what it has no option for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

RUN = ("run", "game24", "--model", "scripted/oracle", "--strategy", "cot", "--tasks", "2")


def test_a_system_is_played_and_shown(invoke: Any, tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "runs.db"))
    played = invoke(*RUN, *store)
    assert played.exit_code == 0, played.output
    assert "- scripted/oracle · cot: 100.0 % [34.2–100.0] of 2 tasks" in played.output
    assert "4 % (Yao et al. 2023, arXiv 2305.10601, table 2); context, not a comparison" in played.output
    shown = invoke("show", "--format", "json", *store)
    report = json.loads(shown.stdout)
    assert [(row["score"], row["steps"]) for row in report["rows"]] == [(1.0, 1.0)]


def test_only_some_tasks_are_played(invoke: Any, tmp_path: Path) -> None:
    command = ("run", "game24", "--model", "scripted/idle", "--experiment", "901", "--experiment", "950")
    played = invoke(*command, "--store", str(tmp_path / "runs.db"))
    assert "- scripted/idle · cot: 0.0 % [0.0–65.8] of 2 tasks" in played.output


def test_a_system_is_described(invoke: Any) -> None:
    _, ways, tasks = invoke("suites", "game24").stdout.splitlines()
    assert (ways.startswith("  ways: cot, sc, tot; "), tasks) == (True, "  tasks: 100 24")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("game24", "--mend", "both"), "game24 is an agent system, which has no --mend"),
        (("game24", "--history", "gold"), "which has no --history"),
        (("game24", "--part", "1/2"), "which has no --part"),
        (("game24", "--on", "ray"), "which has no --on"),
        (("game24", "--strategy", "oneline"), "unknown way of playing game24 'oneline'; known: cot, sc, tot"),
        (("game24", "--experiment", "hard"), "game24 has no task or group 'hard'; its groups: 24"),
        (("calendar", "--tasks", "2"), "--tasks is for agent systems: "),
    ],
)
def test_what_does_not_fit_is_named(invoke: Any, options: tuple[str, ...], words: str) -> None:
    refused = invoke("run", *options, "--model", "scripted/idle")
    assert refused.exit_code == 2
    assert words in refused.output
