"""The two worlds to plan in, Blocksworld and Grippers: their PDDL, how facts and actions are said in English, and
instances of them drawn by seed. Knows no planner and no model.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from toolmend.agents.planning.pddl import Atom, Domain, Problem, read_domain

Complete = Callable[[Mapping[str, str], frozenset[Atom]], frozenset[Atom]]
"""What follows from the facts that are stated, which nobody needs to state."""


@dataclass(frozen=True, slots=True)
class PlanningWorld:
    """A domain with its English. `stated` are the predicates a person speaks of: the parameters' names, and how they
    are said of the beginning and of the goal. Of a `group` there is one fact for each first argument."""

    domain: Domain
    about: str
    stated: Mapping[str, Sequence[tuple[str, ...]]]
    group: Mapping[str, str]
    acted: Mapping[str, str]
    complete: Complete

    def told(self, plan: Sequence[Atom]) -> str:
        """A plan in English, one numbered sentence a step."""
        return "\n".join(f"{n}. {self.acted[name].format(*args)}" for n, (name, *args) in enumerate(plan, 1))

    def problem(self, init: frozenset[Atom], goal: frozenset[Atom]) -> Problem:
        """The problem of stated facts: its objects are those they speak of, and what follows is added."""
        objects = {
            name: kind
            for atom in sorted(init | goal)
            for name, kind in zip(atom[1:], self.domain.predicates[atom[0]], strict=True)
        }
        return Problem(objects, init | self.complete(objects, init), goal)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a task with the fact that it states, at first or in the end."""

    text: str
    fact: Atom
    goal: bool


@dataclass(frozen=True, slots=True)
class Instance:
    """A task in English, sentence by sentence, and the problem that it means."""

    world: str
    seed: int
    sentences: tuple[Sentence, ...]
    problem: Problem

    @property
    def text(self) -> str:
        """The whole task."""
        return " ".join(sentence.text for sentence in self.sentences)


def instance(name: str, seed: int) -> Instance:
    """The instance of that world and seed: 3 to 8 blocks, or 2 to 6 balls in 2 to 4 rooms with 1 or 2 robots."""
    rng, world = random.Random(f"{name} {seed}"), world_of(name)
    init, goal = _DRAWN[name](rng)
    while frozenset(goal) <= frozenset(init):
        init, goal = _DRAWN[name](rng)
    sentences = [
        Sentence(rng.choice(world.stated[fact[0]][2 if final else 1]).format(*fact[1:]), fact, final)
        for final, facts in ((False, init), (True, goal))
        for fact in facts
    ]
    return Instance(name, seed, tuple(sentences), world.problem(frozenset(init), frozenset(goal)))


def naive(drawn: Instance) -> list[Atom]:
    """A plan that a child would make: all on the table first, then what is wanted from below; ball after ball."""
    wanted, plan = sorted(drawn.problem.goal), list[Atom]()
    at = {atom[1]: atom[2] for atom in drawn.problem.init if atom[0] in ("on", "ball_at", "robot_at")}
    if drawn.world == "grippers":
        robot = min(thing for thing in at if thing.startswith("robot"))
        for _, ball, room in wanted:
            if at[ball] != room:
                plan += [("move", robot, at[robot], at[ball])] if at[robot] != at[ball] else []
                plan += [("pick", robot, ball, at[ball], "left"), ("move", robot, at[ball], room)]
                plan += [("drop", robot, ball, room, "left")]
                at[ball] = at[robot] = room
        return plan
    while at:
        top = next(block for block in sorted(at) if block not in at.values())
        plan += [("unstack", top, at.pop(top)), ("put_down", top)]
    below = {block: under for _, block, under in wanted}
    while below:
        block = next(block for block in sorted(below) if below[block] not in below)
        plan += [("pick_up", block), ("stack", block, below.pop(block))]
    return plan


def _towers(rng: random.Random, blocks: Sequence[str]) -> list[Atom]:
    """Blocks in one or more towers, in any order of telling."""
    order, facts, below = rng.sample(blocks, len(blocks)), list[Atom](), ""
    for block in order:
        facts.append(("on", block, below) if below and rng.random() < 0.6 else ("on_table", block))
        below = block
    rng.shuffle(facts)
    return facts


def _blocks(rng: random.Random) -> tuple[list[Atom], list[Atom]]:
    blocks = [f"b{number}" for number in range(1, rng.randint(3, 8) + 1)]
    goal = [fact for fact in _towers(rng, blocks) if fact[0] == "on"]
    return _towers(rng, blocks), goal


def _balls(rng: random.Random) -> tuple[list[Atom], list[Atom]]:
    rooms = [f"room{number}" for number in range(1, rng.randint(2, 4) + 1)]
    balls = [f"ball{number}" for number in range(1, rng.randint(2, 6) + 1)]
    robots = [f"robot{number}" for number in range(1, rng.randint(1, 2) + 1)]
    init: list[Atom] = [("robot_at", robot, rng.choice(rooms)) for robot in robots]
    init += [("ball_at", ball, rng.choice(rooms)) for ball in balls]
    goal: list[Atom] = [("ball_at", ball, rng.choice(rooms)) for ball in rng.sample(balls, rng.randint(1, len(balls)))]
    return init, goal


def _clear(objects: Mapping[str, str], init: frozenset[Atom]) -> frozenset[Atom]:
    covered = {atom[2] for atom in init if atom[0] == "on"}
    return frozenset({("arm_empty",), *(("clear", name) for name in sorted({atom[1] for atom in init} - covered))})


def _free(objects: Mapping[str, str], init: frozenset[Atom]) -> frozenset[Atom]:
    robots = [name for name, kind in objects.items() if kind == "robot"]
    return frozenset(("free", robot, hand) for robot in robots for hand in ("left", "right"))


_DRAWN = {"blocksworld": _blocks, "grippers": _balls}
WORLDS = tuple(_DRAWN)


@cache
def world_of(name: str) -> PlanningWorld:
    """The world of that name."""
    text = files("toolmend.agents.planning").joinpath(f"{name}.pddl").read_text(encoding="utf-8")
    return PlanningWorld(read_domain(text), *_ENGLISH[name])


_Texts = Mapping[str, str]
_ENGLISH: Mapping[str, tuple[str, Mapping[str, Sequence[tuple[str, ...]]], _Texts, _Texts, Complete]] = {
    "blocksworld": (
        "Blocks stand on a table or on each other. An arm holds one block at a time and takes only what is clear.",
        {
            "on": (
                ("block", "below"),
                ("{0} is on top of {1}.", "{0} stands on {1}.", "On {1} there is {0}."),
                ("{0} should be on top of {1}.", "In the end {0} must stand on {1}.", "I want {0} on {1}."),
            ),
            "on_table": (
                ("block",),
                ("{0} is on the table.", "{0} stands on the table.", "On the table there is {0}."),
                ("{0} should be on the table.", "In the end {0} must stand on the table.", "I want {0} on the table."),
            ),
        },
        {"on": "place", "on_table": "place"},
        {
            "pick_up": "Take {0} from the table.",
            "put_down": "Put {0} on the table.",
            "stack": "Put {0} on {1}.",
            "unstack": "Take {0} off {1}.",
        },
        _clear,
    ),
    "grippers": (
        "Robots with two grippers each, left and right, carry balls from room to room.",
        {
            "robot_at": (
                ("robot", "room"),
                ("{0} is in {1}.", "In {1} there is {0}.", "{0} starts in {1}."),
                ("{0} should be in {1}.", "In the end {0} must be in {1}.", "I want {0} in {1}."),
            ),
            "ball_at": (
                ("ball", "room"),
                ("{0} is in {1}.", "In {1} there is {0}.", "{0} lies in {1}."),
                ("{0} should be in {1}.", "In the end {0} must lie in {1}.", "I want {0} in {1}."),
            ),
        },
        {"robot_at": "robot", "ball_at": "ball"},
        {
            "move": "{0} goes from {1} to {2}.",
            "pick": "{0} takes {1} in {2} with its {3} gripper.",
            "drop": "{0} puts {1} down in {2} from its {3} gripper.",
        },
        _free,
    ),
}
