"""The door: light to open, one line and the right exit code for whatever goes wrong."""

from __future__ import annotations

import errno
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import Result

from toolmend import __version__
from toolmend.apps.cli import door
from toolmend.apps.cli.kit import options
from toolmend.base.errors import GONE, BadFile, BadOption

Invoke = Callable[..., Result]
HEAVY = ("numpy", "scipy", "sqlalchemy", "pydantic", "rich", "anyio", "jinja2", "yaml")


@pytest.mark.parametrize(
    "words", [["--version"], ["--help"], ["run", "--help"], ["show", "--help"], ["chat", "--help"]]
)
def test_help_and_version_import_nothing_heavy(words: list[str]) -> None:
    code = (
        "import sys\n"
        "from toolmend.apps.cli.door import cli\n"
        f"cli.main({words!r}, standalone_mode=False)\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)\n"
    )
    path = {"PYTHONPATH": ":".join(path for path in sys.path if path)}
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=path, check=True)
    assert found.stderr == "[]\n"


def test_version(invoke: Invoke) -> None:
    assert invoke("--version").output == f"toolmend {__version__}\n"


def test_alone_it_says_what_can_be_done(invoke: Invoke) -> None:
    result = invoke()
    assert result.exit_code == 0
    assert "  toolmend chat --tools home.py " in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 100


def test_help_names_every_command(invoke: Invoke) -> None:
    text = invoke("-h").output
    assert all(f"  {name} " in text for name in door.COMMANDS)


@pytest.mark.parametrize("name", door.COMMANDS)
def test_every_command_has_help_that_fits(invoke: Invoke, name: str) -> None:
    result = invoke(name, "--help")
    assert result.exit_code == 0
    assert max(map(len, result.output.splitlines())) <= 80


@pytest.mark.parametrize("name", door.COMMANDS)
def test_a_module_for_each_command(name: str) -> None:
    found = door.cli.get_command(click.Context(door.cli), name)
    assert found is not None
    assert found.name == name


def test_unknown_command_is_wrong_use(invoke: Invoke) -> None:
    result = invoke("rum")
    assert result.exit_code == 2
    assert "No such command 'rum'. Did you mean run?" in result.stderr


def test_unknown_option_is_wrong_use(invoke: Invoke) -> None:
    assert invoke("run", "calendar", "--modle", "x").exit_code == 2


@pytest.fixture
def fails(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Make the command `suites` raise something."""

    def arrange(error: BaseException) -> None:
        @options.command
        def suites() -> None:
            raise error

        monkeypatch.setattr("toolmend.apps.cli.commands.suites.suites", suites)

    return arrange


def test_what_toolmend_raises_is_one_line_and_2(invoke: Invoke, fails: Callable[[BaseException], None]) -> None:
    fails(BadFile("a.yaml", "two\nlines", 3))
    result = invoke("suites")
    assert (result.exit_code, result.stderr, result.stdout) == (2, "toolmend: a.yaml:3: two lines\n", "")


def test_anything_else_is_one_line_with_its_type_and_1(invoke: Invoke, fails: Callable[[BaseException], None]) -> None:
    fails(ValueError("nope"))
    result = invoke("suites")
    assert result.exit_code == 1
    assert result.stderr == "toolmend: unexpected ValueError: nope; run again with --debug to see where\n"


def test_a_full_disk_is_said(invoke: Invoke, fails: Callable[[BaseException], None]) -> None:
    fails(OSError(errno.ENOSPC, "No space left on device", "out.csv"))
    result = invoke("suites")
    assert result.stderr == "toolmend: no space is left to write to out.csv; free some, then again\n"
    assert result.exit_code == 2


def test_errors_in_a_group_are_told_by_the_one_raised_on_purpose(
    invoke: Invoke, fails: Callable[[BaseException], None]
) -> None:
    fails(ExceptionGroup("tasks", [ValueError("nope"), ExceptionGroup("more", [BadOption("the disk is full")])]))
    result = invoke("suites")
    assert (result.exit_code, result.stderr) == (2, "toolmend: the disk is full\n")


@pytest.mark.parametrize("words", [["--debug", "suites"], ["suites", "--debug"]])
def test_debug_shows_the_traceback(invoke: Invoke, fails: Callable[[BaseException], None], words: list[str]) -> None:
    fails(ValueError("nope"))
    result = invoke(*words)
    assert result.stderr.startswith("Traceback (most recent call last):")
    assert result.stderr.endswith("\ntoolmend: unexpected ValueError: nope\n")


def test_ctrl_c_leaves_with_130_and_says_nothing(invoke: Invoke, fails: Callable[[BaseException], None]) -> None:
    fails(KeyboardInterrupt())
    result = invoke("suites")
    assert (result.exit_code, result.output.strip()) == (130, "")


def test_the_present_folder_is_searched_last() -> None:
    options.own_modules()
    assert sys.path[-1] == str(Path.cwd())


@pytest.mark.parametrize(
    "words",
    [
        "run calendar --model builtin/early",
        "chat --model builtin/plain",
        "train builtin small --work w --out o",
        "study hindsight --work w",
        "train tune --base ./b --data d --out o",
        "convert builtin/small --to gguf out",
        "convert smol/calendar --to keras out",
        "creativity --format json",
        "regrade last",
        "judge marks --votes x",
        "judge report judgements.jsonl",
        "export run --to jsonl --out x",
        "config --path",
        "completion bash",
        "data show data",
        "know bench",
        "know index --again",
    ],
)
def test_what_is_gone_is_named_with_its_successor(invoke: Invoke, words: str) -> None:
    result = invoke(*words.split())
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert any(f"{name} is gone: {successor}" in result.stderr for name, successor in GONE.items())
