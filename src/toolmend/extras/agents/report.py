"""What came of a run of an agent system, as numbers: answers graded again from the store, steps and tokens beside them.

Knows no screen. A share has a Wilson interval, a mean of parts a bootstrap one, both of 95 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from toolmend.base.events import Finished, Looked, Read, Replied
from toolmend.base.stats import bootstrap_mean, wilson
from toolmend.evals.metrics.roles import used
from toolmend.evals.store import Sample, Store
from toolmend.extras.agents.system import AgentSystem, Scored, load_system


def agent_report(store: Store, run_id: str) -> dict[str, Any]:
    """JSON-able: a row for each contestant, and in it one for each group of tasks.

    Raises UnknownName where the run's system is not to be had any more.
    """
    run = store.run(run_id)
    system = load_system(str(run.config.settings["agents"]))
    by_player: dict[tuple[str, str], list[Sample]] = {}
    for sample in store.samples(run_id, status="ok", by_case=True):
        by_player.setdefault(sample.contestant, []).append(sample)
    order = [(contestant.model, contestant.strategy) for contestant in run.config.contestants]
    return {
        "schema": 1,
        "run": run.head(),
        "about": system.about,
        "floor": system.floor,
        "steps": run.config.settings["steps"],
        "rows": [
            {"model": model, "way": way, **_row(system, by_player[model, way])}
            for model, way in order
            if (model, way) in by_player
        ],
        "beside": [asdict(row) for row in system.beside],
        "could_not_be_run": store.counts(run_id)["error"],
    }


def _row(system: AgentSystem, samples: Sequence[Sample]) -> dict[str, Any]:
    tasks = {task.id: task for task in system.tasks()}
    scored: list[tuple[str, Sample, Scored]] = []
    for sample in samples:
        if task := tasks.get(sample.case):
            answers = [event.now for event in sample.events if isinstance(event, Looked)]
            scored.append((task.group, sample, system.score(task, answers[-1] if answers else None)))
    groups = {}
    for group in dict.fromkeys(group for group, _, _ in scored):
        unread = _work_of([sample for name, sample, _ in scored if name == group])["unreadable"]
        groups[group] = _mean_of([score for name, _, score in scored if name == group]) | {"unreadable": unread}
    return _mean_of([score for _, _, score in scored]) | _work_of(samples) | {"groups": groups}


def _mean_of(scores: Sequence[Scored]) -> dict[str, Any]:
    """Tasks, the mean score with its interval, and the means of the further figures."""
    values = [score.value for score in scores]
    parts = any(value not in (0.0, 1.0) for value in values)
    interval = bootstrap_mean(values) if parts else wilson(round(sum(values)), len(values))
    names = dict.fromkeys(name for score in scores for name in score.figures)
    figures = {name: _mean([score.figures[name] for score in scores if name in score.figures]) for name in names}
    return {"tasks": len(values), "score": _mean(values), "interval": interval, "figures": figures}


def _work_of(samples: Sequence[Sample]) -> dict[str, Any]:
    """Means over tasks: replies, tokens, seconds; the shares of replies that could not be read, of tasks given up."""
    events = [event for sample in samples for event in sample.events]
    read = [event.problem == "syntax" for event in events if isinstance(event, Read)]
    gave_up = sum(isinstance(event, Finished) and event.reason == "gave_up" for event in events)
    usage = [used(sample) for sample in samples]
    return {
        "steps": sum(isinstance(event, Replied) for event in events) / len(samples),
        "tokens": _mean([use.input_tokens + use.output_tokens for use in usage]),
        "seconds": _mean([sample.seconds for sample in samples]),
        "unreadable": _mean(read) if read else None,
        "gave_up": gave_up / len(samples),
    }


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
