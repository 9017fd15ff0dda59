"""`hugginggpt`: requests in TaskBench's form (Shen et al. 2023, arXiv 2311.18760), made here (hugginggpt.json): one
task, a chain, or a graph; planned, given to models, carried out and told by conducting.py.

Node F1 and edge F1 are of task names and of pairs of them, as there; edges count where the right plan has some.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolmend.agents.bench import Bench
from toolmend.agents.planning.conducting import TASKS, Conducting, Experts, outcome
from toolmend.agents.planning.graph import RESOURCE, PlanNode, edges, f1, levels, read_plan
from toolmend.agents.system import AgentSystem, AgentTask, Scored, shipped
from toolmend.errors import ToolError
from toolmend.messages import Request
from toolmend.models import Model
from toolmend.models.scripted import Scripted


@dataclass
class StagesWay:
    """The four stages. `corrections`: so often a person says in English what is wrong with the plan."""

    corrections: int = 0


class TaskBench(AgentSystem):
    """36 requests: 12 for one task, 12 for a chain, 12 for a graph."""

    name = "hugginggpt"
    about = "requests → a graph of tasks, a model for each, run side by side, told"
    ways: Mapping[str, Any] = {"stages": StagesWay}
    steps = 20

    def tasks(self) -> Sequence[AgentTask]:
        """Every request."""
        rows = shipped("planning/hugginggpt.json")
        return [
            AgentTask(
                row["id"], row["say"], row["id"].partition("/")[0], {part: row[part] for part in ("plan", "family")}
            )
            for row in rows
        ]

    def oracle(self, task: AgentTask, way: Any) -> Model:
        """The plan, the family's models, every result."""

        def right(request: Request) -> str:
            said = request.messages[-1].content
            if said == task.say:
                return json.dumps(task.data["plan"])
            if said.startswith("Choose"):
                return json.dumps({"id": f"{task.data['family']}/{said.split()[6]}", "reason": "it was asked for"})
            return said.splitlines()[1]

        return Scripted(right, "scripted/oracle")

    def reference(self, task: AgentTask) -> Any:
        """The plan, the models, the results, told."""
        plan, family = read_plan(task.data["plan"]), task.data["family"]
        chosen = {str(node.id): f"{family}/{node.task}" for node in plan}
        results = _carried_out(plan, family)
        return {"plan": task.data["plan"], "chosen": chosen, "said": f"I have made {', '.join(results.values())}."}

    async def solve(self, bench: Bench, task: AgentTask, way: StagesWay) -> Any:
        """What was planned, chosen and told."""
        box = Experts()
        talk = bench.session(box, Conducting())
        answer = await talk.arequest(task.say)
        for number in range(way.corrections + 1):
            state = box.state()
            bench.answer = {"plan": state["plan"], "chosen": state["chosen"], "said": answer.text}
            words = complaint(read_plan(task.data["plan"]), box.plan)
            if not words or number == way.corrections:
                break
            answer = await talk.acorrect(words)
        return bench.answer

    def score(self, task: AgentTask, answer: Any) -> Scored:
        """1 where plan, models and what is told are right; node F1, edge F1 and the share of right models beside it."""
        given = answer if isinstance(answer, dict) else {}
        right, models = read_plan(task.data["plan"]), given.get("chosen")
        try:
            plan = read_plan(given.get("plan") or [])
        except ToolError:
            plan = ()
        figures = {"node F1": f1([node.task for node in right], [node.task for node in plan])}
        if edges(right):
            figures["edge F1"] = f1(edges(right), edges(plan))
        family = task.data["family"]
        wanted = [f"{family}/{node.task}" for node in right]
        figures["models"] = f1(wanted, map(str, models.values() if isinstance(models, dict) else ()))
        results = _carried_out(right, family)
        final = [results[node.id] for node in right if not any(node.id in other.dep for other in right)]
        figures["told"] = float(all(name in str(given.get("said")) for name in final))
        same = edges(right) or not edges(plan)
        wrong = [name for name, value in figures.items() if value < 1] + ([] if same else ["edges"])
        return Scored(float(not wrong), f"wrong: {', '.join(wrong)}" if wrong else "", figures)


def complaint(right: Sequence[PlanNode], plan: Sequence[PlanNode]) -> str:
    """What a person says of a plan: the first step that is not as it should be; "" where all are."""
    for place, node in enumerate(right):
        here = plan[place] if place < len(plan) else None
        if here is None or here.task != node.task or edges(right[: place + 1]) != edges(plan[: place + 1]):
            return f"No, step {place + 1} should be {node.task}: {_asked(node)}."
    return f"No, step {len(right)} is the last one." if len(plan) > len(right) else ""


def _carried_out(plan: Sequence[PlanNode], family: str) -> dict[int, str]:
    """What comes of a plan where every task has the model of that family."""
    results: dict[int, str] = {}
    for level in levels(plan):
        results |= {node.id: outcome(node, f"{family}/{node.task}", results) for node in level}
    return results


def _asked(node: PlanNode) -> str:
    """What a person says to have this done."""
    takes, _, verb = TASKS[node.task]
    values = [node.args[kind] for kind in takes]
    numbers = [value.removeprefix(RESOURCE) for value in values]
    return verb.format(
        *(
            value if rest == value else f"the result of step {int(rest) + 1}"
            for value, rest in zip(values, numbers, strict=True)
        )
    )
