"""Suite `household`: 36 tasks of the six kinds of ALFWorld (Shridhar et al. 2021) in a household in words, made here,
by ReAct or Reflexion. Somebody walks from place to place, opens, takes, cleans, heats, cools and puts; what cannot be
done gives "Nothing happens.", as there. The same seed lays the same house.

A trial is ReAct with an eye on it: a heuristic stops it, and each failure is told to the next in words (Shinn et al.
2023, arXiv 2303.11366). An answer is every trial as a list of actions; the last is done again and judged.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from toolmend.base.messages import Call, CallResult, Request
from toolmend.extras.agents.bench import Bench
from toolmend.extras.agents.system import AgentSystem, AgentTask, Scored, shipped
from toolmend.extras.agents.text_tools import text_tool
from toolmend.models import Model
from toolmend.models.scripted import Scripted
from toolmend.session import Answer
from toolmend.session.guards import Limits
from toolmend.strategies import Act, Flag, Flow, Say, Talk
from toolmend.strategies.react import React
from toolmend.tools.toolboxes.valued import ValueBox

NOTHING = "Nothing happens."
OPENABLE = ("cabinet", "drawer", "fridge", "microwave")
PLACES = (
    *(f"cabinet {n}" for n in range(1, 5)),
    *(f"drawer {n}" for n in range(1, 4)),
    *("fridge 1", "microwave 1", "sinkbasin 1", "countertop 1", "countertop 2", "diningtable 1"),
    *("shelf 1", "desk 1", "garbagecan 1"),
)
THINGS = (
    *("mug 1", "mug 2", "plate 1", "plate 2", "bowl 1", "bowl 2", "apple 1", "apple 2", "tomato 1", "tomato 2"),
    *("potato 1", "potato 2", "spoon 1", "spoon 2", "knife 1", "book 1", "book 2", "pen 1", "pen 2", "cellphone 1"),
)
APPLIANCES = {"clean": "sinkbasin 1", "heat": "microwave 1", "cool": "fridge 1"}
LAMP, LAMP_PLACE = "desklamp 1", "desk 1"
_TOOLS = {
    "go_to": ("place", "Walk to a place, such as cabinet 1; tells what is there."),
    "open_place": ("place", "Open the closed place where you are."),
    "close_place": ("place", "Close the open place where you are."),
    "take": ("thing place", "Take a thing, such as mug 1, from the place where you are; you can hold one."),
    "put": ("thing place", "Put the thing that you hold in or on the place where you are."),
    "clean": ("thing", "Clean the thing that you hold, at the sinkbasin."),
    "heat": ("thing", "Heat the thing that you hold, at the microwave."),
    "cool": ("thing", "Cool the thing that you hold, at the fridge."),
    "use_lamp": ("", "Turn on the desklamp, at the desk; what you hold is seen in its light."),
    "look": ("", "What is here, and what you hold."),
}


def kind(name: str) -> str:
    """What a thing or place is: `mug` of `mug 2`."""
    return name.rpartition(" ")[0]


class Household(ValueBox):
    """The house of a seed. `where` is the place of every thing ("hand" for the one that is held), `done` what was done
    to it last (clean, heat, cool), `lit` what was held under the lamp."""

    kept = ("at", "open", "where", "done", "lit")

    def __init__(self, seed: str = "1") -> None:
        drawn = random.Random(f"household {seed}")
        rooms = [place for place in PLACES if kind(place) not in ("microwave", "garbagecan")]
        self.where: Mapping[str, str] = {thing: drawn.choice(rooms) for thing in THINGS}
        self.at, self.open = "", frozenset[str]()
        self.done: Mapping[str, str] = {}
        self.lit = ""
        self._given = tuple(
            text_tool(name, about, takes.split(), partial(self._act, name), "read" if name == "look" else "write")
            for name, (takes, about) in _TOOLS.items()
        )

    def state(self) -> Mapping[str, Any]:
        """The world as JSON-able data."""
        return {**dict(zip(self.kept, self.snapshot(), strict=True)), "open": sorted(self.open)}

    @property
    def held(self) -> str:
        """The thing in the hand, "" for none."""
        return next((thing for thing, place in self.where.items() if place == "hand"), "")

    def _act(self, name: str, given: Mapping[str, str]) -> str:
        place, thing = given.get("place", ""), given.get("thing", "")
        match name:
            case "go_to" if place in PLACES and place != self.at:
                self.at = place
                return self._seen()
            case "open_place" if place == self.at and kind(place) in OPENABLE and place not in self.open:
                self.open |= {place}
                return f"You open the {place}. {self._seen()}"
            case "close_place" if place == self.at and place in self.open:
                self.open -= {place}
                return f"You close the {place}."
            case "take" if not self.held and self.where.get(thing) == place == self.at and self._reached():
                self.where = {**self.where, thing: "hand"}
                return f"You pick up the {thing} from the {place}."
            case "put" if thing and thing == self.held and place == self.at and self._reached():
                self.where = {**self.where, thing: place}
                return f"You put the {thing} in/on the {place}."
            case "clean" | "heat" | "cool" if thing and thing == self.held and self.at == APPLIANCES[name]:
                self.done = {**self.done, thing: name}
                return f"You {name} the {thing} with the {self.at}."
            case "use_lamp" if self.at == LAMP_PLACE:
                self.lit = self.held
                return f"You turn on the {LAMP}."
            case "look":
                holding = f" You hold the {self.held}." if self.held else ""
                return (self._seen() if self.at else "You are in the middle of the room.") + holding
        return NOTHING

    def _reached(self) -> bool:
        return kind(self.at) not in OPENABLE or self.at in self.open

    def _seen(self) -> str:
        if not self._reached():
            return f"The {self.at} is closed."
        there = [thing for thing in THINGS if self.where[thing] == self.at]
        there += [LAMP] if self.at == LAMP_PLACE else []
        return f"At the {self.at} you see {', '.join(there) or 'nothing'}."


Actions = list[list[Any]]
Named = Literal["published", "coded"]
REMEMBERED = 3
_MOST = 200
_REFLECT = (
    "This trial failed. In a few sentences: what went wrong, and what is your plan for the next trial? "
    "Begin with: Plan:"
)


@dataclass
class Heuristic:
    """When a trial leads nowhere; told every action with what came of it, in order.

    `published` (section 3): the same action with the same observation more than three times in a row (hallucination),
    or more than 30 actions (inefficient planning). `coded` (alfworld_runs/env_history.py): any action twice in a row,
    whatever came of it, or 49 actions.
    """

    kind: Named = "published"
    actions: int = 0
    same: int = 0
    last: object = None

    def stops(self, call: Call, result: CallResult) -> str:
        """Why the trial is to end; "" where it may go on."""
        published = self.kind == "published"
        acted = (call.tool, repr(sorted(call.arguments.items())))
        cycle: object = (acted, repr(result.value), result.error) if published else acted
        self.same, self.last = (self.same + 1 if cycle == self.last else 1), cycle
        self.actions += 1
        if self.same > (3 if published else 1):
            return "hallucination"
        return "inefficient planning" if self.actions >= (31 if published else 49) else ""


@dataclass
class Watched(React):
    """A strategy for one trial: ReAct until the goal is reached, or the heuristic stops it."""

    steps: int = 60
    heuristic: Heuristic = field(default_factory=Heuristic)
    reached: Callable[[], bool] = lambda: False

    def turn(self, talk: Talk) -> Flow:
        """One trial."""
        flow, sent = super().turn(talk), None
        while True:
            try:
                step = flow.send(sent)
            except StopIteration:
                return
            sent = yield step
            for call, result in zip(step.calls, sent, strict=False) if isinstance(step, Act) else ():
                if self.reached():
                    yield Say("The goal is reached.")
                    return
                if reason := self.heuristic.stops(call, result):
                    yield Flag("trial_stopped", f"{reason}, as {self.heuristic.kind}")
                    return


@dataclass
class ReActWay:
    """One trial; `heuristic` says when it is stopped."""

    heuristic: Named = "published"
    trials: int = field(default=1, metadata={"least": 1, "most": 1})


@dataclass
class ReflexionWay(ReActWay):
    """So many trials at most, each with the reflections on those before."""

    trials: int = field(default=4, metadata={"least": 1, "most": 20})


class HouseholdTasks(AgentSystem):
    """The tasks."""

    name = "household"
    about = "36 tasks of six kinds in a small household in words, in ALFWorld's form, made here"
    ways: Mapping[str, Any] = {"react": ReActWay, "reflexion": ReflexionWay}
    steps = 300

    def tasks(self) -> Sequence[AgentTask]:
        """Six of each kind."""
        return [_task(row["id"], row["thing"], row["target"]) for row in shipped("thinking/household.json")]

    def oracle(self, task: AgentTask, way: Any) -> Model:
        """It does what a plan says that knows where everything is."""
        [actions] = self.reference(task)

        def next_step(request: Request) -> str:
            done = sum(message.role == "assistant" for message in request.messages)
            if done >= len(actions):
                return "Thought: nothing is left to do\nFinal Answer: Done."
            name, arguments = actions[done]
            return f"Thought: this is next\nAction: {name}\nAction Input: {json.dumps(arguments)}"

        return Scripted(next_step, "scripted/oracle")

    def reference(self, task: AgentTask) -> list[Actions]:
        """One trial that is right: the fewest actions of somebody who knows where everything is."""
        return [next(row["plan"] for row in shipped("thinking/household.json") if row["id"] == task.id)]

    async def solve(self, bench: Bench, task: AgentTask, way: Any) -> list[Actions]:
        """Trials, until one reaches the goal or none is left."""
        trials: list[Actions] = []
        bench.answer, reflections = trials, list[str]()
        for number in range(way.trials):
            house = Household(task.data["seed"])
            watched = Watched(heuristic=Heuristic(way.heuristic), reached=lambda house=house: _reached(task, house))  # type: ignore[misc]
            limits = Limits(rounds=100, repeats=1000)
            talk = bench.session(house, watched, system=memory_of(reflections) or None, limits=limits)
            answer = await talk.arequest(task.say)
            trials.append([[call.tool, dict(call.arguments)] for call in answer.calls])
            if _reached(task, house) or number == way.trials - 1:
                break
            said = await bench.ask(f"{task.say}\n{_told(answer)}\n{_REFLECT}", role="reflect")
            reflections.append(said.text.strip())
        return trials

    def score(self, task: AgentTask, answer: Any) -> Scored:
        """1 where the last trial, done again, reaches the goal."""
        if not isinstance(answer, list) or not answer or not isinstance(answer[-1], list):
            return Scored(0.0, "no trial")
        house = Household(task.data["seed"])
        for action in answer[-1][:_MOST]:
            if isinstance(action, list) and len(action) == 2 and isinstance(action[1], dict):
                house.run_sync(Call(str(action[0]), action[1]))
        right = _reached(task, house)
        figures = {"trials": float(len(answer)), "right at once": float(right and len(answer) == 1)}
        return Scored(float(right), "" if right else "the goal is not reached", figures)


def memory_of(reflections: list[str]) -> str:
    """What a trial is told of those before it: the last three reflections."""
    kept = reflections[-REMEMBERED:]
    return "" if not kept else "You tried before and failed. Your plans for this time:\n" + "\n".join(kept)


def _told(answer: Answer) -> str:
    """A trial in lines: what was done, and what came of it."""
    lines = []
    for call, result in zip(answer.calls, answer.results, strict=True):
        shown = ", ".join(map(str, call.arguments.values()))
        lines.append(f"> {call.tool} {shown}\n{result.value if result.ok else result.error}")
    return "\n".join(lines)


def _task(name: str, thing: str, target: str) -> AgentTask:
    how = name.partition("-")[0]
    goal = {
        "pick": f"put a {thing} in or on a {target}",
        "look": f"look at a {thing} in the light of the desklamp",
        "two": f"put two {thing}s in or on the same {target}",
    }.get(how, f"{how} a {thing} and put it in or on a {target}")
    say = f"You are in the middle of a room. Looking round you see {', '.join(PLACES)}. Your task is to: {goal}."
    data = {"seed": name.replace("-", " "), "how": how, "thing": thing, "target": target}
    return AgentTask(name, say, how, data)


def _reached(task: AgentTask, house: Household) -> bool:
    """Whether the goal of a task is reached in this house."""
    how, thing, target = (task.data[name] for name in ("how", "thing", "target"))
    if how == "look":
        return bool(house.lit) and kind(house.lit) == thing and house.held == house.lit
    places = [
        place
        for name, place in house.where.items()
        if kind(name) == thing and kind(place) == target and (how not in APPLIANCES or house.done.get(name) == how)
    ]
    return any(places.count(place) >= (2 if how == "two" else 1) for place in places)
