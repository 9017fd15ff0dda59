"""Text on a screen: as it is, never obeyed; numbers and times in words."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from toolmend.apps.cli.kit import screen
from toolmend.base.mistakes import Kind, Mistake


def test_control_characters_are_shown() -> None:
    assert screen.plain("a\x1b[2Jb\x07\x9b\tc\r\nd\re") == "a\\x1b[2Jb\\x07\\x9b\tc\nd\\x0de"


def test_a_pipe_is_a_hundred_columns_wide() -> None:
    assert screen.console().width == 100


def test_columns_decides_the_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert screen.console().width == 60


def test_markup_in_what_was_said_is_no_markup(capsys: pytest.CaptureFixture[str]) -> None:
    screen.hang(screen.console(), "you", "[bold]hi[/nope] :fire:")
    assert capsys.readouterr().out == "you  [bold]hi[/nope] :fire:\n"


def test_long_lines_go_whole_into_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    screen.hang(screen.console(), "you", "word " * 60 + "\nnext", indent=5)
    assert capsys.readouterr().out == "you    " + ("word " * 60).strip() + "\n       next\n"


def test_long_lines_are_wrapped_on_a_terminal() -> None:
    terminal = Console(file=io.StringIO(), force_terminal=True, no_color=True, width=30)
    screen.hang(terminal, "you", "word " * 8, "cyan", indent=5)
    assert isinstance(terminal.file, io.StringIO)
    lines = terminal.file.getvalue().splitlines()
    assert len(lines) == 2
    assert "word word word word" in lines[1]


@pytest.mark.parametrize(
    ("seconds", "words"), [(-1, "0 s"), (12.4, "12 s"), (59.6, "1 min 00 s"), (200, "3 min 20 s"), (7500, "2 h 05 min")]
)
def test_times_in_words(seconds: float, words: str) -> None:
    assert screen.span(seconds) == words


def test_counts_in_words() -> None:
    assert [screen.counted(n, "reply", "replies") for n in (0, 1, 1000)] == ["0 replies", "1 reply", "1,000 replies"]


def test_a_mistake_with_what_should_be() -> None:
    mistake = Mistake(Kind.WRONG_VALUE, "time", "action.add", "17:00", "05:00")
    assert screen.difference(mistake) == "wrong_value(time): should be '17:00', is '05:00'"


def test_a_mistake_alone() -> None:
    assert screen.difference(Mistake(Kind.SYNTAX)) == "syntax"


def test_json_of_any_text_can_be_printed(capsys: pytest.CaptureFixture[str]) -> None:
    screen.print_json({"title": "Mittagessen ☕"})
    assert json.loads(capsys.readouterr().out) == {"title": "Mittagessen ☕"}
