"""The meter's words; its pace is not tested."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from toolmend.apps.cli.kit import progress
from toolmend.apps.cli.kit.progress import Meter


def test_nothing_is_known_at_first() -> None:
    meter = Meter()
    meter.update(40, 100)
    assert meter.line(40, 100, 0.0) == ""


def test_rate_and_rest_count_what_was_done_this_time() -> None:
    meter = Meter()
    meter.update(40, 100)
    assert meter.line(60, 100, 10.0, 1) == "2.0/s, 20 s left, 1 error"


@pytest.mark.parametrize(("done", "seconds", "rate"), [(50, 2, "25/s"), (1, 4, "0.2/s"), (1, 30, "2.0/min")])
def test_rates_are_readable(done: int, seconds: float, rate: str) -> None:
    meter = Meter()
    meter.update(0, 100)
    assert meter.line(done, 100, seconds).split(",")[0] == rate


def test_nothing_is_left_at_the_end() -> None:
    meter = Meter()
    meter.update(0, 100)
    assert meter.line(100, 100, 10.0) == "10/s"


def test_lines_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.0)
    with Meter() as meter:
        meter.update(0, 100)
        meter.update(100, 100)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("toolmend: 0 of 100 samples\ntoolmend: 100 of 100 samples, ")


def test_no_lines_before_it_is_time(capsys: pytest.CaptureFixture[str]) -> None:
    with Meter() as meter:
        meter.update(0, 100)
        meter.update(100, 100)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("width", [60, 120])
def test_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    terminal = Console(file=io.StringIO(), force_terminal=True, width=width)
    monkeypatch.setattr(progress, "console", lambda **_: terminal)
    with Meter() as meter:
        meter.update(0, 100, 2)
        meter.update(100, 100, 2)
    assert isinstance(terminal.file, io.StringIO)
    drawn = terminal.file.getvalue()
    assert "100/100" in drawn
    assert "2 errors" in drawn
