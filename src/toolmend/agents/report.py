"""What came of a run of an agent system, as numbers: answers graded again from the store, steps and tokens beside them.

Knows no screen. A share has a Wilson interval, a mean of parts a bootstrap one, both of 95 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolmend.agents.system import AgentSystem, AgentTask, Scored, load_system
from toolmend.evals.metrics.roles import used
from toolmend.events import Finished, Looked, Read, Replied
from toolmend.stats import bootstrap_mean, wilson
from toolmend.store import Sample, Store


def agent_report(store: Store, run_id: str) -> dict[str, Any]:
    """JSON-able: a row for each contestant, and in it one for each group of tasks.

    Raises UnknownName where the run's system is not to be had any more.
    """
    run = store.run(run_id)
    system = load_system(str(run.config.settings["agents"]))
    tasks = {task.id: task for task in system.tasks()}
    by_player: dict[tuple[str, str], list[Sample]] = {}
    for sample in store.samples(run_id, status="ok", by_case=True):
        by_player.setdefault(sample.contestant, []).append(sample)
    order = [(each.model, each.strategy) for each in run.config.contestants]
    rows = [
        {"model": model, "way": way, **_row(system, tasks, by_player[model, way])}
        for model, way in order
        if (model, way) in by_player
    ]
    return {
        "schema": 1,
        "run": run.head(),
        "about": system.about,
        "floor": system.floor,
        "steps": run.config.settings["steps"],
        "rows": rows,
        "beside": [{"what": row.what, "value": row.value, "source": row.source} for row in system.beside],
        "could_not_be_run": store.counts(run_id)["error"],
    }


def _row(system: AgentSystem, tasks: dict[str, AgentTask], samples: Sequence[Sample]) -> dict[str, Any]:
    scored = [
        (sample, tasks[sample.case], _scored(system, tasks, sample)) for sample in samples if sample.case in tasks
    ]
    groups = list(dict.fromkeys(task.group for _, task, _ in scored))
    by_group = dict[str, Any]()
    for group in groups:
        mine = [(sample, score) for sample, task, score in scored if task.group == group]
        unread = _work_of([sample for sample, _ in mine])["unreadable"]
        by_group[group] = _mean_of([score for _, score in mine]) | {"unreadable": unread}
    return _mean_of([score for _, _, score in scored]) | _work_of(samples) | {"groups": by_group}


def _scored(system: AgentSystem, tasks: dict[str, AgentTask], sample: Sample) -> Scored:
    looked = [event for event in sample.events if isinstance(event, Looked)]
    return system.score(tasks[sample.case], looked[-1].now if looked else None)


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
    count, read, unread, gave_up = 0, 0, 0, 0
    for sample in samples:
        count += sum(isinstance(event, Replied) for event in sample.events)
        readings = [event for event in sample.events if isinstance(event, Read)]
        read += len(readings)
        unread += sum(reading.problem == "syntax" for reading in readings)
        gave_up += any(isinstance(event, Finished) and event.reason == "gave_up" for event in sample.events)
    usage = [used(sample) for sample in samples]
    return {
        "steps": count / len(samples),
        "tokens": _mean([use.input_tokens + use.output_tokens for use in usage]),
        "seconds": _mean([sample.seconds for sample in samples]),
        "unreadable": unread / read if read else None,
        "gave_up": gave_up / len(samples),
    }


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
