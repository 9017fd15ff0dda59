"""`toolmend compare`: runs and contestants, its formats, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from toolmend.base.events import Asked, Finished, Marked, Replied
from toolmend.base.mistakes import Kind, Mark, Mistake
from toolmend.evals.store import RunConfig, Sample, Store, StoredContestant

Invoke = Callable[..., Result]


@pytest.fixture
def one(invoke: Invoke, suite: Path) -> str:
    """A run of two models; its id."""
    assert invoke("run", suite, "--model", "canned/late", "--model", "canned/right").exit_code == 0
    return newest()


@pytest.fixture
def two(invoke: Invoke, suite: Path) -> tuple[str, str]:
    """A run of each of two models."""
    ids = []
    for model in ("canned/late", "canned/right"):
        assert invoke("run", suite, "--model", model).exit_code == 0
        ids.append(newest())
    return ids[0], ids[1]


def newest() -> str:
    with Store(create=False) as store:
        return store.runs()[0].id


TABLE = """\
A  canned/late
B  canned/right
"""


def test_the_contestants_of_the_last_run(invoke: Invoke, one: str) -> None:
    result = invoke("compare")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"tiny · run {one} · 4 samples · canned/late · oneline, canned/right · oneline\n")
    assert TABLE in result.stdout
    assert "Where they differ: 1 step\nquick/lunch, step 1 · oneline, 2 of 2 attempts differ" in result.stdout
    assert '  A       🍄 › 🥦  action.add_calendar_entry("Lunch", date="2024-05-03", time="13:00")' in result.stdout
    assert "note: 1 case is too few for 2 tests: no difference, however clear, could be significant" in result.stdout


def test_two_runs(invoke: Invoke, two: tuple[str, str]) -> None:
    result = invoke("compare", *(each[:8] for each in two))
    assert result.exit_code == 0
    assert TABLE in result.stdout
    assert "differs: contestants.canned/right · oneline: not there → played" in result.stdout


def test_json_stands_alone(invoke: Invoke, one: str) -> None:
    result = invoke("compare", one, "--format", "json")
    data = json.loads(result.stdout)
    (found,) = data["comparisons"]
    assert (data["by"], found["a"], found["b"], found["paired"]) == ("model", "canned/late", "canned/right", 2)
    first = {each["figure"]: each for each in found["figures"]}["first_right"]
    assert (first["a"], first["b"], first["difference"], first["test"], first["cases"]) == (
        0.0,
        1.0,
        1.0,
        "wilcoxon",
        1,
    )
    assert found["cases"][0]["a"]["marks"] == [["mistake"], ["fixed"]]


def test_the_number_of_cases(invoke: Invoke, one: str) -> None:
    assert "Where they differ" not in invoke("compare", "--cases", 0).stdout


def test_only_one_contestant_is_nothing_to_compare(invoke: Invoke, suite: Path) -> None:
    assert invoke("run", suite, "--model", "canned/late").exit_code == 0
    result = invoke("compare")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "has one model only (canned/late)" in result.stderr


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["a", "b", "c"], "compare takes one run or two, not 3"),
        (["a", "b", "--by", "model"], "--by goes with one run"),
        (["a", "b", "--against", "x"], "--against goes with one run"),
        (["zzz"], "unknown run 'zzz'"),
        (["none.jsonl"], "none.jsonl: cannot be read"),
    ],
)
def test_wrong_use_is_one_line(invoke: Invoke, words: list[str], what: str) -> None:
    Store().close()
    result = invoke("compare", *words)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert what in result.stderr


def test_different_suites_are_refused(invoke: Invoke, suite: Path, two: tuple[str, str]) -> None:
    suite.write_text(suite.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    assert invoke("run", suite, "--model", "canned/late").exit_code == 0
    refused = invoke("compare", two[0], newest())
    assert (refused.exit_code, "not the same suite" in refused.stderr) == (2, True)


HOSTILE = "\x1b[31m[bold]x[/bold] |\n# h"


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_a_model_wrote_is_shown_and_not_obeyed(invoke: Invoke, form: str) -> None:
    with Store() as store:
        run_id = store.open_run(RunConfig("s", "", (StoredContestant("m", "x"), StoredContestant("n", "x"))))
        for model, mistakes in (("m", ()), ("n", (Mistake(Kind.NO_CALL),))):
            mark = Marked(0, (Mark.GARBAGE,) if mistakes else (Mark.CORRECT,), mistakes, True, 0)
            events = (Asked(0, HOSTILE), Replied(0, HOSTILE, model=model), mark, Finished())
            store.commit(run_id, Sample("main/a", model, "x", events=events))
    result = invoke("compare", "--format", form)
    assert (result.exit_code, "\x1b" in result.stdout) == (0, False)
    assert "[bold]x[/bold] |" in result.stdout


def test_a_figure_that_nobody_has_is_not_shown(invoke: Invoke, one: str) -> None:
    assert "regress" not in invoke("compare").stdout
