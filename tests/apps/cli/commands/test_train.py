"""`toolmend train`: its commands, and how progress is shown."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from rich.console import Console

from toolmend.apps.cli.kit import progress
from toolmend.apps.cli.kit.progress import TrainingMeter

Invoke = Callable[..., Result]

ROWS = [
    {"step": 50, "tokens": 204_800, "of": 1_000_000, "loss": 5.25, "rate": 1.0, "tokens_per_second": 20_000},
    {"step": 51, "tokens": 209_000, "of": 1_000_000, "loss": 5.0, "rate": 1.0, "tokens_per_second": 20_000},
    {"step": 1000, "tokens": 1_000_000, "same": 0.9312, "held_out": 0.8745, "n": 1200, "by_op": {"add": "9/10"}},
]


def told(row: Mapping[str, Any]) -> str:
    return f"{row['same']:.1%} exact"


def test_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Console(file=io.StringIO(), force_terminal=True, width=120, color_system=None)
    monkeypatch.setattr(progress, "console", lambda **_: terminal)
    with TrainingMeter(told) as meter:
        for row in ROWS:
            meter.row(row)
    assert isinstance(terminal.file, io.StringIO)
    drawn = terminal.file.getvalue()
    assert "209000/1000000" in drawn
    assert "loss 5.000" in drawn
    assert "toolmend: 1,000,000 tokens: 93.1% exact" in drawn


def test_without_a_terminal_lines_tell_of_progress(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.0)
    with TrainingMeter(told) as meter:
        meter.row(ROWS[0])
        meter.row(ROWS[2])
    assert capsys.readouterr().err.splitlines() == [
        "toolmend: 204,800 of 1,000,000 tokens, loss 5.250",
        "toolmend: 1,000,000 tokens: 93.1% exact",
    ]


def test_a_command_nobody_knows(invoke: Invoke) -> None:
    result = invoke("train", "adapt")
    known = (
        "(did you mean train adapter or train cut or train pack?); "
        "known: train adapter, train average, train cut, train pack"
    )
    assert (result.exit_code, result.stderr) == (2, f"toolmend: unknown command 'train adapt' {known}\n")


def test_a_mean_is_of_two_adapters_and_in_a_place_of_its_own(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    alone = invoke("train", "average", "one", "--out", "mean")
    taken = invoke("train", "average", "one", "two", "--out", str(tmp_path / "there"))
    assert (alone.exit_code, taken.exit_code) == (2, 2)
    assert "a mean is of two folders or more" in alone.output
    assert "is there already: another --out" in taken.output
