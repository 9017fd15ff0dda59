"""What a run will come to: bounds that hold, averages where there are any, costs by the prices given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolmend.errors import BadOption
from toolmend.evals.costs.earlier_runs import Past, done_of, past_of
from toolmend.evals.costs.estimate import estimate
from toolmend.evals.costs.prices import Price, Prices
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.suites.suite import Suite, read_suite
from toolmend.messages import Reply, Request, Usage
from toolmend.models.scripted import Script, Scripted
from toolmend.store import Store
from toolmend.toolboxes import Calendar

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


def test_earlier_runs_give_true_averages(lunch: Suite) -> None:
    past = {("main", "scripted/canned", "oneline"): Past("abc", 4, 100.5, 10.0, 6.0)}
    found = estimate(plan_of(lunch, attempts=4), past=past, prices=PRICES, concurrency=2)
    total = found["total"]
    assert (total["input_tokens"], total["output_tokens"]) == ({"least": 402, "most": 402}, {"least": 40, "most": 40})
    assert (total["cost"], found["currency"]) == ({"least": 0.000802, "most": 0.000802}, "EUR")
    assert found["seconds"] == 12.0
    assert found["contestants"][0]["from"] == {"main": {"run": "abc", "samples": 4}}


def test_without_earlier_runs_the_time_is_not_known(lunch: Suite) -> None:
    found = estimate(plan_of(lunch))
    assert (found["seconds"], found["currency"], found["total"]["cost"]) == (None, None, None)
    assert found["contestants"][0]["from"] == {"main": None}


def test_only_what_is_left_counts(lunch: Suite) -> None:
    plan = plan_of(lunch, attempts=4)
    keys = [sample.key for sample in plan.samples()]
    found = estimate(plan, done=keys[:3])
    assert (found["planned"], found["total"]["samples"]) == (4, 1)
    assert estimate(plan, done=keys)["seconds"] == 0


def test_a_model_without_a_price(lunch: Suite) -> None:
    with pytest.raises(BadOption, match="has no price for scripted/canned"):
        estimate(plan_of(lunch), prices=Prices("EUR", {"a/b": Price(1, 1)}, "p.yaml"))


def test_worlds_without_undo_have_no_branches(lunch: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    before = estimate(plan_of(lunch))["total"]["replies"]
    monkeypatch.setattr(Calendar, "can_undo", lambda *_: False)
    after = estimate(plan_of(lunch))["total"]["replies"]
    assert (before, after) == ({"least": 2, "most": 7}, {"least": 1, "most": 4})


# earlier runs --------------------------------------------------------------------------------------------------------


def counting(request: Request) -> Reply:
    return Reply(RIGHT, usage=Usage(10 * (request.options.seed or 0), 1))


def test_averages_are_of_the_newest_run_of_the_same_suite(lunch: Suite, store: Store) -> None:
    for attempts in (1, 3):
        plan = plan_of(lunch, counting, attempts=attempts)
        anyio.run(run, plan, store)
    (found,) = past_of(plan, store).values()
    assert (found.run, found.samples) == (store.runs()[0].id, 3)
    assert (found.input_tokens, found.output_tokens) == (40.0, 2.0)
    assert found.seconds > 0


@pytest.mark.parametrize("changes", [{"hash": "other"}, {"name": "other"}])
def test_another_suite_says_nothing(lunch: Suite, store: Store, changes: dict[str, str]) -> None:
    anyio.run(run, plan_of(lunch), store)
    assert past_of(plan_of(replace(lunch, **changes)), store) == {}


def test_the_same_suite_with_other_tools_says_nothing(lunch: Suite, store: Store) -> None:
    anyio.run(run, plan_of(lunch), store)
    other = replace(lunch, tools="toolmend.toolboxes:Calendar")
    assert (len(past_of(plan_of(lunch), store)), past_of(plan_of(other), store)) == (1, {})


def test_an_experiment_played_another_way_says_nothing(lunch: Suite, store: Store) -> None:
    anyio.run(run, plan_of(lunch), store)
    assert past_of(plan_of(lunch, history="gold"), store) == {}


def test_a_contestant_that_never_played_has_no_past(lunch: Suite, store: Store) -> None:
    anyio.run(run, plan_of(lunch), store)
    plan = Plan.make(lunch, [Scripted(["x"], name) for name in ("scripted/canned", "scripted/new")], ["oneline"])
    assert [key[1] for key in past_of(plan, store)] == ["scripted/canned"]


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
    store.set_aside(run_id)
    assert done_of(plan, store) == set()
