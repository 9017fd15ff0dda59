"""`toolmend train`: its commands, and how progress is shown."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from click.testing import Result
from rich.console import Console

from toolmend.apps.cli.commands import training_watch as module
from toolmend.apps.cli.kit import screen

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
    monkeypatch.setattr(screen, "console", lambda **_: terminal)
    with module.TrainingWatch(told) as watch:
        for row in ROWS:
            watch.update(row)
    assert isinstance(terminal.file, io.StringIO)
    drawn = terminal.file.getvalue()
    assert "209,000 of 1,000,000 tokens, loss 5.000" in drawn
    assert "toolmend: 1,000,000 tokens: 93.1% exact" in drawn


def test_a_speed_that_is_not_known_gives_no_time_left() -> None:
    assert module.progress_line({**ROWS[0], "tokens_per_second": 0}).endswith("loss 5.250, 0 tokens/s")


def test_without_a_terminal_lines_tell_of_progress(capsys: pytest.CaptureFixture[str]) -> None:
    with module.TrainingWatch(told) as watch:
        for row in ROWS:
            watch.update(row)
    assert capsys.readouterr().err.splitlines() == [
        "toolmend: 204,800 of 1,000,000 tokens, loss 5.250, 20,000 tokens/s, 40 s left",
        "toolmend: 1,000,000 tokens: 93.1% exact",
    ]


def test_a_command_nobody_knows(invoke: Invoke) -> None:
    result = invoke("train", "adapt")
    known = "(did you mean train adapter?); known: train adapter"
    assert (result.exit_code, result.stderr) == (2, f"toolmend: unknown command 'train adapt' {known}\n")
