"""What a run will come to: bounds that hold, costs by the prices given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolmend.base.errors import BadOption
from toolmend.base.messages import Request
from toolmend.evals.costs.estimate import done_of, estimate
from toolmend.evals.costs.prices import Price, Prices
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.store import Store
from toolmend.evals.suites.suite import Suite, read_suite
from toolmend.models.scripted import Script, Scripted
from toolmend.tools.toolboxes import Calendar

Write = Callable[..., Path]
ADD = "action.add_calendar_entry"
RIGHT = f'{ADD}("Lunch", "2024-05-03", "12:00")'
LATE = f'{ADD}("Lunch", "2024-05-03", "13:00")'
PRICES = Prices("EUR", {"scripted/*": Price(1.0, 10.0)})


def plan_of(suite: Suite, script: Script = (RIGHT,), **options: Any) -> Plan:
    return Plan.make(suite, [Scripted(script)], ["oneline"], **options)


def asked(plan: Plan, store: Store) -> int:
    """How many replies a plan took."""
    anyio.run(run, plan, store)
    (player,) = plan.players
    assert isinstance(player.model, Scripted)
    return len(player.model.requests)


@pytest.fixture
def lunch(suite_file: Write) -> Suite:
    return read_suite(suite_file())


MORE = {
    "the usual": "",
    "no branches": "\n    branches: []",
    "no corrections": "\n    corrections: 0",
    "one correction": "\n    corrections: 1",
    "only the control": "\n    branches: [level 0]",
    "only what was right": "\n    branches: ['false']",
    "attempts": "\n    attempts: 3",
}


@pytest.mark.parametrize("more", MORE.values(), ids=MORE)
@pytest.mark.parametrize("case", ["", "    - given: " + LATE + "\n      steps:\n"])
def test_replies_lie_between_the_least_and_the_most(suite_file: Write, store: Store, more: str, case: str) -> None:
    suite = read_suite(suite_file(chosen=f"cases: [lunch]{more}", **({"case": case} if case else {})))
    found = estimate(plan_of(suite))["total"]["replies"]
    taken = sorted([asked(plan_of(suite), store), asked(plan_of(suite, [LATE]), store)])
    assert taken == [found["least"], found["most"]]


def test_the_published_suite_played_right_takes_the_least(calendar: Suite, store: Store) -> None:
    answers = {step.say: step.reference for each in calendar.experiments for c in each.cases for step in c.steps}

    def answer(request: Request) -> str:
        said = [message.content for message in request.messages if message.content in answers]
        return answers[said[-1]]

    plan = plan_of(calendar, answer, attempts=1)
    assert asked(plan, store) == estimate(plan)["total"]["replies"]["least"]


def test_tokens_are_guessed_from_characters(suite_file: Write) -> None:
    suite = read_suite(suite_file(chosen="cases: [lunch]\n    branches: []\n    corrections: 0"))
    plan = plan_of(replace(suite, system="x" * 400))
    total = estimate(plan)["total"]
    said, reply = len("Lunch on 3 May 2024 at noon"), len(RIGHT)
    assert total["input_tokens"] == {"least": -(-(400 + said) // 4), "most": -(-(400 + said) // 4)}
    assert total["output_tokens"]["most"] == -(-reply // 4)


def test_a_reminder_is_counted(lunch: Suite) -> None:
    reminded = replace(lunch, reminders={"scripted/*": "x" * 399})
    more = [estimate(plan_of(suite))["total"]["input_tokens"]["least"] for suite in (lunch, reminded)]
    assert more[1] - more[0] >= 100


def test_a_cost_by_the_prices_given(lunch: Suite) -> None:
    found = estimate(plan_of(replace(lunch, system="x" * 4_000)), prices=PRICES)
    tokens, cost = found["total"], found["total"]["cost"]
    least = tokens["input_tokens"]["least"] * 1e-6 + tokens["output_tokens"]["least"] * 10e-6
    assert (cost["least"], found["currency"]) == (pytest.approx(least), "EUR")
    assert cost["least"] < cost["most"]


def test_only_what_is_left_counts(lunch: Suite) -> None:
    plan = plan_of(lunch, attempts=4)
    keys = [sample.key for sample in plan.samples()]
    found = estimate(plan, done=keys[:3])
    assert (found["planned"], found["total"]["samples"]) == (4, 1)
    assert estimate(plan, done=keys)["total"]["samples"] == 0


def test_a_model_without_a_price(lunch: Suite) -> None:
    with pytest.raises(BadOption, match="has no price for scripted/canned"):
        estimate(plan_of(lunch), prices=Prices("EUR", {"a/b": Price(1, 1)}, "p.yaml"))


def test_worlds_without_undo_have_no_branches(lunch: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    before = estimate(plan_of(lunch))["total"]["replies"]
    monkeypatch.setattr(Calendar, "can_undo", lambda *_: False)
    after = estimate(plan_of(lunch))["total"]["replies"]
    assert (before, after) == ({"least": 2, "most": 7}, {"least": 1, "most": 4})


def test_what_is_done_is_that_of_the_run_that_goes_on(lunch: Suite, store: Store) -> None:
    plan = plan_of(lunch, attempts=2)
    assert done_of(plan, store) == set()
    run_id = store.open_run(plan.config())
    made = [sample.key for sample in plan.samples()]

    async def stopped() -> None:
        with anyio.CancelScope() as scope:
            await run(plan, store, concurrency=1, on_progress=lambda p: scope.cancel() if p.done == 1 else None)

    anyio.run(stopped)
    assert done_of(plan, store) == {made[0]}
    store.delete_run(run_id)
    assert done_of(plan, store) == set()
