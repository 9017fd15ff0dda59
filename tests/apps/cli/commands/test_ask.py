"""`toolmend ask`: one reply, raw."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

Invoke = Callable[..., Result]


def test_the_reply_as_it_is(invoke: Invoke) -> None:
    assert invoke("ask", "[bold]Hello[/]", "--model", "scripted/echo").stdout == "[bold]Hello[/]\n"


def test_an_unknown_toolbox(invoke: Invoke) -> None:
    result = invoke("ask", "Hello", "--model", "scripted/echo", "--tools", "calender")
    assert (result.exit_code, "did you mean calendar?" in result.stderr) == (2, True)


def test_what_is_piped_in(invoke: Invoke) -> None:
    assert invoke("ask", "--model", "scripted/echo", stdin="Hello\n").stdout == "Hello\n"
    assert invoke("ask", "--model", "scripted/echo", stdin="").exit_code == 2


def test_going_on_with_a_talk(invoke: Invoke, tmp_path: Path) -> None:
    assert "there is no talk to go on with" in invoke("ask", "-c", "And?", "--model", "scripted/echo").stderr
    invoke("ask", "Hello", "--model", "scripted/echo")
    invoke("ask", "-c", "And?", "--model", "scripted/echo")
    said = json.loads((tmp_path / "ask.json").read_text())["said"]
    assert said == [["user", "Hello"], ["assistant", "Hello"], ["user", "And?"], ["assistant", "And?"]]
    assert invoke("ask", "-c", "And?", "--model", "scripted/echo", "--tools", "dungeon").exit_code == 2
    invoke("ask", "Hi", "--model", "scripted/echo", "--tools", "dungeon")
    assert invoke("ask", "-c", "And?", "--model", "scripted/echo").exit_code == 0
    assert json.loads((tmp_path / "ask.json").read_text())["tools"] == "dungeon"
