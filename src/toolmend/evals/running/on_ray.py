"""A run over the workers of a Ray cluster: shards of sample keys, each played by `runner.run` in a process elsewhere.

A shard whose worker was lost is played again; what it had finished is in the store and stays. Spending is counted in
one place for all workers. The only file that knows Ray; it is imported when it is asked for. docs/scale.md.
"""

from __future__ import annotations

import os
import socket
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio

from toolmend.base.errors import BadOption, BudgetSpent, MissingExtra, ModelError, ToolmendError
from toolmend.base.http.pace import share_pace
from toolmend.base.messages import Usage
from toolmend.evals.running.plan import Plan, RunPart
from toolmend.evals.running.recipe import RunRecipe
from toolmend.evals.running.runner import OnProgress, Progress, begin, run
from toolmend.evals.store import Run, RunConfig, Store, default_place
from toolmend.models.budget import Spending

SHARDS_EACH = 8  # more make the end even, fewer cost less: a worker goes through the whole plan once per shard
FEWEST = 16  # samples of a shard
LOSSES = 5  # so often in a row may workers die without a sample kept between them, each
START_SECONDS = 120.0
REACH_SECONDS = 5.0


@dataclass(frozen=True)
class _Terms:
    """What every worker is told: how to make the plan, where to keep samples, how to play."""

    recipe: RunRecipe
    place: str
    folder: str
    workers: int
    playing: Mapping[str, Any]


class _Ledger:
    """What was spent, over all workers: an actor."""

    def __init__(self, tokens: int, cost: float) -> None:
        self.spent, self.uncounted = (tokens, cost), ""

    def add(self, tokens: int, cost: float, uncounted: str) -> None:
        self.spent = self.spent[0] + tokens, self.spent[1] + cost
        self.uncounted = self.uncounted or uncounted

    def told(self) -> tuple[int, float, str]:
        return *self.spent, self.uncounted


@dataclass
class _Shared(Spending):
    """A budget whose sums are the ledger's. What the store held was counted before the workers began."""

    def over(self, ledger: Any) -> _Shared:
        self.ledger = ledger
        return self

    def add_earlier(self, usage: Usage, model: str) -> None:
        """Nothing: see above."""

    def add(self, usage: Usage, model: str) -> None:
        tokens, cost = usage.input_tokens + usage.output_tokens, self.price(usage, model) if self.price else 0.0
        self.ledger.add.remote(tokens, cost, self.uncounted)

    def check(self) -> None:
        self.tokens, self.cost, self.uncounted = _ray().get(self.ledger.told.remote())
        super().check()


class _Worker:
    """Makes the plan once, then plays shards of it: an actor."""

    def __init__(self, terms: _Terms, budget: Spending | None, ledger: Any) -> None:
        self.terms = terms
        self.budget = None if budget is None else _Shared(*_limits(budget)).over(ledger)
        if Path(terms.folder).is_dir():  # where the driver was: files are named from there, and modules found
            os.chdir(terms.folder)
            sys.path.append(terms.folder)
        share_pace(terms.workers)

    def hello(self) -> tuple[str, int, RunConfig | None, str]:
        """The machine, the process, and which run it would play; or why it cannot."""
        try:
            self.plan = self.terms.recipe.plan()
            return socket.gethostname(), os.getpid(), self.plan.config(), ""
        except ToolmendError as error:
            return socket.gethostname(), os.getpid(), None, str(error)

    def play(self, part: RunPart) -> str:
        """Play a shard; "" when it is done, else why the budget ends the run."""
        try:
            with Store(self.terms.place) as store:
                plan = replace(self.plan, part=part)
                anyio.run(lambda: run(plan, store, budget=self.budget, **self.terms.playing))
        except BudgetSpent as spent:
            return str(spent)
        return ""


def play_on(
    address: str,
    recipe: RunRecipe,
    plan: Plan,
    store: Store,
    *,
    concurrency: int,
    budget: Spending | None = None,
    cache: bool = False,
    timeout: float | None = None,
    on_progress: OnProgress | None = None,
) -> Run:
    """Play what is not in the store yet over the cluster at `address`: "ray" for this machine's, else "ray://host:port".

    `concurrency` samples at once over all workers, one at least in each. Raises BadOption, before anything is spent,
    for a head that does not answer, for SQLite with workers on other machines, and for workers that would play another
    run; BudgetSpent as `runner.run`; ModelError when workers die again and again.
    """
    connect(address)
    try:
        place = _place(recipe.store)
        _check_machines(_ray().nodes(), place)
        run_id = begin(plan, store)
        total = len(plan.samples())
        shards = min(SHARDS_EACH * _workers(), max(1, ceil(total / FEWEST)))
        workers = min(_workers(), shards)
        playing = {"concurrency": ceil(concurrency / workers), "cache": cache, "timeout": timeout}
        ledger = _ray().remote(num_cpus=0)(_Ledger).remote(*_spent(store, run_id, budget))
        terms = _Terms(recipe, place, os.getcwd(), workers, playing)

        def start() -> Any:
            return _ray().remote(num_cpus=1, max_restarts=0)(_Worker).remote(terms, budget, ledger)

        team = _team(start, workers, plan.config())
        try:
            spent = _share_out(
                deque(RunPart(n, shards) for n in range(1, shards + 1)), team, start, store, plan, on_progress
            )
        finally:
            for worker in team:
                _ray().kill(worker)
        if budget is not None:
            budget.tokens, budget.cost, budget.uncounted = _ray().get(ledger.told.remote())
        if spent:
            raise BudgetSpent(spent)
        return store.finish(run_id)
    finally:
        _ray().shutdown()


def connect(address: str) -> None:
    """Join the cluster, once. Raises BadOption for an address that is none or does not answer, or MissingExtra."""
    parts = urlsplit(address if "://" in address else f"//{address}")
    if address != "ray" and (parts.scheme != "ray" or not parts.hostname):
        raise BadOption(f"--on {address!r}: give ray for this machine, or ray://HEAD:10001")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    ray = _ray()
    if ray.is_initialized():
        return
    if address == "ray":
        ray.init(log_to_driver=False, logging_level="ERROR", include_dashboard=False)
        return
    where = (parts.hostname or "", parts.port or 10001)
    try:
        socket.create_connection(where, REACH_SECONDS).close()
        ray.init(address, log_to_driver=False, logging_level="ERROR")
    except (OSError, RuntimeError) as error:  # ConnectionError, and other versions of Ray or Python
        reason = " ".join(str(error).split())
        raise BadOption(f"no Ray head to work with at {where[0]}:{where[1]} ({reason}); ray start --head") from error


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise MissingExtra("--on ray", "ray") from error
    return ray


def _place(store: str | None) -> str:
    """The store as every process on this machine finds it, whatever its folder."""
    place = store or default_place()
    return place if "://" in place else str(Path(place).expanduser().absolute())


def _check_machines(nodes: Sequence[Mapping[str, Any]], place: str) -> None:
    """Raise BadOption where workers on other machines would have to write into a file of this one."""
    others = {node["NodeManagerHostname"] for node in nodes if node["Alive"]} - {socket.gethostname()}
    if others and not place.startswith("postgresql"):
        raise BadOption(
            f"{place} is a file on this machine, and workers are on {', '.join(sorted(others)[:3])}: a file cannot be "
            "shared over a network; give --store postgresql+psycopg://…, or play parts and `toolmend store merge`"
        )


def _workers() -> int:
    return max(1, int(_ray().cluster_resources().get("CPU", 1)))


def _limits(budget: Spending) -> tuple[Any, ...]:
    return budget.max_tokens, budget.max_cost, budget.price, budget.currency


def _spent(store: Store, run_id: str, budget: Spending | None) -> tuple[int, float]:
    if budget is None:
        return 0, 0.0
    from toolmend.evals.metrics.roles import USES, used

    for sample in store.samples(run_id, only=USES):
        budget.add_earlier(used(sample), sample.model)
    return budget.tokens, budget.cost


def _team(start: Callable[[], Any], size: int, config: RunConfig) -> list[Any]:
    """Workers that would play this very run, as many as find a place in time. Raises BadOption for another, or none."""
    ray = _ray()
    waiting = {worker.hello.remote(): worker for worker in [start() for _ in range(size)]}
    ready, late = ray.wait(list(waiting), num_returns=size, timeout=START_SECONDS)
    for ref in late:
        ray.kill(waiting[ref])
    team = []
    for ref in ready:
        try:
            host, _process, theirs, why = ray.get(ref)
        except ray.exceptions.RayError as error:
            raise BadOption(f"a worker could not begin ({_reason(error)}); is toolmend installed there?") from error
        if theirs is None or theirs.key != config.key:
            why = why or config.apart(theirs).replace("it ", "its run ", 1)
            raise BadOption(f"a worker on {host} would not play this run: {why}. Nothing was played")
        team.append(waiting[ref])
    if not team:
        raise BadOption(f"no worker began within {START_SECONDS:.0f} s: the cluster has no free CPU")
    return team


def _share_out(
    shards: deque[RunPart], team: list[Any], start: Callable[[], Any], store: Store, plan: Plan, tell: OnProgress | None
) -> str:
    """Give every worker a shard until none is left; "" or why the budget ended it. `team` loses and gains workers."""
    ray, pending, idle = _ray(), dict[Any, tuple[Any, RunPart | None]](), list(team)
    config, run_id = plan.config(), begin(plan, store)
    total, counts = len(plan.samples()), store.counts(run_id)
    before, kept, losses, spent = counts["error"], sum(counts.values()), 0, ""
    while pending or (shards and not spent):
        while idle and shards and not spent:
            worker, part = idle.pop(), shards.popleft()
            pending[worker.play.remote(part)] = worker, part
        ready, _ = ray.wait(list(pending), timeout=1)
        counts = store.counts(run_id)
        if tell:
            fresh = max(0, counts["error"] - before)
            tell(Progress(min(total, counts["ok"] + fresh), total, fresh))
        for ref in ready:
            worker, shard = pending.pop(ref)
            try:
                told = ray.get(ref)
            except ray.exceptions.RayActorError as error:
                losses, kept = (losses + 1 if sum(counts.values()) == kept else 1), sum(counts.values())
                if losses > LOSSES * len(team):
                    raise ModelError(f"workers die again and again ({_reason(error)})") from error
                team.remove(worker)
                shards.extend([shard] if shard else [])
                team.append(start())
                pending[team[-1].hello.remote()] = team[-1], None
                continue
            if shard is None:  # a new worker said hello
                if told[2] is None or told[2].key != config.key:
                    raise BadOption(
                        f"a worker on {told[0]} would not play this run: {told[3] or config.apart(told[2])}"
                    )
            elif told:
                spent = told
            idle.append(worker)
    return spent


def _reason(error: BaseException) -> str:
    """The first line of what Ray has to say, without its dump of state."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)[:200]
