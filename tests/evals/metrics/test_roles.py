"""Replies, tokens, seconds and retries by role, and how soon requests were answered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolmend.base.events import Asked, Called, Event, Read, Refused, Replied
from toolmend.base.messages import Call, CallResult, Request, Usage
from toolmend.evals.metrics.roles import Spent
from toolmend.evals.reports.markdown import to_markdown
from toolmend.evals.reports.report import build_report
from toolmend.evals.reports.tables import full, own, roles
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.store import Store
from toolmend.evals.suites.suite import read_suite
from toolmend.models.scripted import Scripted
from toolmend.strategies import Strategy

RIGHT = 'action.add_calendar_entry("Lunch", "2024-05-03", "12:00")'
CALL = Call("action.add", id="c1")


def replied(role: str, turn: int = 0, seconds: float = 1.0, **more: Any) -> Replied:
    return Replied(turn, "", role, usage=Usage(10, 2, seconds), **more)


def called(turn: int = 0, error: str | None = None) -> Called:
    return Called(turn, CALL, CallResult("c1", error=error))


def spent(*events: Event) -> Spent:
    made = Spent()
    made.add(events)
    return made


def retries(*events: Event) -> dict[str, int]:
    return {name: role.retries for name, role in spent(*events).roles.items()}


READ = Read(0, (CALL,))


# retries -------------------------------------------------------------------------------------------------------------


def test_a_further_step_is_no_retry() -> None:
    assert retries(replied("params"), READ, called(), replied("params"), READ, called()) == {"params": 0}


@pytest.mark.parametrize(
    "between",
    [(), (READ, called(error="no")), (Read(0, problem="no_call"),), (READ, called(), called(error="no"))],
    ids=["unread", "failed", "no call", "one of two failed"],
)
def test_a_reply_after_one_that_came_to_nothing_is_a_retry(between: tuple[Event, ...]) -> None:
    assert retries(replied("params"), *between, replied("params")) == {"params": 1}


def test_a_call_that_was_not_run_is_a_failure() -> None:
    assert retries(replied("main"), READ, Refused(0, CALL, "denied"), replied("main")) == {"main": 1}


def test_other_roles_and_other_turns_are_no_retries() -> None:
    events = (Asked(0, "a"), replied("intent"), replied("params"), READ, called(error="no"), replied("summary"))
    assert retries(*events, Asked(1, "b"), replied("intent", 1)) == {"intent": 0, "params": 0, "summary": 0}


def test_what_fails_belongs_to_the_last_reply() -> None:
    assert retries(replied("a"), READ, called(), replied("b"), READ, called(error="no"), replied("a")) == {
        "a": 0,
        "b": 0,
    }


# requests ------------------------------------------------------------------------------------------------------------


def test_a_request_takes_as_long_as_all_its_replies() -> None:
    made = spent(replied("intent", 0, 3.0), replied("params", 0, 3.0), replied("intent", 1, 1.0))
    assert (made.requests, made.within(5), made.within(10)) == ([6.0, 1.0], 0.5, 1.0)


def test_given_replies_are_nobodys() -> None:
    made = spent(replied("main", model="given"))
    assert (made.roles, made.requests, made.within(5)) == ({}, [], None)


# in the report -------------------------------------------------------------------------------------------------------


def answer(request: Request) -> str:
    return RIGHT if request.messages[0].content == "write" else "let me see"


def never(request: Request) -> str:
    return "let me see"


def report_of(
    store: Store, path: Path, script: Callable[[Request], str], *strategies: str | Strategy
) -> dict[str, Any]:
    plan = Plan.make(read_suite(path), [Scripted(script)], strategies)
    return build_report(store, anyio.run(run, plan, store).id)


def test_retries_in_a_run(store: Store, suite_file: Callable[..., Path], two_roles: Strategy) -> None:
    path = suite_file(chosen="cases: [lunch]\n    corrections: 0\n    branches: []")
    (row,) = report_of(store, path, never, two_roles)["contestants"]
    assert {name: (role["replies"], role["retries"]) for name, role in row["roles"].items()} == {
        "plan": (1, 0),
        "write": (3, 2),
    }
    assert (row["cost"]["replies"], row["cost"]["requests"]) == (4, 1)


def test_roles_have_a_table_where_there_are_several(
    store: Store, suite_file: Callable[..., Path], two_roles: Strategy
) -> None:
    report = report_of(store, suite_file(), answer, two_roles, "oneline")
    table = roles(report)
    assert table is not None and [row.head for row in table.rows] == [
        "scripted/canned · two",
        "  ↳ plan",
        "  ↳ write",
        "scripted/canned",
    ]
    assert [cell.text for cell in table.rows[0].cells[-3:]] == ["0", "100 %", "100 %"]
    assert table in own(report) and table in full(report)
    assert "| `↳ write` | 1 |" in to_markdown(report)


def test_one_role_needs_no_table(store: Store, suite_file: Callable[..., Path]) -> None:
    assert roles(report_of(store, suite_file(), lambda _: RIGHT, "oneline")) is None
