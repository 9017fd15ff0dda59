"""`planning`: a task in English is planned by a classical planner from the problem that a model writes, as LLM+P does
(Liu et al. 2023, arXiv 2304.11477), or by the model alone (`direct`). Whether a plan solves the task is checked against
the problem that the task was told from, whatever problem the model wrote.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from toolmend.agents.bench import Bench
from toolmend.agents.planning import planner
from toolmend.agents.planning.drafting import PLAN, ActionBox, Draft, Drafting, Solve, lines
from toolmend.agents.planning.pddl import fault
from toolmend.agents.planning.worlds import WORLDS, Instance, instance, world_of
from toolmend.agents.system import AgentSystem, AgentTask, Scored
from toolmend.models import Model
from toolmend.models.scripted import Scripted

COUNT = 20
"""Instances of each world, as many as the paper has."""


@dataclass
class PlannerWay:
    """The model writes the problem, Fast Downward plans. `sentences`: a reply for each sentence; `corrections`: so many
    facts that are wrong are put right by a person's sentence."""

    sentences: bool = False
    corrections: int = 0


@dataclass
class DirectWay:
    """The model writes the actions itself."""


class Planning(AgentSystem):
    """Blocksworld and Grippers, 20 instances each."""

    name = "planning"
    about = "English → PDDL → a plan by Fast Downward, validated"
    ways = {"planner": PlannerWay, "direct": DirectWay}  # noqa: RUF012
    steps = 40

    def __init__(self, solve: Solve = planner.solve) -> None:
        self._solve = solve

    def tasks(self) -> Sequence[AgentTask]:
        """Every instance."""
        return [
            AgentTask(f"{world}/{seed}", instance(world, seed).text, world, {"world": world, "seed": seed})
            for world in WORLDS
            for seed in range(1, COUNT + 1)
        ]

    def oracle(self, task: AgentTask, way: Any) -> Model:
        """States every sentence as it is meant; without a planner it knows a plan."""
        drawn = _of(task)
        said = {text: lines([fact]) for text, fact in drawn.told.items()}
        said[task.say] = _written(drawn, direct=isinstance(way, DirectWay))
        return Scripted(lambda request: said[request.messages[-1].content], "scripted/oracle")

    def reference(self, task: AgentTask) -> Any:
        """The problem, and a plan that does one thing after the other."""
        drawn = _of(task)
        return {"init": drawn.facts(False), "goal": drawn.facts(True), "plan": list(drawn.plan)}

    async def solve(self, bench: Bench, task: AgentTask, way: Any) -> Any:
        """What was stated, and the plan."""
        drawn, world = _of(task), world_of(task.data["world"])
        example, direct = instance(drawn.world, 0), isinstance(way, DirectWay)
        shown = (example.text, _written(example, direct=direct))
        if direct:
            moves = ActionBox(world)
            await bench.session(moves, Drafting(world.about, example=shown)).arequest(task.say)
            return {"plan": moves.plan}
        if self._solve is planner.solve:
            planner.ready()
        draft = Draft(world, self._solve)
        talk = bench.session(draft, Drafting(world.about, way.sentences, shown))
        answer = await talk.arequest(task.say)
        for number in range(way.corrections + 1):
            plans = [result.value for result in answer.results if isinstance(result.value, dict) and result.value]
            bench.answer = {**draft.state(), "plan": plans[-1]["steps"] if plans else []}
            words = complaint(drawn, draft)
            if not words or number == way.corrections:
                break
            answer = await talk.acorrect(words)
        return bench.answer

    def score(self, task: AgentTask, answer: Any) -> Scored:
        """1 for a plan that solves the task; beside it whether the problem was stated exactly."""
        drawn, given = _of(task), answer if isinstance(answer, dict) else {}
        plan = [tuple(map(str, step)) for step in given.get(PLAN) or () if isinstance(step, (list, tuple)) and step]
        why = fault(world_of(drawn.world).domain, drawn.problem, plan)
        if "init" not in given:
            return Scored(float(not why), why)
        parts = (("init", False), ("goal", True))
        exact = all({*map(tuple, given.get(part) or ())} == {*drawn.facts(final)} for part, final in parts)
        return Scored(float(not why), why, {"stated": float(exact), "planned": float(bool(plan))})


def _of(task: AgentTask) -> Instance:
    return instance(task.data["world"], task.data["seed"])


def _written(drawn: Instance, *, direct: bool) -> str:
    """What a model should write: the facts, or the actions."""
    return lines([(False, action) for action in drawn.plan] if direct else drawn.told.values())


def complaint(drawn: Instance, draft: Draft) -> str:
    """What a person says who looks at the problem: the first sentence that is not in it; "" where it is right."""
    for text, (final, fact) in drawn.told.items():
        if fact not in draft.part(final):
            return text
    said = {thing for _, fact in drawn.told.values() for thing in fact[1:]}
    surplus = sorted({thing for part in (False, True) for atom in draft.part(part) for thing in atom[1:]} - said)
    return f"There is no {surplus[0]}." if surplus else ""
