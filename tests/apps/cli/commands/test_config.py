"""Files of settings: which are read, what wins over what, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

from toolmend.apps.cli.commands.run import run
from toolmend.apps.cli.door import cli
from toolmend.apps.cli.kit import settings
from toolmend.base.errors import ToolmendError

Invoke = Callable[..., Result]
Write = Callable[[str], Path]


@pytest.fixture
def project(_quiet_place: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write toolmend.toml of the current folder; the user's own file is in a folder of this test."""
    monkeypatch.delenv(settings.VARIABLE)
    monkeypatch.setattr("platformdirs.user_config_dir", lambda _name: str(tmp_path / "user"))
    return lambda text: _write(Path("toolmend.toml"), text)


@pytest.fixture
def user(project: Write, tmp_path: Path) -> Write:
    """Write the user's own file."""
    return lambda text: _write(tmp_path / "user" / "config.toml", text)


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path.absolute()


def made(*words: str) -> click.Context:
    """The context of `toolmend run WORDS`."""
    return run.make_context("run", list(words), parent=click.Context(cli, info_name="toolmend"))


def attempts(*words: str) -> Any:
    return made("calendar", *words).params["attempts"]


def test_an_option_has_its_default_from_the_file(project: Write) -> None:
    project("[run]\nattempts = 5\nexperiment = 'memory'\nheadline = true\nhistory = 'gold'\n")
    params = made("calendar").params
    assert [params[name] for name in ("attempts", "experiments", "headline", "history")] == [
        5,
        ("memory",),
        True,
        "gold",
    ]


def test_the_command_line_wins(project: Write) -> None:
    project("[run]\nattempts = 5\n")
    assert attempts("--attempts", "2") == 2


def test_the_project_wins_over_the_user(project: Write, user: Write) -> None:
    project("[run]\nattempts = 5\n")
    user("[run]\nattempts = 7\nconcurrency = 3\n")
    assert attempts() == 5
    assert made("calendar").params["concurrency"] == 3


def test_the_environment_wins_over_the_files(project: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    project("store = 'mine.db'\n")
    monkeypatch.setenv("TOOLMEND_STORE", "other.db")
    assert made("calendar").params["store"] == "other.db"
    monkeypatch.delenv("TOOLMEND_STORE")
    assert made("calendar").params["store"] == str(Path("mine.db").absolute())


def test_a_section_wins_over_what_holds_everywhere(project: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TOOLMEND_STORE")
    project("store = 'all.db'\n[run]\nstore = 'postgresql+psycopg://ada@db/runs'\n")
    assert made("calendar").params["store"] == "postgresql+psycopg://ada@db/runs"


def test_a_group_has_a_section_within_a_section(project: Write, invoke: Invoke) -> None:
    project("[train.adapter]\nout = '../made'\nform = 'json'\n")
    result = invoke("train", "adapter", "--minutes", "1")
    assert "toolmend.toml: train.adapter.form: unknown option of `toolmend train adapter` 'form'" in result.stderr


def test_the_nearest_folder_of_the_repository_counts(project: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    top = project("[run]\nattempts = 5\n").parent
    (top / ".git").mkdir()
    (top / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(top / "a" / "b")
    assert attempts() == 5
    _write(top / "a" / "toolmend.toml", "[run]\nattempts = 6\n")
    assert attempts() == 6


def test_outside_a_repository_only_the_current_folder_counts(project: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    top = project("[run]\nattempts = 5\n").parent
    (top / "a").mkdir()
    monkeypatch.chdir(top / "a")
    assert attempts() is None


def test_a_file_above_the_repository_does_not_count(project: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    top = project("[run]\nattempts = 5\n").parent
    (top / "a" / ".git").mkdir(parents=True)
    monkeypatch.chdir(top / "a")
    assert attempts() is None


def test_the_environment_names_another_file_or_none(
    project: Write, user: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project("[run]\nattempts = 5\n")
    user("[run]\nconcurrency = 3\n")
    monkeypatch.setenv(settings.VARIABLE, str(_write(tmp_path / "third.toml", "[run]\nattempts = 9\n")))
    params = made("calendar").params
    assert (params["attempts"], params["concurrency"]) == (9, 8)
    monkeypatch.setenv(settings.VARIABLE, "off")
    assert attempts() is None
    monkeypatch.setenv(settings.VARIABLE, str(tmp_path / "nowhere.toml"))
    with pytest.raises(ToolmendError, match=r"nowhere\.toml: cannot be read"):
        attempts()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[rum]\nattempts = 5\n", "toolmend.toml: rum: unknown section 'rum' (did you mean run?)"),
        ("attempts = 5\n", "toolmend.toml: attempts: unknown section 'attempts'"),
        ("[run]\n\nattempt = 5\n", "toolmend.toml: run.attempt: unknown option of `toolmend run` 'attempt' (did"),
        ("[run]\ndry_run = true\n", "(did you mean dry-run?)"),
        ("[run]\nattempts = 0\n", "toolmend.toml: run.attempts: 0 is not in the range x>=1."),
        ("[run]\nattempts = [5]\n", "toolmend.toml: run.attempts: takes one value, not a list"),
        ("[run]\ntemperature = 'hot'\n", "toolmend.toml: run.temperature: 'hot' is not a valid float range."),
        ("[run]\nhistory = 'false'\n", "toolmend.toml: run.history: 'false' is not one of 'own', 'gold'."),
        ("run = 5\n", "toolmend.toml: run: must be a table, as in [run]"),
        ("[run\n", "toolmend.toml: not TOML:"),
    ],
)
def test_what_is_wrong_is_one_line_with_its_place(project: Write, invoke: Invoke, text: str, said: str) -> None:
    project(text)
    result = invoke("run", "calendar", "--model", "x/y")
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_help_reads_no_file(project: Write, invoke: Invoke) -> None:
    project("[run\n")
    for words in (["run", "--help"], ["--help"], ["--version"]):
        assert invoke(*words).exit_code == 0


@given(text=st.text(max_size=200))
def test_no_text_raises_anything_else(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_text(text, encoding="utf-8", errors="replace", newline="")
    with suppress(ToolmendError):
        settings.Settings([settings.ConfigFile(path)], ["run"])


def test_a_section_of_a_command_that_is_gone_stops_nothing(project: Write) -> None:
    project("[study.hindsight]\nwork = 'w'\n[train.builtin]\nwork = 'w'\n[run]\nattempts = 5\n")
    assert attempts() == 5
