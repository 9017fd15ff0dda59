"""`toolmend run`: what it prints where, what it keeps, how it goes on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from toolmend import registry
from toolmend.base.errors import ModelError
from toolmend.base.messages import Reply, Request
from toolmend.evals.store import Store
from toolmend.models.scripted import Scripted

Invoke = Callable[..., Result]


@pytest.fixture
def unsteady(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """`unsteady/x` cannot answer while this list holds what its server says."""
    says = ["the server is down"]

    def answer(request: Request) -> Reply:
        if says:
            raise ModelError(says[0])
        return Reply("action.nothing()")

    monkeypatch.setitem(registry.models._table, "unsteady", lambda name: Scripted(answer, f"unsteady/{name}"))
    return says


def test_a_report_on_standard_output_and_the_rest_on_error(invoke: Invoke, suite: Path) -> None:
    result = invoke("run", suite, "--model", "canned/late", "--model", "canned/right")
    assert result.exit_code == 0
    assert "canned/late" in result.stdout
    assert "4 samples in" in result.stderr
    assert "toolmend:" not in result.stdout


def test_json_stands_alone(invoke: Invoke, suite: Path) -> None:
    result = invoke("run", suite, "--model", "canned/late", "--format", "json")
    report = json.loads(result.stdout)
    assert report["run"]["suite"] == "tiny"
    assert [row["samples"] for row in report["contestants"]] == [2]


def test_options_reach_the_plan(invoke: Invoke, suite: Path, tmp_path: Path) -> None:
    place = tmp_path / "other.db"
    words = ["--attempts", 3, "--temperature", "0.5", "--history", "gold", "--strategy", "oneline", "--concurrency", 2]
    assert (
        invoke("run", suite, "--model", "canned/right", "--store", place, "--experiment", "quick", *words).exit_code
        == 0
    )
    with Store(place, create=False) as store:
        (run,) = store.runs()
        assert (run.config.attempts, run.config.temperature, run.config.history) == (3, 0.5, "gold")
        assert store.counts(run.id) == {"ok": 3, "error": 0}


def test_a_notice_goes_to_standard_error(invoke: Invoke, suite: Path) -> None:
    result = invoke("run", suite, "--model", "canned/right", "--temperature", 0, "--format", "json")
    assert "temperature 0 gives the same reply every time: one attempt in quick" in result.stderr
    assert json.loads(result.stdout)["run"]["samples"] == 1


def test_a_finished_run_is_followed_by_a_new_one(invoke: Invoke, suite: Path) -> None:
    for _ in range(2):
        assert invoke("run", suite, "--model", "canned/right").exit_code == 0
    with Store(create=False) as store:
        assert [run.status for run in store.runs()] == ["finished", "finished"]


def test_samples_that_could_not_be_run_are_tried_again(invoke: Invoke, suite: Path, unsteady: list[str]) -> None:
    first = invoke("run", suite, "--model", "unsteady/x")
    assert first.exit_code == 1
    assert (
        "2 samples could not be run; the same command tries again. First: quick/lunch: the server is down"
        in first.stderr
    )
    unsteady.clear()
    second = invoke("run", suite, "--model", "unsteady/x")
    assert second.exit_code == 0
    assert "0 of 2 samples are there; 2 errors tried again (another --store starts over)" in second.stderr
    with Store(create=False) as store:
        assert [store.counts(run.id) for run in store.runs()] == [{"ok": 2, "error": 0}]


@pytest.fixture
def no_download(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for room in ("chosen", "gguf.places"):
        monkeypatch.setattr(f"toolmend.models.{room}.place", lambda _: tmp_path / "nothing.gguf")


@pytest.mark.usefixtures("no_download")
def test_a_named_model_whose_download_is_missing_ends_it_in_a_line(invoke: Invoke, suite: Path) -> None:
    result = invoke("run", suite, "--model", "smol/calendar", "--model", "canned/right")
    assert (result.exit_code, result.stdout) == (2, "")
    told = "gguf/smollm2 is not on this machine; get it once with `toolmend models get smollm2`"
    assert result.stderr == f"toolmend: {told}\n"
    assert not Path(suite.parent / "runs.db").exists()


@pytest.mark.usefixtures("no_download")
def test_without_names_what_is_here_plays_and_who_is_missing_is_told(invoke: Invoke, suite: Path) -> None:
    result = invoke("run", suite, "--attempts", 1, "--format", "json")
    assert [row["model"] for row in json.loads(result.stdout)["contestants"]] == ["builtin/small"]
    missing = "builtin/small, without smol/calendar, which needs `toolmend models get smollm2` (93 MB, once)"
    assert result.stderr.splitlines()[0] == f"toolmend: {missing}"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nope"], "unknown suite 'nope'"),
        (["SUITE", "--experiment", "slow"], "suite 'tiny' has no experiment 'slow'; it has quick"),
        (["SUITE", "--model", "nope/x"], "unknown model 'nope'"),
        (["SUITE", "--model", "canned/right", "--strategy", "onelin"], "did you mean oneline?"),
        (["SUITE", "--model", "canned/right", "--model", "canned/right"], "a contestant stands twice"),
        (["SUITE", "--model", "canned/right", "--on", "dask"], "--on 'dask': give ray for this machine"),
    ],
)
def test_wrong_names_leave_no_run_behind(invoke: Invoke, suite: Path, words: list[str], said: str) -> None:
    result = invoke("run", *(str(suite) if word == "SUITE" else word for word in words))
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
    assert not Path(suite.parent / "runs.db").exists()


def test_a_broken_suite_names_file_line_and_key(invoke: Invoke, suite: Path) -> None:
    suite.write_text(suite.read_text().replace("corrections: 1", "corrections: many"))
    result = invoke("run", suite, "--model", "canned/right")
    assert result.exit_code == 2
    assert f"{suite}:8: corrections" in result.stderr


def test_a_store_that_is_none_is_refused(invoke: Invoke, suite: Path, tmp_path: Path) -> None:
    place = tmp_path / "letter.txt"
    place.write_text("Dear Ada, this is no database but a letter.")
    result = invoke("run", suite, "--model", "canned/right", "--store", place)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert place.read_text() == "Dear Ada, this is no database but a letter."


@pytest.mark.parametrize("value", ["nan", "inf", "-1", "warm"])
def test_a_temperature_that_is_none(invoke: Invoke, suite: Path, value: str) -> None:
    assert invoke("run", suite, "--model", "canned/right", "--temperature", value).exit_code == 2


def test_a_toolbox_in_the_present_folder(invoke: Invoke, suite: Path) -> None:
    Path("my_own_box.py").write_text("from toolmend.tools.toolboxes import Calendar as Mine\n")
    suite.write_text(suite.read_text().replace("tools: calendar", "tools: my_own_box:Mine"))
    assert invoke("run", suite, "--model", "canned/right").exit_code == 0
