"""Plays a plan's samples side by side and commits each as soon as it is finished.

Killed at any moment, the same plan goes on where it was: finished samples are in the store under their keys and are not
played again. A sample that could not be run is stored as `error` and tried again by the next run. Knows no report.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import anyio

from toolmend.errors import ToolmendError
from toolmend.evals.plan import ARM, Plan, Planned
from toolmend.evals.play import play
from toolmend.events import Event, Sink
from toolmend.session import Session
from toolmend.store import Run, Sample, Store
from toolmend.tools import Toolbox

DEFAULT_CONCURRENCY = 8


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is. `done` counts samples finished earlier too."""

    done: int
    total: int
    errors: int


OnProgress = Callable[[Progress], None]


async def run(
    plan: Plan, store: Store, *, concurrency: int = DEFAULT_CONCURRENCY, on_progress: OnProgress | None = None
) -> Run:
    """Play what is not in the store yet. Cancelling it loses only the samples in the making."""
    run_id = store.open_run(plan.config())
    samples = plan.samples()
    finished = store.done_keys(run_id)
    waiting = iter([sample for sample in samples if sample.key not in finished])
    state = _State(len(samples) - len([s for s in samples if s.key not in finished]), len(samples), 0, on_progress)
    state.tell()
    async with anyio.create_task_group() as group:
        for _ in range(max(1, concurrency)):
            group.start_soon(_work, waiting, plan, store, run_id, state)
    return store.finish(run_id)


@dataclass
class _State:
    done: int
    total: int
    errors: int
    on_progress: OnProgress | None

    def tell(self) -> None:
        if self.on_progress:
            self.on_progress(Progress(self.done, self.total, self.errors))


async def _work(waiting: Iterator[Planned], plan: Plan, store: Store, run_id: str, state: _State) -> None:
    for planned in waiting:
        sample = await _play(planned, plan)
        store.commit(run_id, sample)
        state.done += 1
        state.errors += sample.status == "error"
        state.tell()
        await anyio.lowlevel.checkpoint()


async def _play(planned: Planned, plan: Plan) -> Sample:
    started, began = datetime.now(UTC).isoformat(timespec="seconds"), time.perf_counter()
    events: tuple[Event, ...] = ()
    detail = ""

    def session(sink: Sink) -> Session:
        player, suite = planned.player, plan.suite
        return Session(
            player.model,
            Toolbox.load(suite.tools),
            player.strategy,
            system=suite.system,
            options=planned.options,
            sink=sink,
        )

    try:
        events = await play(session, planned.case, planned.experiment, planned.options.seed or 0)
    except ToolmendError as error:
        detail = str(error) or type(error).__name__
    except Exception as error:  # a fault in somebody's strategy, tool or provider ends this sample, not the run
        detail = f"{type(error).__name__}: {error}"
    return Sample(
        case=planned.case_name,
        model=planned.player.model.name,
        strategy=planned.player.strategy.name,
        attempt=planned.attempt,
        arm=ARM,
        seed=planned.options.seed,
        status="error" if detail else "ok",
        detail=detail,
        events=events,
        started=started,
        seconds=time.perf_counter() - began,
    )
