"""`toolmend train builtin`: what it shows and prints; the training itself is somebody else's."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from rich.console import Console

from toolmend.apps.cli.commands import train as module
from toolmend.apps.cli.kit import screen
from toolmend.errors import MissingExtra

Invoke = Callable[..., Result]

ROWS = [
    {"step": 50, "tokens": 204_800, "of": 1_000_000, "loss": 5.25, "rate": 1.0, "tokens_per_second": 20_000},
    {"step": 51, "tokens": 209_000, "of": 1_000_000, "loss": 5.0, "rate": 1.0, "tokens_per_second": 20_000},
    {"step": 1000, "tokens": 1_000_000, "same": 0.9312, "held_out": 0.8745, "n": 1200, "by_op": {"add": "9/10"}},
]
EXAM = {"same": 0.95, "held_out": 0.9, "n": 1500, "by_op": {"add": "470/500", "fix 2": "88/100"}}


@pytest.fixture
def trained(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Training that only reports; what it was called with."""
    calls: list[tuple[Any, ...]] = []

    def train_builtin(name: str, work: Path, out: Path, report: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
        calls.append((name, work, out))
        for row in ROWS:
            report(row)
        return EXAM

    monkeypatch.setattr("toolmend.training.builtin.train_builtin", train_builtin)
    return calls


def test_it_trains_what_was_asked_for(invoke: Invoke, trained: list[tuple[Any, ...]]) -> None:
    assert invoke("train", "builtin", "small", "--work", "w", "--out", "o").exit_code == 0
    assert trained == [("small", Path("w"), Path("o"))]


def test_the_exam_is_printed_at_the_end(invoke: Invoke, trained: list[tuple[Any, ...]]) -> None:
    assert invoke("train", "builtin", "small", "--work", "w", "--out", "o").stdout.splitlines() == [
        "o: 95.0 % exact, 90.0 % of 1,500 held out",
        "      470/500  add",
        "       88/100  fix 2",
    ]


def test_progress_goes_to_standard_error(invoke: Invoke, trained: list[tuple[Any, ...]]) -> None:
    assert invoke("train", "builtin", "small", "--work", "w", "--out", "o").stderr.splitlines() == [
        "toolmend: 204,800 of 1,000,000 tokens, loss 5.250, 20,000 tokens/s, 40 s left",
        "toolmend: 1,000,000 tokens: 93.1 % exact, 87.5 % of 1,200 held out",
    ]


def test_json_stands_alone(invoke: Invoke, trained: list[tuple[Any, ...]]) -> None:
    result = invoke("train", "builtin", "small", "--work", "w", "--out", "o", "--format", "json")
    assert json.loads(result.stdout) == {"schema": 1, "model": "small", "preset": "o", "exam": EXAM}


def test_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Console(file=io.StringIO(), force_terminal=True, width=120, color_system=None)
    monkeypatch.setattr(screen, "console", lambda **_: terminal)
    with module.Watch() as watch:
        for row in ROWS:
            watch.update(row)
    assert isinstance(terminal.file, io.StringIO)
    drawn = terminal.file.getvalue()
    assert "209,000 of 1,000,000 tokens, loss 5.000" in drawn
    assert "toolmend: 1,000,000 tokens: 93.1 % exact" in drawn


def test_a_speed_that_is_not_known_gives_no_time_left() -> None:
    assert module.progress_line({**ROWS[0], "tokens_per_second": 0}).endswith("loss 5.250, 0 tokens/s")


def test_ctrl_c_says_how_to_go_on(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("toolmend.training.builtin.train_builtin", interrupted)
    result = invoke("train", "builtin", "small", "--work", "w", "--out", "o")
    assert (result.exit_code, result.stderr) == (
        130,
        "toolmend: stopped; the state is kept in w: the same command goes on\n",
    )


def test_without_torch_one_line_says_what_to_install(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_arguments: object) -> None:
        raise MissingExtra("training an embedded model", "train")

    monkeypatch.setattr("toolmend.training.builtin.train_builtin", missing)
    result = invoke("train", "builtin", "small", "--work", "w", "--out", "o")
    assert (result.exit_code, result.stdout, result.stderr) == (
        2,
        "",
        "toolmend: training an embedded model needs the extra 'train': pip install 'toolmend[train]'\n",
    )


def test_torch_is_missed_before_anything_is_written(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in [name for name in sys.modules if name.startswith("toolmend.training.") and "builtin" not in name]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    result = invoke("train", "builtin", "tiny", "--work", tmp_path / "w", "--out", tmp_path / "o")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert not (tmp_path / "w").exists()


def test_a_model_nobody_knows(invoke: Invoke) -> None:
    result = invoke("train", "builtin", "smal", "--work", "w", "--out", "o")
    assert result.exit_code == 2
    assert "unknown embedded model 'smal' (did you mean small or schema?)" in result.stderr


def test_folders_must_be_named(invoke: Invoke) -> None:
    assert invoke("train", "builtin", "small").exit_code == 2


def test_help_of_the_command_below(invoke: Invoke) -> None:
    result = invoke("train", "builtin", "-h")
    assert result.exit_code == 0
    assert max(map(len, result.output.splitlines())) <= 80
