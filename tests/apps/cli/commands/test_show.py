"""`toolmend show`: reports, the list of runs, and conversations by filter."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from toolmend.evals.store import RunConfig, Sample, Store

Invoke = Callable[..., Result]


@pytest.fixture
def played(invoke: Invoke, suite: Path) -> str:
    """A run of two models; its id."""
    assert invoke("run", suite, "--model", "canned/late", "--model", "canned/right").exit_code == 0
    return run_ids()[0]


def run_ids() -> list[str]:
    with Store(create=False) as store:
        return [run.id for run in store.runs()]


def test_no_store_is_one_line_and_makes_none(invoke: Invoke, tmp_path: Path) -> None:
    result = invoke("show")
    assert (result.exit_code, result.stderr) == (
        2,
        f"toolmend: {tmp_path}/runs.db: no such store; `toolmend run` makes one, "
        "and so do `know add` and `chat --memory`\n",
    )
    assert not (tmp_path / "runs.db").exists()


def test_an_empty_store(invoke: Invoke, tmp_path: Path) -> None:
    Store().close()
    result = invoke("show")
    assert (result.exit_code, result.stderr) == (
        2,
        f"toolmend: {tmp_path}/runs.db holds no run yet; `toolmend run` makes one\n",
    )


def test_the_last_run_is_shown_as_run_showed_it(invoke: Invoke, suite: Path) -> None:
    shown = invoke("run", suite, "--model", "canned/late").stdout
    assert invoke("show").stdout == shown


def test_a_run_by_the_beginning_of_its_id(invoke: Invoke, played: str) -> None:
    result = invoke("show", played[:6], "--format", "json")
    assert json.loads(result.stdout)["run"]["id"] == played


def test_an_unknown_run_names_those_that_are_there(invoke: Invoke, played: str) -> None:
    result = invoke("show", "zzz")
    assert result.exit_code == 2
    assert f"unknown run 'zzz'; known: {played}" in result.stderr


def test_a_run_that_is_not_finished_says_so(invoke: Invoke) -> None:
    with Store() as store:
        run = store.open_run(RunConfig("tiny"))
    assert invoke("show").stderr == f"toolmend: run {run} is not finished: this is what it has so far\n"


def test_the_list(invoke: Invoke, played: str) -> None:
    result = invoke("show", "--list")
    assert result.stdout.startswith(f"{played}  20")
    assert result.stdout.endswith("  finished        4 samples  tiny: canned/late · oneline, canned/right · oneline\n")


def test_the_list_counts_errors(invoke: Invoke) -> None:
    with Store() as store:
        run = store.open_run(RunConfig("tiny"))
        store.commit(run, Sample("case", "m", "s", status="error", detail="down"))
    assert "1 samples (1 error)  tiny: \n" not in invoke("show", "--list").stdout
    assert json.loads(invoke("show", "--list", "--format", "json").stdout)["runs"][0]["errors"] == 1


def test_a_conversation(invoke: Invoke, played: str) -> None:
    result = invoke("show", "--model", "late", "--case", "lunch", "--mark", "fixed", "--mistake", "wrong_value(time)")
    first, _, _ = result.stdout.partition("\n\n")
    lines = first.splitlines()
    assert lines[:4] == [
        "quick/lunch · canned/late · oneline · attempt 1",
        "  you    Add a lunch on May 3 2024 at noon.",
        '  model  action.add_calendar_entry("Lunch", date="2024-05-03", time="13:00")',
        "         🍄  wrong_value(time): should be '12:00', is '13:00'",
    ]
    assert lines[4].startswith("  you    ")
    assert lines[4].endswith(" (correction of level 2)")
    assert lines[5:] == [
        '  model  action.add_calendar_entry("Lunch", date="2024-05-03", time="12:00")',
        "         🥦",
    ]
    assert result.stdout.count("canned/late") == 2


def test_conversations_as_json(invoke: Invoke, played: str) -> None:
    data = json.loads(invoke("show", "--model", "canned/right", "--format", "json").stdout)
    assert data["run"] == played
    assert [sample["attempt"] for sample in data["samples"]] == [0, 1]
    assert data["samples"][0]["events"][0] == {
        "event": "asked",
        "turn": 0,
        "text": "Add a lunch on May 3 2024 at noon.",
    }


def test_nothing_matches(invoke: Invoke, played: str) -> None:
    result = invoke("show", "--case", "dinner")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"toolmend: no conversation of run {played} matches\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--model", "gpt"], "known: canned/late, canned/right"),
        (["--mark", "fixd"], "did you mean fixed?"),
        (["--mistake", "wrong_valu"], "did you mean wrong_value or"),
    ],
)
def test_filters_that_cannot_be(invoke: Invoke, played: str, words: list[str], said: str) -> None:
    result = invoke("show", *words)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_sample_that_could_not_be_run(invoke: Invoke) -> None:
    with Store() as store:
        run = store.open_run(RunConfig("tiny"))
        store.commit(run, Sample("case", "m", "s", status="error", detail="the \x1b[31mserver is down"))
    assert invoke("show", "--case", "case").stdout == (
        "case · m · s · attempt 1\n  error  the \\x1b[31mserver is down\n\n"
    )


@pytest.mark.parametrize("notation", ["own", "blog"])
def test_either_notation(invoke: Invoke, played: str, notation: str) -> None:
    assert invoke("show", "--notation", notation).exit_code == 0
