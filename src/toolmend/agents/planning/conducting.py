"""HuggingGPT's four stages (Shen et al. 2023, arXiv 2303.17580, section 3) as a strategy over a box of expert models:
plan the tasks, choose a model for each, run what can be run side by side, tell the results.

The experts here are stand-ins: what they give is a name made of what they were given. Knows no score.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import anyio

from toolmend.agents.planning.graph import RESOURCE, PlanNode, json_in, levels, read_plan
from toolmend.agents.system import shipped
from toolmend.agents.world import ValueBox
from toolmend.errors import ToolError
from toolmend.messages import Call, CallResult, Message, Reply
from toolmend.reading import Reading
from toolmend.strategies import Act, Ask, Flag, Flow, Say, Talk
from toolmend.tools import tool

_SAID: Mapping[str, Any] = shipped("planning/conducting.yaml")
_PLAN, _CHOOSE, _TELL = (_SAID[name] for name in ("plan", "choose", "tell"))
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
        numbered = ({str(key): value for key, value in each.items()} for each in (self.chosen, self.results))
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
        history = [Message(each.role, _shown(each)) for each in talk.messages]
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
