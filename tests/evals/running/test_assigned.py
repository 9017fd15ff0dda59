"""Models in roles: every assignment a contestant, stored, named, priced and drawn by its models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolmend.base.errors import BadOption, UnknownName
from toolmend.base.messages import Request
from toolmend.evals.costs.prices import Price, Prices
from toolmend.evals.reports.heat import heat_maps, varying
from toolmend.evals.reports.markdown import to_markdown
from toolmend.evals.reports.money import priced
from toolmend.evals.reports.report import build_report
from toolmend.evals.running.grid import assignments, read_grid, with_grid
from toolmend.evals.running.plan import Plan, Player, read_roles, with_roles
from toolmend.evals.running.runner import run
from toolmend.evals.store import Store
from toolmend.evals.suites.suite import read_suite
from toolmend.models.scripted import Scripted
from toolmend.strategies import Strategy

RIGHT = 'action.add_calendar_entry("Lunch", "2024-05-03", "12:00")'
PLAY = "cases: [lunch]\n    corrections: 0\n    branches: []"


def test_what_is_read() -> None:
    assert read_roles(["intent=a", " params = c?x=1"]) == {"intent": "a", "params": "c?x=1"}


@pytest.mark.parametrize("word", ["intent", "=a", "intent=", "intent=a,b"])
def test_what_is_no_role(word: str) -> None:
    with pytest.raises(BadOption, match="is no ROLE=MODEL"):
        read_roles([word])


def test_every_combination() -> None:
    grid = read_grid(["intent=a,b", "params = c, d?x=1"])
    assert grid == {"intent": ("a", "b"), "params": ("c", "d?x=1")}
    assert assignments(grid) == [
        {"intent": "a", "params": "c"},
        {"intent": "a", "params": "d?x=1"},
        {"intent": "b", "params": "c"},
        {"intent": "b", "params": "d?x=1"},
    ]


@pytest.mark.parametrize("words", [["intent"], ["=a"], ["intent="], ["intent=a,,b"]])
def test_what_is_no_grid(words: list[str]) -> None:
    with pytest.raises(BadOption, match="is no ROLE=MODEL,MODEL"):
        read_grid(words)


@pytest.mark.parametrize("words", [["intent=a,a"], ["intent=a", "intent=b"]])
def test_nothing_stands_twice(words: list[str]) -> None:
    with pytest.raises(BadOption, match="once"):
        read_grid(words)


def test_a_role_that_a_strategy_has_not(suite_file: Callable[..., Path]) -> None:
    plan = Plan.make(read_suite(suite_file()), [Scripted([RIGHT])], ["oneline"])
    with pytest.raises(BadOption, match="asks in a role 'intent'"):
        with_roles(plan, {"intent": "scripted/echo"})
    with pytest.raises(BadOption, match="asks in no role 'intent'"):
        with_grid(plan, {"intent": ("scripted/echo",)})


def test_a_model_that_nobody_knows(suite_file: Callable[..., Path]) -> None:
    plan = Plan.make(read_suite(suite_file()), [Scripted([RIGHT])], ["oneline"])
    with pytest.raises(UnknownName):
        with_roles(plan, {"main": "nobody/nothing"})
    with pytest.raises(UnknownName):
        with_grid(plan, {"main": ("nobody/nothing",)})


# what was played -----------------------------------------------------------------------------------------------------


def plans(request: Request) -> str:
    return "let me see"


def writes(request: Request) -> str:
    return RIGHT


@pytest.fixture
def report(store: Store, suite_file: Callable[..., Path], two_roles: Strategy) -> dict[str, Any]:
    """Two models in each of two roles; only the one called `good` can write."""
    base = Scripted([RIGHT], "scripted/base")
    good, bad = Scripted(writes, "scripted/good"), Scripted(plans, "scripted/bad")
    players = [Player(base, two_roles, {"plan": plan, "write": write}) for plan in (good, bad) for write in (good, bad)]
    plan = replace(Plan.make(read_suite(suite_file(chosen=PLAY)), [base], [two_roles]), players=tuple(players))
    return build_report(store, anyio.run(run, plan, store).id)


def test_every_assignment_is_a_contestant(report: dict[str, Any]) -> None:
    first, second, *_ = rows = report["contestants"]
    assert len(rows) == 4
    assert first["model"] == "scripted/base plan=scripted/good write=scripted/good"
    assert second["assigned"] == {"plan": "scripted/good", "write": "scripted/bad"}
    assert [role["model"] for role in second["roles"].values()] == ["scripted/good", "scripted/bad"]
    assert [row["first_right"]["value"] for row in rows] == [1.0, 0.0, 1.0, 0.0]
    assert varying([row["assigned"] for row in rows]) == ["plan", "write"]


def test_heat_maps(report: dict[str, Any]) -> None:
    done, right = heat_maps(
        {**report, "contestants": [{**row, "done": row["first_right"]} for row in report["contestants"]]}
    )
    assert (done.title, right.title) == ("Done: plan × write", "First right: plan × write")
    assert right.columns == ("plan \\ write", "scripted/good", "scripted/bad")
    assert [(row.head, [cell.text for cell in row.cells]) for row in right.rows] == [
        ("scripted/good", ["█ 100 %", "· 0 %"]),
        ("scripted/bad", ["█ 100 %", "· 0 %"]),
    ]
    assert [cell.share for cell in right.rows[0].cells] == [1.0, 0.0] and right.heat
    assert right.note.startswith("Strategy two; the other roles: scripted/base.")


def test_heat_maps_are_in_markdown(report: dict[str, Any]) -> None:
    text = to_markdown(report)
    assert "**First right: plan × write**" in text and "| `scripted/bad` | █ 100 % (" in text


def test_one_model_in_every_role_needs_no_map(report: dict[str, Any]) -> None:
    assert heat_maps({**report, "contestants": report["contestants"][:2]}) == []


def test_money_is_that_of_the_models_that_were_asked(report: dict[str, Any]) -> None:
    prices = Prices("EUR", {"scripted/good": Price(1e6, 0), "scripted/bad": Price(0, 0)})
    rows = priced(report, prices)["contestants"]
    assert rows[1]["cost"]["money"] == rows[1]["roles"]["plan"]["input_tokens"]
    assert rows[3]["cost"]["money"] == 0
