"""`toolmend regrade`: what changed, where it is kept, and that the same again finds it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from toolmend.store import Store

Invoke = Callable[..., Result]


@pytest.fixture
def run(invoke: Invoke, suite: Path) -> str:
    assert invoke("run", suite, "--model", "canned/late").exit_code == 0
    return ids()[0]


def ids() -> list[str]:
    with Store(create=False) as store:
        return [run.id for run in store.runs()]


def mend(suite: Path) -> None:
    """One o'clock was right all along."""
    text = suite.read_text(encoding="utf-8")
    suite.write_text(text.replace('time="12:00"', 'time="13:00"'), encoding="utf-8")


def test_nothing_changed(invoke: Invoke, run: str) -> None:
    result = invoke("regrade")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        f"tiny · run {run} graded anew · 2 samples, 4 replies\nNothing changed: every mark is as it was.\n"
    )
    assert ids() == [run]


def test_a_mended_suite(invoke: Invoke, run: str, suite: Path) -> None:
    mend(suite)
    result = invoke("regrade", run[:6])
    lines = result.stdout.splitlines()
    assert lines[1].startswith("note: the suite is not what was played (")
    assert lines[2:5] == [
        "4 of 4 replies are marked otherwise:",
        "     2 ×  🍄 wrong_value(time)  →  ✔",
        "     2 ×  🥦  →  ↩ 🍄 wrong_value(time)",
    ]
    assert "canned/late · oneline   0 % → 100 %" in result.stdout
    assert "quick/lunch, step 1 · canned/late · oneline · attempt 1" in lines
    assert '  reply   action.add_calendar_entry("Lunch", date="2024-05-03", time="13:00")' in lines
    new = ids()[0]
    assert lines[-1] == f"This is kept as run {new}; `toolmend show {new}` reports it."


def test_the_same_again_finds_it(invoke: Invoke, run: str, suite: Path) -> None:
    mend(suite)
    invoke("regrade", run)
    new = ids()[0]
    again = invoke("regrade", run)
    assert again.stdout.splitlines()[-1] == f"This is there already as run {new}; `toolmend show {new}` reports it."
    assert ids() == [new, run]


def test_a_dry_run_keeps_nothing(invoke: Invoke, run: str, suite: Path) -> None:
    mend(suite)
    result = invoke("regrade", "--dry-run")
    assert "4 of 4 replies are marked otherwise" in result.stdout
    assert "kept as" not in result.stdout
    assert ids() == [run]


def test_json(invoke: Invoke, run: str, suite: Path) -> None:
    mend(suite)
    data = json.loads(invoke("regrade", "--format", "json").stdout)
    assert (data["from"], data["run"], data["suite_changed"], data["changed"]) == (run, ids()[0], True, 4)
    assert data["transitions"][0] == {"before": "🍄 wrong_value(time)", "after": "✔", "count": 2}
    assert data["changes"][0]["before"] == {"marks": ["mistake"], "mistakes": ["wrong_value(time)"]}
    assert data["rates"][0]["first_right"] == {
        "before": {"value": 0.0, "trials": 2},
        "after": {"value": 1.0, "trials": 2},
    }
    assert data["rates"][0]["fix_at_1"] == {
        "before": {"value": 1.0, "trials": 2},
        "after": {"value": None, "trials": 0},
    }


def test_cases_that_are_gone_are_said(invoke: Invoke, run: str, suite: Path) -> None:
    text = suite.read_text(encoding="utf-8")
    suite.write_text(text.replace("    - steps:", "    - id: another\n      steps:"), encoding="utf-8")
    result = invoke("regrade", run)
    assert "note: 2 samples of cases that the suite does not have, left out\n" in result.stdout
    assert "Nothing changed" in result.stdout


def test_a_suite_that_moved_is_named(invoke: Invoke, run: str, suite: Path) -> None:
    moved = suite.rename(suite.with_name("moved.yaml"))
    refused = invoke("regrade", run)
    assert (refused.exit_code, "is not where it was" in refused.stderr) == (2, True)
    assert invoke("regrade", run, "--suite", moved).exit_code == 0
