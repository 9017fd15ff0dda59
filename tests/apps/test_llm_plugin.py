"""The plugin of `llm`: its command line runs the tools, and what is said with -c corrects a call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

llm = pytest.importorskip("llm", reason="needs the extra llm")

from llm.cli import cli  # noqa: E402
from llm.plugins import load_plugins, pm  # noqa: E402

from toolmend.apps import llm_plugin  # noqa: E402

HOME = '''
def heat(room: str, degrees: float) -> str:
    """Heat a room."""
    with open("ran", "a") as file:
        file.write(f"{room} {degrees} ")
    return f"{room}: {degrees} °C"
'''


class Echo:
    """A plugin with a model that repeats what it is told."""

    @llm.hookimpl
    def register_models(self, register: Callable[..., None]) -> None:
        register(llm_plugin.ToolmendModel("toolmend/echo", "scripted/echo"))


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Result]]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LLM_USER_PATH", str(tmp_path / "llm"))
    (tmp_path / "home.py").write_text(HOME)
    load_plugins()
    pm.unregister(name="toolmend")
    plugins = [pm.register(llm_plugin), pm.register(echo := Echo())]
    assert all(plugins)
    yield lambda *words: CliRunner().invoke(cli, words, catch_exceptions=False)
    pm.unregister(llm_plugin)
    pm.unregister(echo)


def test_every_model_that_ships_is_there(said: Callable[..., Result]) -> None:
    listed = said("models").stdout
    assert {f"toolmend/{name}" for name in ("smol-tools", "smol-calendar", "small", "echo")} <= set(listed.split())


def test_a_tool_is_run_and_corrected(said: Callable[..., Result]) -> None:
    first = said("-m", "toolmend/echo", "-T", 'Toolmend("home.py")', 'heat("bath", 22)')
    assert first.stdout.strip() == "bath: 22.0 °C"
    assert said("-c", "No, 21").stdout.strip() == "bath: 21.0 °C"
    assert Path("ran").read_text() == "bath 22.0 bath 21.0 "


def test_without_tools_the_calls_are_printed(said: Callable[..., Result]) -> None:
    tea = 'action.add_calendar_entry("Tea", date="2031-05-06", time="15:00")'
    assert said("-m", "toolmend/echo", tea).stdout.strip() == tea
    assert said("-c", "no, at four").stdout.strip() == tea.replace("15", "16")


def test_a_model_that_does_not_know_the_tools_says_so_in_a_line(said: Callable[..., Result]) -> None:
    wrong = said("-m", "toolmend/small", "-T", 'Toolmend("home.py")', "Heat the bath")
    assert wrong.exit_code == 1
    assert wrong.stderr.startswith("Error: model 'builtin/small' was trained for the toolbox calendar only")
