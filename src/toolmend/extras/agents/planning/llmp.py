"""`planning`: a task in English is planned by a classical planner from the problem that a model writes, as LLM+P does
(Liu et al. 2023, arXiv 2304.11477), or by the model alone (`direct`). Whether a plan solves the task is checked against
the problem that the task was told from, whatever problem the model wrote.

The problem is written fact by fact. Each is a call, so that it is an event, can be undone and corrected in English like
any other; stating where a thing is replaces where it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from toolmend.base.errors import ToolError
from toolmend.base.messages import Call, CallResult, Message, Reply, ToolSpec
from toolmend.extras.agents.bench import Bench
from toolmend.extras.agents.planning import planner
from toolmend.extras.agents.planning.worlds import (
    WORLDS,
    Atom,
    Domain,
    Fact,
    Instance,
    PddlProblem,
    PlanningWorld,
    check,
    fault,
    instance,
    world_of,
)
from toolmend.extras.agents.system import AgentSystem, AgentTask, Scored
from toolmend.extras.agents.text_tools import text_tool
from toolmend.models import Model
from toolmend.models.scripted import Scripted
from toolmend.reading import Reading, read_python
from toolmend.strategies import Act, Ask, Flow, Say, Talk
from toolmend.strategies.signature import signature
from toolmend.strategies.spoken import Spoken
from toolmend.tools.toolboxes.valued import ValueBox

Solve = Callable[[Domain, PddlProblem], Sequence[Atom]]
Facts = Mapping[tuple[bool, str, str], Atom]
PLAN, FORGET, GOAL = "plan", "forget", "goal_"

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_EMPTY = "the goal holds already, and an empty plan is no plan: say what else is to hold, or what holds now"


class Draft(ValueBox):
    """A problem of a world as it is being written: a tool for each kind of fact, at first and in the end."""

    kept = ("facts",)

    def __init__(self, world: PlanningWorld, solve: Solve) -> None:
        self.world, self._solve = world, solve
        self.facts: Facts = {}
        stating = [
            text_tool(
                *(GOAL * final + predicate, said[final][0].format(*names), names),
                partial(self._state, final, predicate, names),
            )
            for final in (False, True)
            for predicate, (names, *said) in world.stated.items()
        ]
        self._given = (
            *stating,
            text_tool(FORGET, "There is no such thing.", ["thing"], self._forget),
            text_tool(PLAN, "Plan what was stated.", (), self._plan, "read"),
        )

    def state(self) -> dict[str, Any]:
        """The facts as JSON-able data."""
        return {part: [list(atom) for atom in self.part(part == "goal")] for part in ("init", "goal")}

    def part(self, final: bool) -> list[Atom]:
        """The facts stated of the beginning, or of the goal."""
        return sorted(atom for key, atom in self.facts.items() if key[0] == final)

    def _state(self, final: bool, predicate: str, names: Sequence[str], arguments: Mapping[str, str]) -> str:
        values = [re.sub(r"\W+", "_", arguments[name].strip().lower()).strip("_") for name in names]
        if not all(values) or len(set(values)) < len(values):
            raise ToolError(f"{' and '.join(names)} must be names of {len(names)} things")
        self.facts = {**self.facts, (final, self.world.group[predicate], values[0]): (predicate, *values)}
        return "stated"

    def _forget(self, arguments: Mapping[str, str]) -> str:
        thing = arguments["thing"].strip().lower()
        kept = {key: atom for key, atom in self.facts.items() if thing not in atom}
        if len(kept) == len(self.facts):
            raise ToolError(f"nothing was said of {thing!r}")
        self.facts = kept
        return "forgotten"

    def _plan(self, _arguments: Mapping[str, str]) -> dict[str, Any]:
        goal = self.part(True)
        if not goal:
            raise ToolError("no goal was stated")
        problem = self.world.problem(self.part(False), goal)
        check(problem, self.world.domain)
        plan = self._solve(self.world.domain, problem)
        if wrong := fault(self.world.domain, problem, plan):
            raise ToolError(wrong if plan else _EMPTY)
        return {"steps": [list(action) for action in plan], "words": self.world.told(plan)}


class ActionBox(ValueBox):
    """The actions of a world, written down one after the other: what a model plans without a planner."""

    kept = ("plan",)

    def __init__(self, world: PlanningWorld) -> None:
        self.plan: tuple[Atom, ...] = ()
        self._given = tuple(
            text_tool(
                name,
                world.acted[name].format(*operator.takes),
                [*operator.takes],
                partial(self._note, name, [*operator.takes]),
            )
            for name, operator in world.domain.operators.items()
        )

    def _note(self, name: str, names: Sequence[str], arguments: Mapping[str, str]) -> str:
        self.plan = (*self.plan, (name, *(arguments[parameter].strip().lower() for parameter in names)))
        return "done"


@dataclass
class Drafting:
    """What is said becomes calls, one a line, then a plan where the tools have a planner.

    `sentences` asks for one sentence after the other. What is corrected is stated again with what the correction says.
    `example` is a task and its right reply, shown first; models of the spoken notation are asked in that.
    """

    about: str
    sentences: bool = False
    example: tuple[str, str] = ("", "")

    name = "drafting"
    bare = True
    edits = True
    prompt_hash = "drafting-1"

    def turn(self, talk: Talk) -> Flow:
        """One task, or one correction of what was made of it."""
        tools = tuple(spec for spec in talk.tools if spec.name != PLAN)
        old = tuple(Call(call.tool, call.arguments) for call in talk.background().amended if call.tool != PLAN)
        if old:
            yield Act(old, Reading(old))
        said = talk.messages[-1].content
        for piece in _SENTENCE.split(said.strip()) if self.sentences else [said]:
            yield from self._stated(talk, tools, piece)
        if len(tools) == len(talk.tools):
            return
        results: Sequence[CallResult] = yield Act((Call(PLAN),), Reading((Call(PLAN),)))
        for result in results:
            yield Say(result.value["words"] if result.ok else f"There is no plan yet: {result.error}.")

    def system_text(self, talk: Talk) -> str:
        """What a model is told that is not of the spoken notation."""
        lines = [f"{signature(spec)}  # {spec.description}" for spec in talk.tools if spec.name != PLAN]
        api = "\n".join(lines)
        return f"{self.about} Say what you are told with these calls, one a line, and nothing else:\n{api}"

    def _stated(self, talk: Talk, tools: tuple[ToolSpec, ...], piece: str) -> Flow:
        said = Message("user", piece)
        if talk.about.strategy == "spoken":
            yield from Spoken(describe=True).turn(Talk(tools, (said,), None, talk.view, talk.about))
            return
        example = (Message("user", self.example[0]), Message("assistant", self.example[1]))
        shown = example if self.example[0] else ()
        reply: Reply = yield Ask((Message("system", self.system_text(talk)), *shown, said))
        reading = read_python(reply.text, tools)
        yield Act(reading.calls, reading)


def lines(stated: Iterable[Fact]) -> str:
    """Facts as the calls that state them, one a line."""
    return "\n".join(f"{GOAL * final}{name}({', '.join(map(repr, values))})" for final, (name, *values) in stated)


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
