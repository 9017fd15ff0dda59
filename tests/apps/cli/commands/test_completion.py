"""What a shell is told while somebody types: commands, options, names; nothing at all where something is wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from click.testing import Result

from toolmend.apps.cli.door import cli
from toolmend.apps.cli.kit import settings
from toolmend.store import Contestant, RunConfig, Store

Invoke = Callable[..., Result]


def completed(*words: str) -> list[str]:
    """The values offered for the last of the words."""
    found = ShellComplete(cli, {}, "toolmend", "_TOOLMEND_COMPLETE").get_completions(list(words[:-1]), words[-1])
    return [item.value for item in found if item.type == "plain"]


@pytest.fixture
def run_id() -> str:
    """A stored run."""
    with Store() as store:
        return store.open_run(RunConfig("tiny", contestants=(Contestant("a/b", "oneline"),)))


def test_commands_and_options() -> None:
    assert {"run", "show", "completion"} <= set(completed(""))
    assert completed("comple") == ["completion"]
    assert "--attempts" in completed("run", "calendar", "--a")
    assert completed("grade", "--format", "") == ["text", "json"]
    assert completed("train", "") == ["adapter"]


@pytest.mark.parametrize("command", ["run", "suites"])
def test_suites_or_else_files(command: str) -> None:
    assert "calendar" in completed(command, "cal")
    [file] = ShellComplete(cli, {}, "toolmend", "_TOOLMEND_COMPLETE").get_completions([command], "./mi")
    assert (file.type, file.value) == ("file", "./mi")


def test_models_families_and_names_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("toolmend.toml").write_text("[models]\nfast = 'openai/gpt?max_tokens=8'\n")
    monkeypatch.setenv(settings.VARIABLE, "toolmend.toml")
    found = completed("run", "calendar", "--model", "")
    assert found[:2] == ["fast", "builtin/small"]
    assert "scripted/" in found
    assert completed("chat", "--model", "builtin/sm") == ["builtin/small"]


def test_strategies_and_toolboxes() -> None:
    assert completed("ask", "--strategy", "one") == ["oneline"]
    assert completed("ask", "--tools", "cal") == ["calendar"]


def test_runs_with_what_they_are(run_id: str) -> None:
    assert completed("run", "calendar", "--mistakes-of", run_id[:3]) == [run_id]
    [item] = ShellComplete(cli, {}, "toolmend", "_T").get_completions(["run", "calendar", "--mistakes-of"], "")
    assert item.help is not None
    assert item.help.endswith(" open tiny: a/b")


def test_runs_of_the_store_that_was_named(run_id: str, tmp_path: Path) -> None:
    assert completed("run", "calendar", "--store", str(tmp_path / "other.db"), "--mistakes-of", "") == []
    assert not (tmp_path / "other.db").exists()
    assert completed("run", "calendar", "--store", "postgresql+psycopg://nobody@nowhere/x", "--mistakes-of", "") == []


def test_nothing_where_something_is_wrong(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "runs.db").write_text("Dear Ada, this is no database but a letter.")
    Path("toolmend.toml").write_text("[run\n")
    monkeypatch.setenv(settings.VARIABLE, "toolmend.toml")
    assert completed("run", "calendar", "--mistakes-of", "") == []
    assert completed("run", "calendar", "--model", "") == []
    assert "--attempts" in completed("run", "calendar", "--a")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_says_where_to_put_it(invoke: Invoke, shell: str) -> None:
    result = invoke("completion", shell)
    assert result.exit_code == 0
    assert "_TOOLMEND_COMPLETE" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("# To use it, ")
    if shell == "zsh":  # else zsh does not take the file for one of completions
        assert result.stdout.startswith("#compdef toolmend\n")


def test_the_protocol_of_bash(run_id: str) -> None:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "_TOOLMEND_COMPLETE": "bash_complete",
        "COMP_WORDS": "toolmend comple",
        "COMP_CWORD": "1",
    }
    code = "import sys; sys.argv = ['toolmend']; from toolmend.apps.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, timeout=60)
    assert (done.stdout, done.stderr) == ("plain,completion\n", "")
