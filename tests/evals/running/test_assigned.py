"""Models in roles: every assignment a contestant, stored, named and priced by its models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolmend.errors import BadOption, UnknownName
from toolmend.evals.costs.prices import Price, Prices
from toolmend.evals.reports.money import priced
from toolmend.evals.reports.report import build_report
from toolmend.evals.running.plan import Plan, Player, read_roles, with_roles
from toolmend.evals.running.runner import run
from toolmend.evals.suites.suite import read_suite
from toolmend.messages import Request
from toolmend.models.scripted import Scripted
from toolmend.store import Store
from toolmend.strategies import Strategy

RIGHT = 'action.add_calendar_entry("Lunch", "2024-05-03", "12:00")'
PLAY = "cases: [lunch]\n    corrections: 0\n    branches: []"


def test_what_is_read() -> None:
    assert read_roles(["intent=a", " params = c?x=1"]) == {"intent": "a", "params": "c?x=1"}


@pytest.mark.parametrize("word", ["intent", "=a", "intent=", "intent=a,b"])
def test_what_is_no_role(word: str) -> None:
    with pytest.raises(BadOption, match="is no ROLE=MODEL"):
        read_roles([word])


def test_a_role_that_a_strategy_has_not(suite_file: Callable[..., Path]) -> None:
    plan = Plan.make(read_suite(suite_file()), [Scripted([RIGHT])], ["oneline"])
    with pytest.raises(BadOption, match="asks in a role 'intent'"):
        with_roles(plan, {"intent": "scripted/echo"})


def test_a_model_that_nobody_knows(suite_file: Callable[..., Path]) -> None:
    plan = Plan.make(read_suite(suite_file()), [Scripted([RIGHT])], ["oneline"])
    with pytest.raises(UnknownName):
        with_roles(plan, {"main": "nobody/nothing"})


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


def test_money_is_that_of_the_models_that_were_asked(report: dict[str, Any]) -> None:
    prices = Prices("EUR", {"scripted/good": Price(1e6, 0), "scripted/bad": Price(0, 0)})
    rows = priced(report, prices)["contestants"]
    assert rows[1]["cost"]["money"] == rows[1]["roles"]["plan"]["input_tokens"]
    assert rows[3]["cost"]["money"] == 0
