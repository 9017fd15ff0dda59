"""What samples of a plan came to in earlier runs, on average: the newest run for each experiment and contestant.

A run counts if it was the same suite, to the byte, and the experiment was played the same way. Only reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from toolmend.evals.metrics.usage import USES, used
from toolmend.evals.running.plan import Plan
from toolmend.messages import Usage
from toolmend.store import Run, Sample, Store

Which = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Past:
    """A sample's tokens and wall seconds, averaged over so many of a run. Cached replies count as if asked for."""

    run: str
    samples: int
    input_tokens: float
    output_tokens: float
    seconds: float


def past_of(plan: Plan, store: Store) -> dict[Which, Past]:
    """By experiment, model and strategy; what was never played is not in it."""
    config = plan.config()
    ways = {each["id"]: _way(each) for each in config.settings["experiments"]}
    wanted = {(name, each.model, each.strategy) for name in ways for each in config.contestants}
    found: dict[Which, Past] = {}
    for run in store.runs(plan.suite.name):
        same = {each["id"] for each in run.config.settings.get("experiments", ()) if ways.get(each["id"]) == _way(each)}
        there = {(each.model, each.strategy) for each in run.config.contestants}
        new = {which for which in wanted - set(found) if which[0] in same and which[1:] in there}
        tools = run.config.settings.get("tools", plan.suite.tools)
        if new and (run.config.suite_hash, tools) == (config.suite_hash, plan.suite.tools):
            found |= _averages(run, store.samples(run.id, status="ok", only=USES), new)
        if len(found) == len(wanted):
            break
    return found


def done_of(plan: Plan, store: Store) -> set[str]:
    """The keys of what the same plan has finished in a run that is to go on; none if there is no such run."""
    key = plan.config().key
    runs = [run for run in store.runs(plan.suite.name) if run.status != "finished" and run.config.key == key]
    return store.done_keys(runs[0].id) if runs else set()


def _way(experiment: Mapping[str, Any]) -> tuple[Any, ...]:
    return (experiment["corrections"], experiment["history"], *experiment["branches"])


def _averages(run: Run, samples: Iterable[Sample], which: set[Which]) -> dict[Which, Past]:
    sums: dict[Which, tuple[int, Usage, float]] = {}
    for sample in samples:
        key = (sample.case.split("/")[0], sample.model, sample.strategy)
        if key in which:
            count, so_far, seconds = sums.get(key, (0, Usage(), 0.0))
            sums[key] = (count + 1, so_far + used(sample, cached=True), seconds + sample.seconds)
    return {
        key: Past(run.id, count, usage.input_tokens / count, usage.output_tokens / count, seconds / count)
        for key, (count, usage, seconds) in sums.items()
    }
