"""The report as JSON: exactly the fields that docs/report.md names, valid without NaN, honest about its suite."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolmend.base.errors import ModelError, UnknownName
from toolmend.base.messages import Request
from toolmend.evals.reports.report import build_report
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.store import RunConfig, Store
from toolmend.evals.suites.suite import Suite, read_suite, select
from toolmend.models.scripted import Scripted

PAGE = Path(__file__).parents[3] / "docs" / "report.md"
Write = Callable[..., Path]

ADD = "action.add_calendar_entry"
RIGHT = f'{ADD}("Lunch", "2024-05-03", "12:00")'
LATE = f'{ADD}("Lunch", "2024-05-03", "13:00")'


def answer(request: Request) -> str:
    """Late at first, right when told anything, chatty for the second seed."""
    reply = LATE if len(request.messages) == 2 else RIGHT
    return f"Sure! {reply}" if request.options.seed == 2 else reply


def report_of(store: Store, suite: Suite, *models: Scripted, **options: Any) -> dict[str, Any]:
    plan = Plan.make(suite, models or [Scripted(answer)], ["oneline"], **options)
    return build_report(store, anyio.run(run, plan, store).id)


@pytest.fixture
def report(store: Store, suite_file: Write) -> dict[str, Any]:
    """Of two attempts at one request."""
    return report_of(store, read_suite(suite_file(chosen="cases: [lunch]\n    attempts: 2")))


@pytest.fixture
def blog(store: Store, calendar: Suite) -> dict[str, Any]:
    """Of the shipped suite."""
    return report_of(store, calendar, attempts=1)


def documented(section: str) -> set[str]:
    """The fields that a section of the page names."""
    text = PAGE.read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(section)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, section
    cells = re.findall(r"^\| (`.*?) \|", found[1], re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


# fields --------------------------------------------------------------------------------------------------------------


def test_the_fields_of_a_report(report: dict[str, Any], blog: dict[str, Any]) -> None:
    assert set(report) == documented("report") - {"bfcl", "blog", "llmaker"}
    assert set(blog) == documented("report") - {"bfcl", "llmaker"}


def test_the_fields_of_a_run(report: dict[str, Any]) -> None:
    assert set(report["run"]) == documented("run")
    assert set(report["run"]["config"]) == documented("run.config")


def test_the_fields_of_a_contestant(report: dict[str, Any]) -> None:
    (row,) = report["contestants"]
    assert {*row, "ladder"} == documented("contestant")  # the ladder only where one is played with
    assert set(row["cost"]) == documented("cost")
    assert set(row["outcomes"]) == documented("outcomes")
    assert [*row["roles"]] == ["main"]
    assert set(row["roles"]["main"]) == documented("role")


@pytest.mark.parametrize("name", ["first_right", "fix_at_1", "fix_at_1_named", "control", "regress", "done"])
def test_the_fields_of_a_rate(report: dict[str, Any], name: str) -> None:
    assert set(report["contestants"][0][name]) == documented("rate")


def test_the_fields_of_rates_by_level_and_by_number(report: dict[str, Any]) -> None:
    (row,) = report["contestants"]
    assert [*row["fix_at_1_by_level"]] == ["0", "1", "2", "3"]
    assert [*row["fix_at_k"]] == ["1", "2", "3"]
    assert [*row["pass_k"]] == ["1", "3", "5"]
    rates = [*row["fix_at_1_by_level"].values(), *row["fix_at_k"].values()]
    assert {frozenset(rate) for rate in rates} == {frozenset(documented("rate"))}


def test_the_fields_of_a_difference(report: dict[str, Any]) -> None:
    assert set(report["contestants"][0]["net_fix"]) == documented("difference")


def test_the_fields_by_kind_of_mistake(report: dict[str, Any]) -> None:
    kinds = report["contestants"][0]["by_kind"]
    assert [*kinds] == ["wrong_value"]
    fixes = {"fix_at_1", "fix_at_1_named", "told_named", "fix_at_1_by_level", "control", "net_fix"}
    assert set(kinds["wrong_value"]) == fixes


def test_the_fields_of_the_published_notation(blog: dict[str, Any]) -> None:
    assert set(blog["blog"]) == documented("blog")
    (row,) = blog["blog"]["rows"].values()
    assert set(row) == documented("blog row")
    assert set(row["complete"][0]) == {"turn", "correction", "marks"}
    assert [*row["recap"]] == ["correct", "fixed", "mistake", "garbage"]


def test_rows_are_called_as_contestants_are(blog: dict[str, Any]) -> None:
    assert [*blog["blog"]["rows"]] == ["scripted/canned · oneline"]


# figures -------------------------------------------------------------------------------------------------------------


def test_it_is_json_without_nan(report: dict[str, Any], blog: dict[str, Any]) -> None:
    for each in (report, blog):
        assert json.loads(json.dumps(each, allow_nan=False)) == each


def test_figures(report: dict[str, Any]) -> None:
    (row,) = report["contestants"]
    found = {name: (row[name]["hits"], row[name]["trials"]) for name in ("first_right", "fix_at_1", "control", "done")}
    assert found == {"first_right": (0, 2), "fix_at_1": (1, 2), "control": (1, 2), "done": (1, 2)}
    assert (row["net_fix"]["value"], row["net_fix"]["pairs"]) == (0.0, 2)
    assert row["mistakes"] == {"wrong_value(time)": 2, "chatter": 1}
    assert (row["turns_to_done"], row["pass_k"]) == (2.0, {"1": 0.5, "3": None, "5": None})


def test_costs_are_those_of_the_talk(report: dict[str, Any]) -> None:
    cost = report["contestants"][0]["cost"]
    assert (cost["replies"], cost["within_5_s"], cost["seconds_median"]) == (2 + 4, 1.0, 0.0)


def test_each_experiment_has_its_own_limit_of_corrections(store: Store, suite_file: Write) -> None:
    suite = read_suite(suite_file(chosen="cases: [lunch]\n    corrections: 1"))
    found = report_of(store, suite)["contestants"][0]["fix_at_k"]
    assert [rate["trials"] for rate in found.values()] == [1, 0, 0]


def test_a_run_without_samples_has_a_report(store: Store) -> None:
    run_id = store.open_run(RunConfig("lunch"))
    found = build_report(store, run_id)
    assert (found["run"]["status"], found["run"]["samples"], found["contestants"], found["notes"]) == (
        "open",
        0,
        [],
        [],
    )


def test_errors_are_counted_and_noted(store: Store, suite_file: Write) -> None:
    def down(request: Request) -> str:
        raise ModelError("down")

    found = report_of(store, read_suite(suite_file()), Scripted(down))
    (row,) = found["contestants"]
    assert (row["samples"], row["errors"], row["first_right"]["trials"], row["cost"]["replies"]) == (1, 1, 0, 0)
    assert found["notes"] == ["1 sample could not be run, counted apart; the same command tries again"]
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_reminders_are_noted_as_unequal_conditions(store: Store, suite_file: Write) -> None:
    suite = read_suite(suite_file(suite='suite: a\nreminders: {"*/b": Answer with a call.}'))
    report = report_of(store, suite, Scripted(answer, "scripted/a"), Scripted(answer, "scripted/b"))
    assert report["notes"] == [
        "unequal conditions: everything said to scripted/b ends with “Answer with a call.”",
    ]


def test_a_run_nobody_knows(store: Store) -> None:
    with pytest.raises(UnknownName):
        build_report(store, "none")


# the suite of a run --------------------------------------------------------------------------------------------------


def test_a_suite_that_changed_has_no_published_tables(store: Store, suite_file: Write) -> None:
    path = suite_file(suite="suite: lunch\nnotation: blog")
    assert "blog" in report_of(store, read_suite(path))
    path.write_text(path.read_text() + "# changed\n")
    found = build_report(store, store.runs()[0].id)
    assert "blog" not in found
    assert found["notes"] == ["the suite has changed since this run: tables in the published notation are left out"]


def test_a_file_with_the_name_of_a_shipped_suite_is_itself(store: Store, suite_file: Write) -> None:
    found = report_of(store, read_suite(suite_file(suite="suite: calendar\nnotation: blog")))
    assert (found["notes"], "blog" in found) == ([], True)


def test_a_suite_that_is_gone_is_not_missed(store: Store, suite_file: Write) -> None:
    path = suite_file()
    report_of(store, read_suite(path))
    path.unlink()
    assert build_report(store, store.runs()[0].id)["notes"] == []


@pytest.mark.parametrize(
    ("model", "strategy", "told"),
    [
        ("builtin/small", "oneline", 1),
        ("builtin/small", "oneline?repeat=true", 0),
        ("scripted/other", "oneline", 0),
    ],
)
def test_that_decoding_helps_is_said(store: Store, calendar: Suite, model: str, strategy: str, told: int) -> None:
    plan = Plan.make(select(calendar, ["reliability"]), [Scripted(["Sure!"], model)], [strategy], attempts=1)
    notes = build_report(store, anyio.run(run, plan, store).id)["notes"]
    assert sum("that is decoding, not the weights" in note for note in notes) == told
