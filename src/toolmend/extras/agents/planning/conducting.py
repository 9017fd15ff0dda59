"""`hugginggpt`: HuggingGPT's four stages (Shen et al. 2023, arXiv 2303.17580, section 3) as a strategy over a box of
expert models: plan the tasks, choose a model for each, run what can be run side by side, tell the results. Played on
requests in TaskBench's form (Shen et al. 2023, arXiv 2311.18760), made here: one task, a chain, or a graph.

The experts are stand-ins: what they give is a name made of what they were given. Node F1 and edge F1 are of task names
and of pairs of them, as in TaskBench; edges count where the right plan has some.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import anyio

from toolmend.base.errors import ToolError
from toolmend.base.messages import Call, CallResult, Message, Reply, Request
from toolmend.extras.agents.bench import Bench
from toolmend.extras.agents.planning.graph import RESOURCE, PlanNode, edges, f1, json_in, levels, read_plan
from toolmend.extras.agents.system import AgentSystem, AgentTask, Scored, shipped
from toolmend.models import Model
from toolmend.models.scripted import Scripted
from toolmend.reading import Reading
from toolmend.strategies import Act, Ask, Flag, Flow, Say, Talk
from toolmend.tools import tool
from toolmend.tools.toolboxes.valued import ValueBox

_SAID: Mapping[str, Any] = shipped("planning/conducting.yaml")
_PLAN, _CHOOSE, _TELL = (str(_SAID[name]) for name in ("plan", "choose", "tell"))
TASKS: Mapping[str, tuple[list[str], str, str]] = _SAID["tasks"]
"""What can be done: kinds of what it takes, the kind of what it gives, and how a person asks for it."""


def models_of(task: str) -> dict[str, str]:
    """The models for a task, by id, with what they are made for."""
    return {f"{family}/{task}": words for family, words in _SAID["models"].items()}


class Experts(ValueBox):
    """A plan, and models that carry it out. `gone` are models that are listed and do not answer any more."""

    kept = ("plan", "results", "chosen")

    def __init__(self, gone: Collection[str] = ()) -> None:
        self.gone = gone
        self.plan: tuple[PlanNode, ...] = ()
        self.results: Mapping[int, str] = {}
        self.chosen: Mapping[int, str] = {}
        self.at_once = 0

    def state(self) -> dict[str, Any]:
        """The plan and what came of it, as JSON-able data."""
        numbered = ({str(key): value for key, value in table.items()} for table in (self.chosen, self.results))
        return {"plan": [node.row() for node in self.plan], **dict(zip(("chosen", "results"), numbered, strict=True))}

    @tool
    def make_plan(self, tasks: list[dict[str, Any]]) -> int:
        """Take these tasks as the plan."""
        plan = read_plan(tasks)
        if unknown := [node.task for node in plan if node.task not in TASKS]:
            raise ToolError(f"no task is called {unknown[0]!r}; there are {', '.join(TASKS)}")
        order = levels(plan)
        self.plan, self.results, self.chosen = plan, {}, {}
        return len(order)

    @tool
    async def run_models(self, models: dict[str, str]) -> dict[str, str]:
        """Run tasks side by side, each by its id with a model."""
        chosen = {node.id: models[str(node.id)] for node in self.plan if str(node.id) in models}
        done: dict[int, str] = {}
        async with anyio.create_task_group() as group:
            for node in self.plan:
                if node.id in chosen:
                    group.start_soon(self._one, node, chosen[node.id], done)
        self.at_once = max(self.at_once, len(done))
        self.results, self.chosen = {**self.results, **done}, {**self.chosen, **chosen}
        if vanished := [model for model in chosen.values() if model in self.gone]:
            raise ToolError(f"{vanished[0]} has vanished; what needs its result is not done")
        return {str(number): result for number, result in sorted(done.items())}

    async def _one(self, node: PlanNode, model: str, done: dict[int, str]) -> None:
        await anyio.lowlevel.checkpoint()
        if model not in self.gone:
            done[node.id] = outcome(node, model, self.results)


def outcome(node: PlanNode, model: str, results: Mapping[int, str]) -> str:
    """What a model makes of what a task is given: another name for anything else."""
    refers = ((value, value.removeprefix(RESOURCE)) for _, value in sorted(node.args.items()))
    given = [results.get(int(rest), "") if rest != value else value for value, rest in refers]
    return f"{TASKS[node.task][1]}-{hashlib.sha256(json.dumps([model, given]).encode()).hexdigest()[:6]}"


@dataclass
class Conducting:
    """The four stages. A plan that cannot be carried out, and a model that vanished, are named and end the turn; what
    was done until then stays."""

    name = "conducting"
    bare = False
    roles = ("main", "choice", "answer")
    prompt_hash = hashlib.sha256(f"{_PLAN}{_CHOOSE}{_TELL}".encode()).hexdigest()[:12]

    def turn(self, talk: Talk) -> Flow:
        """One request, or a correction of its plan."""
        system = Message("system", self.system_text(talk))
        history = [Message(message.role, _shown(message)) for message in talk.messages]
        reply: Reply = yield Ask((system, *history))
        rows = json_in(reply.text, list)
        if not rows:
            yield Act((), Reading((), reply.text, problem="syntax" if rows is None else "no_call"))
            yield Say("There is no plan: the reply is no list of tasks.")
            return
        call = Call("make_plan", {"tasks": rows})
        results: Sequence[CallResult] = yield Act((call,), Reading((call,)))
        if not results or not results[0].ok:
            yield Say(f"There is no plan: {results[0].error if results else 'it was stopped'}.")
            return
        said = talk.messages[-1].content
        chosen: dict[int, str] = {}
        for node in (plan := read_plan(rows)):
            chosen[node.id] = yield from _choose(said, node)
        told: dict[str, str] = {}
        for level in levels(plan):
            run = Call("run_models", {"models": {str(node.id): chosen[node.id] for node in level}})
            results = yield Act((run,), Reading((run,)))
            if not results or not results[0].ok:
                yield Say(f"Stopped: {results[0].error if results else 'too long'}. Done so far: {told or 'nothing'}.")
                return
            told |= results[0].value
        yield Ask((Message("user", f"{_TELL.format(results=json.dumps(told))}\nRequest: {said}"),), role="answer")

    def system_text(self, talk: Talk) -> str:
        """The first stage's prompt."""
        return _PLAN.format(tasks=", ".join(TASKS))


def _choose(said: str, node: PlanNode) -> Any:
    """The second stage, a question of several choices: the model of the reply, or the first."""
    models = models_of(node.task)
    listed = "\n".join(json.dumps({"id": name, "about": about}) for name, about in models.items())
    prompt = f"{_CHOOSE.format(task=node.task, models=listed)}\nRequest: {said}"
    reply: Reply = yield Ask((Message("user", prompt),), role="choice")
    picked = json_in(reply.text, dict) or {}
    if picked.get("id") in models:
        return picked["id"]
    yield Flag("model_choice", f"{node.task}: no model of the list was named, the first is taken")
    return next(iter(models))


def _shown(message: Message) -> str:
    """What was said; of an answer the plan that it came of, which a correction is about."""
    plans = [json.dumps(call.arguments["tasks"]) for call in message.calls if call.tool == "make_plan"]
    return plans[0] if plans else message.content


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
