"""Suites played for a piece of work: every run is noted before it begins, so that none is played twice.

Knows plans, the store and the ledger; nothing of training.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from toolmend.errors import ToolmendError
from toolmend.evals.metrics.outcomes import NEEDED, Played, played
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import Progress, run
from toolmend.evals.suites.suite import Suite
from toolmend.models import Model
from toolmend.portal import run_sync
from toolmend.store import Store
from toolmend.training.studies.ledger import Ledger

STORE = "runs.db"


def _quiet(_told: Any) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class Watching:
    """Who is told how it goes: sentences, samples played, rows of a training (tune.loop and trainer.py say which)."""

    say: Callable[[str], None] = _quiet
    samples: Callable[[Progress], None] = _quiet
    rows: Callable[[Mapping[str, Any]], None] = _quiet


@dataclass(frozen=True)
class Arena:
    """Plays suites by one strategy. `attempts` and `temperature` replace the suite's own where they are given."""

    store: Store
    ledger: Ledger
    strategy: str = "oneline"
    attempts: int | None = None
    temperature: float | None = None
    watching: Watching = field(default_factory=Watching)

    def play(self, suite: Suite, model: str | Model, stage: str) -> Played:
        """What came of a run; it is played, or gone on with, unless the stage is done. The seeds are always the same.

        Raises ToolmendError where samples could not be run: a comparison would be one of other cases.
        """
        plan = Plan.make(suite, [model], [self.strategy], attempts=self.attempts, temperature=self.temperature)
        run_id = self.ledger.get(stage)
        if run_id is None:
            run_id = self.store.open_run(plan.config())
            self.ledger.put(stage, run_id)
        if self.store.run(run_id).status != "finished":
            self.watching.say(f"playing {suite.name} with {plan.players[0].name}")
            run_sync(self._run, plan)
        failed = next(self.store.samples(run_id, status="error"), None)
        if failed is not None:
            many = self.store.counts(run_id)["error"]
            raise ToolmendError(
                f"{many} samples of run {run_id} could not be run; the same command tries again. "
                f"First: {failed.case}: {failed.detail}"
            )
        return played(self.store.run(run_id), self.store.samples(run_id, only=NEEDED))

    async def _run(self, plan: Plan) -> None:
        await run(plan, self.store, on_progress=self.watching.samples)
