"""Playing a plan: everything once, each sample kept as soon as it is finished, whatever goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolmend.base.errors import ModelError
from toolmend.base.events import Finished, Marked, Replied
from toolmend.base.messages import Reply, Request
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import Progress, run
from toolmend.evals.store import Run, Store
from toolmend.evals.suites.suite import Suite, read_suite
from toolmend.models import Abilities, Model
from toolmend.models.model import OnDelta
from toolmend.models.scripted import Scripted
from toolmend.strategies.oneline import Oneline
from toolmend.strategies.strategy import Flow, Talk

RIGHT = 'action.add_calendar_entry("Lunch", "2024-05-03", "12:00")'


@pytest.fixture
def suite(suite_file: Callable[..., Path]) -> Suite:
    """One request, ten attempts, nothing tried beside it."""
    more = "cases: [lunch]\n    attempts: 10\n    branches: []"
    return read_suite(suite_file(chosen=more))


def plan_of(suite: Suite, *models: Model, **options: Any) -> Plan:
    return Plan.make(suite, models, ["oneline"], **options)


def play(plan: Plan, store: Store, **options: Any) -> Run:
    return anyio.run(lambda: run(plan, store, **options))


def seeds(model: Scripted) -> list[int | None]:
    return sorted(request.options.seed or 0 for request in model.requests)


class Waiting:
    """Counts how many requests are under way; from the request `last` on it never answers."""

    name, abilities = "waiting/x", Abilities()

    def __init__(self, last: int = 1000) -> None:
        self.now = self.most = self.asked = 0
        self.last = last

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        self.asked += 1
        self.now += 1
        self.most = max(self.most, self.now)
        if self.asked >= self.last:
            await anyio.sleep_forever()
        for _ in range(5):
            await anyio.lowlevel.checkpoint()
        self.now -= 1
        return Reply(RIGHT, model=self.name)


def test_every_sample_is_played_and_kept(suite: Suite, store: Store) -> None:
    model = Scripted([RIGHT])
    made = play(plan_of(suite, model), store)
    assert (made.status, store.counts(made.id)) == ("finished", {"ok": 10, "error": 0})
    assert seeds(model) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]


def test_the_whole_log_is_kept(suite: Suite, store: Store) -> None:
    made = play(plan_of(suite, Scripted([RIGHT]), attempts=1), store)
    (sample,) = store.samples(made.id)
    assert (sample.case, sample.model, sample.strategy, sample.attempt, sample.seed) == (
        "main/lunch",
        "scripted/canned",
        "oneline",
        0,
        1,
    )
    assert [type(event) for event in sample.events if isinstance(event, (Replied, Marked, Finished))] == [
        Replied,
        Marked,
        Finished,
    ]
    assert sample.started.startswith("20")


def test_a_finished_run_is_not_gone_on_with(suite: Suite, store: Store) -> None:
    first, second = (play(plan_of(suite, Scripted([RIGHT])), store) for _ in range(2))
    assert first.id != second.id


@pytest.mark.parametrize(("concurrency", "finished"), [(1, 4), (3, 6)])
def test_a_cancelled_run_loses_nothing_that_is_finished(
    suite: Suite, store: Store, concurrency: int, finished: int
) -> None:
    plan = plan_of(suite, Waiting(last=7))

    async def cancelled() -> None:
        with anyio.CancelScope() as scope:
            await run(
                plan, store, concurrency=concurrency, on_progress=lambda p: scope.cancel() if p.done == 4 else None
            )

    anyio.run(cancelled)
    run_id = store.open_run(plan.config())
    assert store.counts(run_id) == {"ok": finished, "error": 0}
    assert store.run(run_id).status == "open"


def test_the_same_plan_goes_on_with_what_is_missing(suite: Suite, store: Store) -> None:
    stopped = plan_of(suite, Waiting())

    async def cancelled() -> None:
        with anyio.CancelScope() as scope:
            await run(stopped, store, concurrency=1, on_progress=lambda p: scope.cancel() if p.done == 4 else None)

    anyio.run(cancelled)
    model = Waiting()
    seen: list[Progress] = []
    made = play(plan_of(suite, model), store, on_progress=seen.append)
    assert (model.asked, store.counts(made.id)) == (6, {"ok": 10, "error": 0})
    assert (seen[0], seen[-1]) == (Progress(4, 10, 0), Progress(10, 10, 0))


def test_progress_counts_up(suite: Suite, store: Store) -> None:
    seen: list[Progress] = []
    play(plan_of(suite, Scripted([RIGHT])), store, on_progress=seen.append)
    assert [each.done for each in seen] == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]


@pytest.mark.parametrize(("concurrency", "most"), [(1, 1), (3, 3), (100, 10)])
def test_samples_side_by_side_are_bounded(suite: Suite, store: Store, concurrency: int, most: int) -> None:
    model = Waiting()
    play(plan_of(suite, model), store, concurrency=concurrency)
    assert model.most == most


def unsteady(down: Sequence[int], text: str = "the server is down") -> Callable[[Request], Reply]:
    """Cannot answer for these seeds."""

    def answer(request: Request) -> Reply:
        if request.options.seed in down:
            raise ModelError(text)
        return Reply(RIGHT)

    return answer


def test_a_sample_that_could_not_be_run_is_an_error(suite: Suite, store: Store) -> None:
    made = play(plan_of(suite, Scripted(unsteady([2, 5]))), store)
    assert (made.status, store.counts(made.id)) == ("errors", {"ok": 8, "error": 2})
    assert {(s.attempt, s.detail, s.events) for s in store.samples(made.id, status="error")} == {
        (1, "the server is down", ()),
        (4, "the server is down", ()),
    }


def test_errors_are_counted_while_it_runs(suite: Suite, store: Store) -> None:
    seen: list[Progress] = []
    play(plan_of(suite, Scripted(unsteady([2, 5]))), store, on_progress=seen.append)
    assert seen[-1] == Progress(10, 10, 2)


def test_an_error_without_words_is_an_error_too(suite: Suite, store: Store) -> None:
    made = play(plan_of(suite, Scripted(unsteady([2], ""))), store)
    assert [sample.detail for sample in store.samples(made.id, status="error")] == ["ModelError"]


def test_errors_are_tried_again_and_replaced(suite: Suite, store: Store) -> None:
    first = play(plan_of(suite, Scripted(unsteady([2, 5]))), store)
    model = Scripted([RIGHT])
    second = play(plan_of(suite, model), store)
    assert (second.id, second.status, seeds(model)) == (first.id, "finished", [2, 5])
    assert store.counts(second.id) == {"ok": 10, "error": 0}


def test_a_fault_in_a_strategy_ends_its_samples_only(suite: Suite, store: Store) -> None:
    class Faulty(Oneline):
        name = "faulty"

        def turn(self, talk: Talk) -> Flow:
            raise ZeroDivisionError("by zero")
            yield

    plan = Plan.make(suite, [Scripted([RIGHT])], ["oneline", Faulty()], attempts=2)
    made = play(plan, store)
    assert store.counts(made.id) == {"ok": 2, "error": 2}
    assert {(s.strategy, s.detail) for s in store.samples(made.id, status="error")} == {
        ("faulty", "ZeroDivisionError: by zero")
    }


def test_samples_that_are_finished_in_the_same_turn_of_the_loop_are_one_transaction(
    suite: Suite, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[int] = []
    commit_all = store.commit_all
    monkeypatch.setattr(
        store, "commit_all", lambda run, finished: (kept.append(len(finished)), commit_all(run, finished))[1]
    )
    play(plan_of(suite, Scripted([RIGHT])), store, concurrency=4)
    assert kept == [4, 4, 2]
