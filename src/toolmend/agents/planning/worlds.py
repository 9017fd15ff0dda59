"""The two worlds to plan in, Blocksworld and Grippers: their PDDL, how facts and actions are said in English, and
instances of them drawn by seed. Knows no planner and no model.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files

from toolmend.agents.planning.pddl import Atom, Domain, PddlProblem, read_domain
from toolmend.evals.suites.yaml12 import load

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

    def problem(self, init: frozenset[Atom], goal: frozenset[Atom]) -> PddlProblem:
        """The problem of stated facts: its objects are those they speak of, and what follows is added."""
        objects = {
            name: kind
            for atom in sorted(init | goal)
            for name, kind in zip(atom[1:], self.domain.predicates[atom[0]], strict=True)
        }
        return PddlProblem(objects, init | self.complete(objects, init), goal)


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
    problem: PddlProblem

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
_FOLLOWS: Mapping[str, Complete] = {"blocksworld": _clear, "grippers": _free}
WORLDS = tuple(_DRAWN)


@cache
def world_of(name: str) -> PlanningWorld:
    """The world of that name."""
    folder = files("toolmend.agents.planning")
    with as_file(folder.joinpath(f"{name}.yaml")) as path:
        said = load(path)
    domain = read_domain(folder.joinpath(f"{name}.pddl").read_text(encoding="utf-8"))
    return PlanningWorld(domain, said["about"], said["stated"], said["group"], said["acted"], _FOLLOWS[name])
