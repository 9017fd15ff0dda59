"""Suite `household`: 36 tasks of the six kinds of ALFWorld in houses made here, by ReAct or Reflexion.

An answer is every trial as a list of actions; the last is done again in a new house, and what that comes to is judged.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from toolmend.agents.bench import Bench
from toolmend.agents.system import AgentSystem, AgentTask, PublishedFigure, Scored
from toolmend.agents.thinking.household import LAMP_PLACE, OPENABLE, PLACES, THINGS, Household, kind
from toolmend.agents.thinking.trials import Heuristic, ReActWay, ReflexionWay, Watched, memory_of, told_trial
from toolmend.messages import Call, Message, Request
from toolmend.models import Model
from toolmend.models.scripted import Scripted
from toolmend.session.guards import Limits

Actions = list[list[Any]]
_MANNERS = {"clean": "sinkbasin 1", "heat": "microwave 1", "cool": "fridge 1"}
_ABLE = {
    "pick": ("mug", "plate", "bowl", "spoon", "book", "pen"),
    "look": ("mug", "book", "pen", "cellphone", "bowl"),
    "clean": ("mug", "plate", "bowl", "spoon", "knife", "apple", "tomato", "potato"),
    "heat": ("mug", "plate", "apple", "tomato", "potato"),
    "cool": ("mug", "plate", "bowl", "apple", "tomato", "potato"),
    "two": ("mug", "plate", "bowl", "spoon", "book", "pen"),
}
_TARGETS = ("cabinet", "drawer", "countertop", "diningtable", "shelf", "desk")
_EACH = 6
_MOST = 200
_REFLECT = (
    "This trial failed. In a few sentences: what went wrong, and what is your plan for the next trial? "
    "Begin with: Plan:"
)


class HouseholdTasks(AgentSystem):
    """The tasks."""

    name = "household"
    about = "36 tasks of six kinds in a small household in words, in ALFWorld's form, made here"
    ways: Mapping[str, Any] = {"react": ReActWay, "reflexion": ReflexionWay}
    steps = 300
    beside = (
        PublishedFigure(
            "ALFWorld, ReAct with Reflexion", "130 of 134", "Shinn et al. 2023, arXiv 2303.11366, section 4.1"
        ),
        PublishedFigure("ALFWorld, ReAct", "70.9 %", "the same, as run by its authors"),
    )

    def tasks(self) -> Sequence[AgentTask]:
        """Six of each kind."""
        return [_task(how, number) for how in _ABLE for number in range(_EACH)]

    def oracle(self, task: AgentTask, way: Any) -> Model:
        """It does what a plan says that knows where everything is."""
        actions = _plan(task)

        def next_step(request: Request) -> str:
            done = sum(message.role == "assistant" for message in request.messages)
            if done >= len(actions):
                return "Thought: nothing is left to do\nFinal Answer: Done."
            name, arguments = actions[done]
            return f"Thought: this is next\nAction: {name}\nAction Input: {json.dumps(arguments)}"

        return Scripted(next_step, "scripted/oracle")

    def reference(self, task: AgentTask) -> list[Actions]:
        """One trial that is right."""
        return [_plan(task)]

    def mutants(self, task: AgentTask) -> Iterator[tuple[str, Any]]:
        """Trials that leave one step out, or end elsewhere."""
        right = _plan(task)
        for place in range(len(right)):
            yield "one step left out", [right[:place] + right[place + 1 :]]
        yield "in the wrong place", [[*right[:-1], ["go_to", {"place": "garbagecan 1"}], *right[-1:]]]
        other = next(thing for thing in THINGS if kind(thing) != task.data["thing"])
        renamed = [[name, {**given, "thing": other} if "thing" in given else given] for name, given in right]
        yield "another thing", [renamed]
        if task.data["how"] != "look":
            yield "taken away again", [[*right, ["take", dict(right[-1][1])]]]
        yield "right, then a trial that is not", [right, []]
        yield "not a trial", "done"
        yield "tools that are not there", [[["finish", {}], ["win", {"thing": "mug 1"}]]]

    async def solve(self, bench: Bench, task: AgentTask, way: Any) -> list[Actions]:
        """Trials, until one reaches the goal or none is left."""
        trials: list[Actions] = []
        bench.answer, reflections = trials, list[str]()
        for number in range(way.trials):
            house = Household(task.data["seed"])
            watched = Watched(Heuristic(way.heuristic), lambda house=house: _reached(task, house))  # type: ignore[misc]
            limits = Limits(rounds=100, repeats=1000)
            talk = bench.session(house, watched, system=memory_of(reflections) or None, limits=limits)
            answer = await talk.arequest(task.say)
            trials.append([[call.tool, dict(call.arguments)] for call in answer.calls])
            if _reached(task, house) or number == way.trials - 1:
                break
            log = f"{task.say}\n{told_trial(list(answer.calls), list(answer.results))}"
            said = await bench.ask([Message("user", f"{log}\n{_REFLECT}")], role="reflect")
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


def _task(how: str, number: int) -> AgentTask:
    seed = f"{how} {number}"
    drawn = random.Random(seed)
    thing = drawn.choice(_ABLE[how])
    there = {kind(place) for name, place in Household(seed).where.items() if kind(name) == thing}
    target = "" if how == "look" else drawn.choice([place for place in _TARGETS if place not in there])
    goal = {
        "pick": f"put a {thing} in or on a {target}",
        "look": f"look at a {thing} in the light of the desklamp",
        "two": f"put two {thing}s in or on the same {target}",
    }.get(how, f"{how} a {thing} and put it in or on a {target}")
    say = f"You are in the middle of a room. Looking round you see {', '.join(PLACES)}. Your task is to: {goal}."
    return AgentTask(f"{how}-{number}", say, how, {"seed": seed, "how": how, "thing": thing, "target": target})


def _reached(task: AgentTask, house: Household) -> bool:
    """Whether the goal of a task is reached in this house."""
    how, thing, target = (task.data[name] for name in ("how", "thing", "target"))
    if how == "look":
        return bool(house.lit) and kind(house.lit) == thing and house.held == house.lit
    places = [
        place
        for name, place in house.where.items()
        if kind(name) == thing and kind(place) == target and (how not in _MANNERS or house.done.get(name) == how)
    ]
    return any(places.count(place) >= (2 if how == "two" else 1) for place in places)


def _plan(task: AgentTask) -> Actions:
    """The fewest actions that reach the goal, by somebody who knows where everything is."""
    how, wanted, target = (task.data[name] for name in ("how", "thing", "target"))
    house, plan = Household(task.data["seed"]), list[list[Any]]()

    def act(name: str, **given: Any) -> None:
        if name == "go_to" and given["place"] == house.at:
            return
        plan.append([name, given])
        house.run_sync(Call(name, given))
        if name == "go_to" and kind(house.at) in OPENABLE and house.at not in house.open and house.at not in aside:
            act("open_place", place=house.at)

    aside = {_MANNERS.get(how, "")}  # heating and cooling need no open door, as in ALFWorld
    things = [thing for thing in THINGS if kind(thing) == wanted][: 2 if how == "two" else 1]
    end = next((place for place in PLACES if kind(place) == target), "")
    for thing in things:
        place = house.where[thing]
        aside -= {place, end}
        act("go_to", place=place)
        act("take", thing=thing, place=place)
        if how in _MANNERS:
            aside = {_MANNERS[how]}
            act("go_to", place=_MANNERS[how])
            act(how, thing=thing)
        act("go_to", place=end or LAMP_PLACE)
        act(*("use_lamp",) if how == "look" else ("put",), **({} if how == "look" else {"thing": thing, "place": end}))
    return plan
