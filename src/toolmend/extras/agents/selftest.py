"""Is an agent system judged as it should be? Right answers and the oracle get 1, none less, the idle its floor."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from toolmend.extras.agents.bench import Bench, StepsSpent
from toolmend.extras.agents.system import AgentSystem, AgentTask, load_way
from toolmend.models import Model
from toolmend.models.scripted import Scripted


@dataclass(frozen=True)
class SystemTrial:
    """One answer that was judged: its task, what it is, and what is wrong with the judging ("" for nothing)."""

    task: str
    name: str
    problem: str = ""


async def test_system(system: AgentSystem) -> list[SystemTrial]:
    """Every reference, no answer, mere words, and every task solved by the oracle and by an idle model in every way."""
    trials = [trial for task in system.tasks() for trial in _judged(system, task)]
    for way in system.ways:
        idle = 0.0
        for task in system.tasks():
            made = load_way(system, way)[1]
            score = await _solved(system, task, system.oracle(task, made), made)
            trials.append(SystemTrial(task.id, f"oracle, {way}", "" if score == 1 else f"scores {score:g}"))
            idle += await _solved(system, task, Scripted([""], "scripted/idle"), made)
        mean = idle / len(system.tasks())
        problem = "" if mean == system.floor else f"scores {mean:g}, not {system.floor:g}"
        trials.append(SystemTrial("all tasks", f"idle, {way}", problem))
    return trials


test_system.__test__ = False  # type: ignore[attr-defined]  # no test of pytest's


def _judged(system: AgentSystem, task: AgentTask) -> Iterator[SystemTrial]:
    right = system.score(task, system.reference(task))
    yield SystemTrial(task.id, "reference", "" if right.value == 1 else f"refused: {right.why}")
    for name, answer in (("no answer", None), ("words", "It is done.")):
        value = system.score(task, answer).value
        yield SystemTrial(task.id, name, "" if value < 1 else f"accepted: {answer!r}")


async def _solved(system: AgentSystem, task: AgentTask, model: Model, way: object) -> float:
    bench = Bench(model, steps=system.steps)
    with suppress(StepsSpent):
        bench.answer = await system.solve(bench, task, way)
    return system.score(task, bench.answer).value
