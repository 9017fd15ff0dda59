"""The terms of a run: what it may spend, what it need not ask again, how long a sample may take, what it keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
import sqlalchemy as sa

from toolmend.base.errors import BadFile, BudgetSpent
from toolmend.base.events import Replied
from toolmend.base.messages import Reply, Request, Usage, Wire
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.store import Run, Store
from toolmend.evals.suites.suite import Suite, read_suite
from toolmend.models import Abilities, Model
from toolmend.models.budget import Spending
from toolmend.models.model import OnDelta
from toolmend.models.scripted import Scripted

RIGHT = 'action.add_calendar_entry("Lunch", "2024-05-03", "12:00")'
TEN = Reply(RIGHT, usage=Usage(8, 2), wire=Wire("asked", "said"))


@pytest.fixture
def ten(suite_file: Callable[..., Path]) -> Suite:
    """One request, ten attempts."""
    return read_suite(suite_file(chosen="cases: [lunch]\n    attempts: 10\n    branches: []"))


@pytest.fixture
def once(ten: Suite) -> Suite:
    """One request, once."""
    return replace(ten, experiments=(replace(ten.experiments[0], attempts=1),))


def play(suite: Suite, model: Model, store: Store, **terms: Any) -> Run:
    plan = Plan.make(suite, [model], ["oneline"])
    return anyio.run(lambda: run(plan, store, **terms))


def left_behind(store: Store) -> dict[str, Any]:
    (made,) = store.runs()
    return {"status": made.status, **store.counts(made.id)}


# a budget ------------------------------------------------------------------------------------------------------------


def test_a_spent_budget_stops_and_keeps_what_is_finished(ten: Suite, store: Store) -> None:
    model = Scripted([TEN])
    with pytest.raises(BudgetSpent, match="40 of 35 tokens are spent"):
        play(ten, model, store, budget=Spending(max_tokens=35), concurrency=1)
    assert (len(model.requests), left_behind(store)) == (4, {"status": "open", "ok": 4, "error": 0})


def test_samples_side_by_side_are_finished_or_dropped_and_none_is_an_error(ten: Suite, store: Store) -> None:
    budget = Spending(max_tokens=35)
    with pytest.raises(BudgetSpent):
        play(ten, Slow(), store, budget=budget, concurrency=3)
    assert left_behind(store) == {"status": "open", "ok": budget.tokens // 10, "error": 0}


class Slow:
    """Answers after a few turns of the loop."""

    name, abilities = "slow/x", Abilities()

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        for _ in range(5):
            await anyio.lowlevel.checkpoint()
        return TEN


def test_what_the_same_run_spent_earlier_counts(ten: Suite, store: Store) -> None:
    with pytest.raises(BudgetSpent):
        play(ten, Scripted([TEN]), store, budget=Spending(max_tokens=35), concurrency=1)
    model, budget = Scripted([TEN]), Spending(max_tokens=65)
    with pytest.raises(BudgetSpent, match="70 of 65 tokens"):
        play(ten, model, store, budget=budget, concurrency=1)
    assert (len(model.requests), left_behind(store)["ok"]) == (3, 7)


def test_with_a_higher_limit_it_comes_to_its_end(ten: Suite, store: Store) -> None:
    with pytest.raises(BudgetSpent):
        play(ten, Scripted([TEN]), store, budget=Spending(max_tokens=35), concurrency=1)
    model = Scripted([TEN])
    made = play(ten, model, store, budget=Spending(max_tokens=101), concurrency=1)
    assert (made.status, len(model.requests), store.counts(made.id)) == ("finished", 6, {"ok": 10, "error": 0})


def test_a_limit_makes_no_other_run(ten: Suite, store: Store) -> None:
    with pytest.raises(BudgetSpent):
        play(ten, Scripted([TEN]), store, budget=Spending(max_tokens=35))
    play(ten, Scripted([TEN]), store)
    assert len(store.runs()) == 1


# the cache -----------------------------------------------------------------------------------------------------------


def cached(store: Store, made: Run) -> list[bool]:
    replies = [e for sample in store.samples(made.id) for e in sample.events if isinstance(e, Replied)]
    return [reply.cached for reply in replies]


def test_a_second_run_asks_nothing(once: Suite, store: Store) -> None:
    model = Scripted([TEN])
    first, second = (play(once, model, store, cache=True) for _ in range(2))
    assert (cached(store, first), cached(store, second), len(model.requests)) == ([False], [True], 1)


def test_without_being_told_it_asks(once: Suite, store: Store) -> None:
    model = Scripted([TEN])
    for cache in (True, False):
        made = play(once, model, store, cache=cache)
    assert (cached(store, made), len(model.requests)) == ([False], 2)


def test_attempts_know_nothing_of_each_other(ten: Suite, store: Store) -> None:
    model = Scripted([TEN])
    made = [play(ten, model, store, cache=True) for _ in range(2)]
    assert {answer for each in made for answer in cached(store, each)} == {False}
    assert len(model.requests) == 20


def test_a_cached_reply_spends_nothing(once: Suite, store: Store) -> None:
    play(once, Scripted([TEN]), store, cache=True)
    budget = Spending(max_tokens=1)
    play(once, Scripted([TEN]), store, cache=True, budget=budget)
    assert budget.tokens == 0


# time ----------------------------------------------------------------------------------------------------------------


class Hanging:
    """Never answers the second attempt."""

    name, abilities = "hanging/x", Abilities()

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        if request.options.seed == 2:
            await anyio.sleep_forever()
        return TEN


def test_a_sample_that_takes_too_long_is_an_error(ten: Suite, store: Store) -> None:
    made = play(ten, Hanging(), store, timeout=0.05)
    assert store.counts(made.id) == {"ok": 9, "error": 1}
    assert [sample.detail for sample in store.samples(made.id, status="error")] == ["timed out after 0.05 s"]


def test_a_timeout_of_the_model_itself_is_told_as_such(once: Suite, store: Store) -> None:
    def slow(request: Request) -> Reply:
        raise TimeoutError("the server took too long")

    made = play(once, Scripted(slow), store, timeout=30)
    assert [sample.detail for sample in store.samples(made.id)] == ["TimeoutError: the server took too long"]


# what is kept --------------------------------------------------------------------------------------------------------


def test_what_went_over_the_wire_is_kept(once: Suite, store: Store) -> None:
    made = play(once, Scripted([TEN]), store)
    (reply,) = [event for sample in store.samples(made.id) for event in sample.events if isinstance(event, Replied)]
    assert store.exchange(reply.exchange) == Wire("asked", "said")


@pytest.fixture
def small_disk() -> Iterator[None]:
    """Databases of at most 80 pages."""

    def small(connection: Any, _record: Any) -> None:
        connection.execute("PRAGMA max_page_count=80")

    sa.event.listen(sa.Engine, "connect", small)
    yield
    sa.event.remove(sa.Engine, "connect", small)


@pytest.mark.usefixtures("small_disk")
def test_a_disk_that_fills_up_ends_it_and_loses_nothing(ten: Suite, tmp_path: Path) -> None:
    many = replace(ten, experiments=(replace(ten.experiments[0], attempts=500),))
    seen: list[int] = []

    def unlike(request: Request) -> Reply:
        return replace(TEN, wire=Wire(f"asked {request.options.seed}", "said"))

    with Store(tmp_path / "small.db") as full:
        with pytest.raises(ExceptionGroup) as caught:
            play(many, Scripted(unlike), full, on_progress=lambda p: seen.append(p.done))
        assert caught.group_contains(BadFile, match="the disk is full; free some space and give the same command again")
        there = left_behind(full)
    assert (there["status"], there["ok"] + there["error"]) == ("open", seen[-1])
    assert 0 < there["ok"] < 500
