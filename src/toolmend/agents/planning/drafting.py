"""English → PDDL: a problem that is written fact by fact, and the strategy by which a model writes it.

Each fact is a call, so that it is an event, can be undone and corrected in English like any other; stating where a
thing is replaces where it was. Knows no task and no score.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from toolmend.agents.planning.pddl import Atom, Domain, PddlProblem, check, fault
from toolmend.agents.planning.worlds import Fact, PlanningWorld
from toolmend.agents.world import ValueBox, text_tool
from toolmend.errors import ToolError
from toolmend.messages import Call, CallResult, Message, Reply, ToolSpec
from toolmend.reading import Reading, read_python
from toolmend.strategies import Act, Ask, Flow, Say, Talk
from toolmend.strategies.signature import signature
from toolmend.strategies.spoken import Spoken

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
                name, world.acted[name].format(*each.takes), [*each.takes], partial(self._note, name, [*each.takes])
            )
            for name, each in world.domain.operators.items()
        )

    def _note(self, name: str, names: Sequence[str], arguments: Mapping[str, str]) -> str:
        self.plan = (*self.plan, (name, *(arguments[each].strip().lower() for each in names)))
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
