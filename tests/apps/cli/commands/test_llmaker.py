"""`toolmend run llmaker`: the bars at the command line, and one clear line where the file is missing or wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import Invoke


def test_without_the_cases_there_is_one_line(invoke: Invoke) -> None:
    result = invoke("run", "llmaker", "--model", "scripted/idle")
    assert result.exit_code == 2
    assert result.stderr.startswith("toolmend: suite llmaker needs --cases PATH: ")
    assert result.stderr.count("\n") == 1


def test_a_wrong_file_is_one_line(invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    path.write_text("{}")
    result = invoke("run", "llmaker", "--cases", str(path), "--model", "scripted/idle")
    assert result.exit_code == 2
    told = "does not hold cases and levels as it should (KeyError('levels'))"
    assert result.stderr.startswith(f"toolmend: {path}: {told}")
    assert result.stderr.count("\n") == 1


def test_other_suites_take_no_cases(invoke: Invoke) -> None:
    result = invoke("run", "calendar", "--cases", "x", "--model", "scripted/idle")
    assert (result.exit_code, result.stderr) == (2, "toolmend: suite 'calendar' takes no cases\n")


@pytest.mark.needs_shared
def test_the_bar(invoke: Invoke, shared: Path) -> None:
    cases = str(shared / "facts" / "llmaker_cases.json")
    result = invoke("run", "llmaker", "--cases", cases, "--model", "scripted/oracle", "--format", "json")
    steps = json.loads(result.stdout)["llmaker"]["steps"]
    assert (result.exit_code, len(steps)) == (0, 50)
    assert (sum(step["strict"] for step in steps), sum(step["published"] for step in steps)) == (50, 47)
    shown = invoke("show", *("--format", "text")).stdout
    assert "LLMaker's requests" in shown and "Freyr, Qwen 2.5" in shown
