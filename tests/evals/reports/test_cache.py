"""Kept reports: computed once, and computed anew as soon as a sample, the suite's file or the code is another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolmend.evals.reports import cache as module
from toolmend.evals.reports import report as reports
from toolmend.evals.reports.cache import kept
from toolmend.evals.reports.report import build_report
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.store import RunConfig, Sample, Store, StoredContestant
from toolmend.evals.suites.suite import load_suite
from toolmend.models.scripted import Scripted

SUITE = RunConfig("calendar", contestants=(StoredContestant("m", "s"),))


@pytest.fixture
def made() -> list[str]:
    """The runs whose report was computed, in order."""
    return []


@pytest.fixture
def build(made: list[str]) -> Callable[[Store, str], dict[str, Any]]:
    """Computes a report that tells how often."""

    def count(_store: Store, run_id: str) -> dict[str, Any]:
        made.append(run_id)
        return {"made": len(made)}

    return count


@pytest.fixture
def finished(store: Store) -> str:
    """A finished run with one sample."""
    run_id = store.open_run(SUITE)
    store.commit(run_id, Sample("a", "m", "s"))
    store.finish(run_id)
    return run_id


def test_a_finished_run_is_computed_once(store: Store, finished: str, build: Any) -> None:
    assert [kept(store, finished, build)["made"] for _ in range(3)] == [1, 1, 1]


def test_an_open_run_is_computed_every_time(store: Store, build: Any) -> None:
    run_id = store.open_run(SUITE)
    assert [kept(store, run_id, build)["made"] for _ in range(2)] == [1, 2]


def test_another_sample_makes_another_report(store: Store, finished: str, build: Any) -> None:
    kept(store, finished, build)
    store.commit(finished, Sample("b", "m", "s"))
    assert [kept(store, finished, build)["made"] for _ in range(2)] == [2, 2]


def test_a_failed_sample_replaced_makes_another_report(store: Store, build: Any) -> None:
    run_id = store.open_run(SUITE)
    store.commit(run_id, Sample("a", "m", "s", status="error", detail="down"))
    store.finish(run_id)
    assert [kept(store, run_id, build)["made"] for _ in range(2)] == [1, 1]
    store.commit(run_id, Sample("a", "m", "s"))
    assert [kept(store, run_id, build)["made"] for _ in range(2)] == [2, 2]


def test_a_sample_that_comes_while_a_report_is_computed_is_in_the_next(store: Store, finished: str) -> None:
    def build(_store: Store, run_id: str) -> dict[str, Any]:
        before = store.counts(run_id)["ok"]
        store.commit(run_id, Sample("late", "m", "s"))
        return {"samples": before}

    assert [kept(store, finished, build)["samples"] for _ in range(3)] == [1, 2, 2]


def test_another_code_makes_another_report(
    store: Store, finished: str, build: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(store, finished, build)
    monkeypatch.setattr(module, "_code", lambda: "another")
    assert kept(store, finished, build)["made"] == 2


def test_another_file_of_the_suite_makes_another_report(store: Store, build: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("suite: mine\n")
    run_id = store.open_run(RunConfig("mine", settings={"suite_path": str(file)}))
    store.finish(run_id)
    assert [kept(store, run_id, build)["made"] for _ in range(2)] == [1, 1]
    file.write_text("suite: mine\nversion: 2\n")
    assert kept(store, run_id, build)["made"] == 2
    file.unlink()
    assert kept(store, run_id, build)["made"] == 3


def test_the_code_that_counts_is_what_computes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [
        tmp_path / name
        for name in ("stats.py", "evals/metrics/rates.py", "evals/suites/shipped/published/a.json", "apps/cli.py")
    ]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
    monkeypatch.setattr(module, "files", lambda _package: tmp_path)
    codes = [module._code.__wrapped__()]
    for file in files:
        file.write_text("another")
        codes.append(module._code.__wrapped__())
    assert len(set(codes)) == 4
    assert codes[-2] == codes[-1]


def test_a_store_that_cannot_be_written_shows_its_report(
    store: Store, finished: str, build: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise module.BadFile("a.db", "cannot be written")

    monkeypatch.setattr(store, "keep_report", refuse)
    assert [kept(store, finished, build)["made"] for _ in range(2)] == [1, 2]


def test_the_report_of_the_calendar_is_the_same_kept_and_computed(store: Store) -> None:
    right = 'action.add_calendar_entry("Meeting with Fred", date="2024-11-11", time="17:00", duration=30)'
    models = [Scripted([right, "Sure!"], name="scripted/a"), Scripted([right.replace("17", "05")], name="scripted/b")]
    plan = Plan.make(load_suite("calendar"), models, ["oneline"], attempts=2)
    run_id = anyio.run(run, plan, store).id
    computed = reports._build(store, run_id)
    assert list(build_report(store, run_id)) == list(computed)
    assert build_report(store, run_id) == computed
