"""What a shell is told while somebody types: commands and options."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest
from click.shell_completion import ShellComplete
from click.testing import Result

from toolmend.apps.cli.door import cli

Invoke = Callable[..., Result]


def completed(*words: str) -> list[str]:
    """The values offered for the last of the words."""
    found = ShellComplete(cli, {}, "toolmend", "_TOOLMEND_COMPLETE").get_completions(list(words[:-1]), words[-1])
    return [item.value for item in found if item.type == "plain"]


def test_commands_and_options() -> None:
    assert {"run", "show", "completion"} <= set(completed(""))
    assert completed("comple") == ["completion"]
    assert "--attempts" in completed("run", "calendar", "--a")
    assert completed("grade", "--format", "") == ["text", "json"]
    assert completed("train", "") == ["adapter"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_says_where_to_put_it(invoke: Invoke, shell: str) -> None:
    result = invoke("completion", shell)
    assert result.exit_code == 0
    assert "_TOOLMEND_COMPLETE" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("# To use it, ")
    if shell == "zsh":  # else zsh does not take the file for one of completions
        assert result.stdout.startswith("#compdef toolmend\n")


def test_the_protocol_of_bash() -> None:
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
