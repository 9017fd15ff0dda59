"""Plays a plan's samples side by side and commits each as soon as it is finished.

Killed at any moment, the same plan goes on where it was: finished samples are in the store under their keys and are not
played again. A sample that could not be run is stored as `error` and tried again by the next run. Knows no report.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TypeVar

import anyio

from toolmend.base import tracing
from toolmend.base.errors import BudgetSpent, ToolmendError
from toolmend.base.events import Event, Sink
from toolmend.evals.metrics.counted import count
from toolmend.evals.metrics.roles import USES, used
from toolmend.evals.running.plan import ARM, Plan, Planned
from toolmend.evals.running.play import play
from toolmend.evals.store import Counted, Run, Sample, Store
from toolmend.evals.suites.oracle import Oracle
from toolmend.models import Model
from toolmend.models.budget import Budgeted, Spending
from toolmend.models.scripted import Untold
from toolmend.models.wrapped import Cached, KeepWires
from toolmend.session import Session
from toolmend.strategies import roles_of

DEFAULT_CONCURRENCY = 8
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is. `done` counts samples finished earlier too."""

    done: int
    total: int
    errors: int


OnProgress = Callable[[Progress], None]


async def run(
    plan: Plan,
    store: Store,
    *,
    concurrency: int = DEFAULT_CONCURRENCY,
    budget: Spending | None = None,
    cache: bool = False,
    timeout: float | None = None,
    on_progress: OnProgress | None = None,
    work: type[Work] | None = None,
) -> Run:
    """Play what is not in the store yet. Cancelling it loses only the samples in the making.

    With `cache` equal requests are answered without asking, except in experiments of several attempts, which must not
    know of each other. A sample that takes more than `timeout` seconds is an error. Raises BudgetSpent when the budget
    is: no sample is begun any more, those that would have to ask again are dropped, the others finished and kept.
    The run ends with the last sample of the last part. `work` plays samples another way (agents/).
    """
    run_id = begin(plan, store)
    samples = plan.samples()
    finished = store.done_keys(run_id)
    waiting = [sample for sample in samples if sample.key not in finished]
    if budget is not None:
        for sample in store.samples(run_id, only=USES):
            if plan.part is None or plan.part.has(sample.key):
                budget.add_earlier(used(sample), sample.model)
    playing = (work or Work)(plan, store, run_id, budget, cache, timeout)
    await side_by_side(waiting, playing.keep, concurrency, len(samples) - len(waiting), on_progress)
    return store.finish(run_id) if plan.part is None or store.is_whole(run_id) else store.run(run_id)


def begin(plan: Plan, store: Store) -> str:
    """The id of the run of this plan, opened. A part comes to the run of the others, should they have finished it."""
    return store.open_run(plan.config(), again=plan.part is None)


async def side_by_side(
    waiting: Iterable[T],
    do: Callable[[T], Awaitable[bool]],
    concurrency: int,
    done: int = 0,
    on_progress: OnProgress | None = None,
) -> Progress:
    """Do everything that waits, so many at a time; `do` keeps what comes of it and tells whether that is an error.

    `done` were done earlier. Raises BudgetSpent when `do` does: nothing more is begun, what is under way is finished.
    """
    left = list(waiting)
    now, spent, pieces = Progress(done, done + len(left), 0), list[BudgetSpent](), iter(left)
    tell = on_progress or (lambda _now: None)
    tell(now)

    async def one_after_the_other() -> None:
        nonlocal now
        for piece in pieces:
            if spent:
                return
            try:
                error = await do(piece)
            except BudgetSpent as over:
                spent.append(over)
                return
            now = Progress(now.done + 1, now.total, now.errors + error)
            tell(now)
            await anyio.lowlevel.checkpoint()

    async with anyio.create_task_group() as group:
        for _ in range(max(1, concurrency)):
            group.start_soon(one_after_the_other)
    if spent:
        raise spent[0]
    return now


@dataclass
class Work:
    """How samples are played and where they are kept. `finished` are those that wait for their transaction."""

    plan: Plan
    store: Store
    run_id: str
    budget: Spending | None
    cache: bool
    timeout: float | None
    finished: list[tuple[Sample, Counted]] = field(default_factory=list)

    async def keep(self, planned: Planned) -> bool:
        """Play a sample and commit it; whether it is an error. Raises BudgetSpent.

        Samples that are finished in the same turn of the event loop are one transaction: whoever comes first commits.
        """
        sample = await self.one(planned)
        together = self.finished
        together.append((sample, count(sample, planned.limits)))
        try:
            await anyio.lowlevel.checkpoint()
        finally:
            if together is self.finished:  # else somebody has committed them
                self.store.commit_all(self.run_id, together)
                self.finished = []
        return sample.status == "error"

    async def one(self, planned: Planned) -> Sample:
        """A sample, whatever became of it. Raises BudgetSpent."""
        started, began = datetime.now(UTC).isoformat(timespec="seconds"), time.perf_counter()
        events: tuple[Event, ...] = ()
        detail, player = "", planned.player
        try:
            with anyio.move_on_after(self.timeout) as limit:
                with tracing.sample(planned.case_name, player.models, player.way, planned.attempt):
                    events = await self.play(planned)
            if limit.cancelled_caught:
                detail = f"timed out after {self.timeout:g} s"
        except BudgetSpent:
            raise
        except ToolmendError as error:
            detail = str(error) or type(error).__name__
        except Exception as error:  # a fault in somebody's strategy, tool or provider ends this sample, not the run
            detail = f"{type(error).__name__}: {error}"
        return replace(
            self.sample(planned, events or self.so_far(planned), detail),
            started=started,
            seconds=time.perf_counter() - began,
        )

    def sample(self, planned: Planned, events: tuple[Event, ...], detail: str = "") -> Sample:
        """The sample that came of it; an error where there is a detail."""
        return Sample(
            case=planned.case_name,
            model=planned.player.models,
            strategy=planned.player.way,
            attempt=planned.attempt,
            arm=ARM,
            seed=planned.options.seed,
            status="error" if detail else "ok",
            detail=detail,
            events=events,
        )

    def so_far(self, planned: Planned) -> tuple[Event, ...]:
        """What is kept of a sample that could not be played to its end."""
        return ()

    async def play(self, planned: Planned) -> tuple[Event, ...]:
        """The events of a sample."""
        player, suite = planned.player, self.plan.suite
        tools = suite.toolbox(planned.case)
        told = Oracle(planned.case, tools.specs)
        oracles = told.roles(roles_of(player.strategy))
        playing = {role: player.roles.get(role, player.model) for role in oracles}
        model = self.model(planned, told if isinstance(player.model, Untold) else player.model)
        roles = {
            role: self.model(planned, oracles[role] if isinstance(who, Untold) else who)
            for role, who in playing.items()
            if role in player.roles or isinstance(who, Untold)
        }

        def session(sink: Sink) -> Session:
            return Session(
                model,
                tools,
                player.strategy,
                system=suite.system,
                options=planned.options,
                roles=roles,
                sink=sink,
                mend=player.mend,
            )

        reminder = suite.reminder(player.model.name)
        seed = planned.options.seed or 0
        return await play(session, planned.case, planned.experiment, seed, reminder, self.plan.said)

    def model(self, planned: Planned, asked: Model) -> Model:
        """A model as it is asked for a sample: what it says kept, within the budget, from the cache where it may."""
        model: Model = KeepWires(asked, self.store.keep_exchange)
        if self.budget is not None:
            model = Budgeted(model, self.budget)
        if self.cache and planned.experiment.attempts == 1:
            model = Cached(model, self.store.cached_reply, self.store.cache_reply)
        return model
