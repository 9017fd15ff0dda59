"""Suite `challenges`: three things that agents are said to be bad at, measured. Long plans in which a tool fails once
in the middle, beside the same in which none does; a fact before a long history; replies that cannot be read.

The survey's list (Weng 2023, "LLM Powered Autonomous Agents", section Challenges) gives no numbers.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from toolmend.base.errors import ModelError, ToolError
from toolmend.base.events import Called, Guarded
from toolmend.base.messages import Call, Request
from toolmend.extras.agents.bench import Bench
from toolmend.extras.agents.system import AgentSystem, AgentTask, Scored, shipped
from toolmend.extras.agents.text_tools import text_tool
from toolmend.models import Model
from toolmend.models.scripted import Scripted
from toolmend.reading import render
from toolmend.session.guards import Limits
from toolmend.strategies.react import React
from toolmend.tools.toolboxes.valued import ValueBox

BUSY = "the workshop is busy for a moment; the same call works in a second"
AGAIN = "Do that again."
_HISTORIES = (1000, 2000, 4000, 8000)
_EACH = 4
_THINGS = ("chair", "table", "lamp", "vase", "shelf", "mirror", "stool", "frame", "bench", "clock", "basket", "box")
_COLOURS = ("red", "green", "blue", "white", "black", "yellow")
_ROOMS = ("hall", "kitchen", "attic", "garage", "study")
_TOKENS_OF_A_LINE = 15


class FailingWorkshop(ValueBox):
    """Things are painted, moved and packed. The call number `fails` (from 0) of those that succeed is refused once."""

    kept = ("done",)

    def __init__(self, fails: int | None = None) -> None:
        self.done: tuple[tuple[str, Mapping[str, str]], ...] = ()
        self.fails = fails
        self._given = (
            text_tool("paint", "Paint a thing in a colour.", ["thing", "colour"], partial(self._do, "paint")),
            text_tool("move", "Move a thing to a room.", ["thing", "room"], partial(self._do, "move")),
            text_tool("pack", "Pack a thing.", ["thing"], partial(self._do, "pack")),
        )

    def state(self) -> list[list[Any]]:
        """What was done, as JSON-able data."""
        return [[name, dict(given)] for name, given in self.done]

    def _do(self, name: str, given: Mapping[str, str]) -> str:
        if self.fails == len(self.done):
            self.fails = None
            raise ToolError(BUSY)
        said = {name: value.removeprefix("the ") for name, value in given.items()}  # "the vase" is no other vase
        self.done = (*self.done, (name, said))
        return "done"


@dataclass
class AtOnce:
    """The whole plan is one request, and the model goes through with it by itself, by ReAct."""


@dataclass
class StepByStep:
    """Every step is said by itself, and again where it was refused, to the model asked in the way that is its own."""


class Challenges(AgentSystem):
    """The tasks."""

    name = "challenges"
    about = "plans of 2 to 32 steps in which a tool fails once or never, and a fact before 1k to 8k tokens of history"
    ways: Mapping[str, Any] = {"at_once": AtOnce, "step_by_step": StepByStep}
    steps = 100

    def tasks(self) -> Sequence[AgentTask]:
        """Four of each kind and length."""
        tasks = [
            _plan_task(length, number, text, fails=fails)
            for length, texts in shipped("thinking/challenges.json").items()
            for fails in (False, True)
            for number, text in enumerate(texts)
        ]
        return tasks + [_history_task(tokens, number) for tokens in _HISTORIES for number in range(_EACH)]

    def oracle(self, task: AgentTask, way: Any) -> Model:
        """It makes the next call of the plan, and a refused one again."""
        plan = [Call(name, given) for name, given in task.data["plan"]]

        def next_step(request: Request) -> str:
            said = [message.content for message in request.messages if message.role == "user"]
            if isinstance(way, AtOnce):
                done = sum(line.startswith("Observation:") and BUSY not in line for line in said)
                if done == len(plan):
                    return "Final Answer: Done."
                return f"Action: {plan[done].tool}\nAction Input: {json.dumps(dict(plan[done].arguments))}"
            return render(plan[sum(line != AGAIN for line in said) - 1])

        return Scripted(next_step, "scripted/oracle")

    def reference(self, task: AgentTask) -> list[list[Any]]:
        """The plan."""
        return [list(step) for step in task.data["plan"]]

    async def solve(self, bench: Bench, task: AgentTask, way: Any) -> list[list[Any]]:
        """Say the plan and see what becomes of it."""
        world, plan = FailingWorkshop(task.data["fails"]), task.data
        limits = Limits(rounds=120, calls=64)
        try:
            if isinstance(way, AtOnce):
                talk = bench.session(world, React(steps=2 * len(plan["plan"]) + 6), limits=limits)
                await talk.arequest(task.say)
            else:
                talk = bench.session(world, bench.model.abilities.strategy, limits=limits)
                for words in plan["words"]:
                    begun = len(bench.events)
                    await talk.arequest(words)
                    if any(isinstance(event, Called) and event.result.error == BUSY for event in bench.events[begun:]):
                        await talk.arequest(AGAIN)
        except ModelError as error:
            if error.retryable:
                raise
            # Too much history for its window, say: that is its result.
            bench.note(Guarded(bench.turn, "no_reply", str(error)))
        return world.state()

    def score(self, task: AgentTask, answer: Any) -> Scored:
        """1 where exactly the plan was done, in its order; `progress` is the share before the first wrong step."""
        plan = self.reference(task)
        done = answer if isinstance(answer, list) else []
        right = next((place for place, step in enumerate(plan) if done[place : place + 1] != [step]), len(plan))
        whole = right == len(plan) and len(done) == len(plan)
        return Scored(float(whole), "" if whole else f"{right} of {len(plan)} steps", {"progress": right / len(plan)})


def _call(words: str) -> list[Any]:
    """The call of a sentence: Paint the vase red. Move the vase to the hall. Pack the vase."""
    name, _, thing, *rest = words.rstrip(".").lower().split()
    other = {"paint": "colour", "move": "room"}.get(name)
    return [name, {"thing": thing, other: rest[-1]} if other else {"thing": thing}]


def _plan_task(length: str, number: int, text: str, *, fails: bool) -> AgentTask:
    words = re.findall(r"[^.]+\.", text.replace(". ", "."))
    listed = "\n".join(f"{place}. {line}" for place, line in enumerate(words, 1))
    group = f"{length} steps" + ", one fails once" * fails
    say = f"Do all of this, one after the other, in this order:\n{listed}"
    data = {"plan": list(map(_call, words)), "words": words, "fails": len(words) // 2 if fails else None}
    return AgentTask(f"{group}/{number}", say, group, data)


def _history_task(tokens: int, number: int) -> AgentTask:
    drawn = random.Random(f"history {tokens} {number}")
    thing, colour = drawn.choice(_THINGS), drawn.choice(_COLOURS)
    others = [other for other in _THINGS if other != thing]
    notes = [f"- The colour that was agreed on for the {thing} is {colour}."] + [
        f"- Day {day}: the {drawn.choice(others)} was looked at in the {drawn.choice(_ROOMS)}; no change."
        for day in range(1, tokens // _TOKENS_OF_A_LINE)
    ]
    say = "Notes so far:\n" + "\n".join(notes) + f"\nNow paint the {thing} in the colour that was agreed on."
    group = f"{tokens // 1000}k of history"
    data = {"plan": [["paint", {"thing": thing, "colour": colour}]], "words": [say], "fails": None}
    return AgentTask(f"{group}/{number}", say, group, data)
