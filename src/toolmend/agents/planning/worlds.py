"""The two worlds to plan in, Blocksworld and Grippers: their domains, how facts and actions are said in English
(NAME.yaml), and tasks in them with a plan that a child would make (instances.json). Knows no planner and no model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from toolmend.agents.planning.pddl import Atom, Domain, PddlProblem
from toolmend.agents.system import shipped

WORLDS = ("blocksworld", "grippers")
Fact = tuple[bool, Atom]
"""What holds in the beginning, or (True) is to hold in the end."""


@dataclass(frozen=True, slots=True)
class PlanningWorld:
    """A domain with its English. `stated` are the predicates a person speaks of: the parameters' names, and how they
    are said of the beginning and of the goal. Of a `group` there is one fact for each first argument."""

    domain: Domain
    about: str
    stated: Mapping[str, Sequence[tuple[str, ...]]]
    group: Mapping[str, str]
    acted: Mapping[str, str]

    def told(self, plan: Sequence[Atom]) -> str:
        """A plan in English, one numbered sentence a step."""
        return "\n".join(f"{n}. {self.acted[name].format(*args)}" for n, (name, *args) in enumerate(plan, 1))

    def problem(self, init: Sequence[Atom], goal: Sequence[Atom]) -> PddlProblem:
        """The problem of stated facts: its objects are those they speak of, and what follows is added, as nobody needs
        to state it: what has nothing on it is clear, who holds nothing is free."""
        objects = {
            name: kind
            for atom in sorted({*init, *goal})
            for name, kind in zip(atom[1:], self.domain.predicates[atom[0]], strict=True)
        }
        follows: set[Atom] = set()
        if "clear" in self.domain.predicates:
            covered = {atom[2] for atom in init if atom[0] == "on"}
            follows = {("arm_empty",), *(("clear", name) for name in {atom[1] for atom in init} - covered)}
        for name, kind in objects.items():
            follows |= {("free", name, "left"), ("free", name, "right")} if kind == "robot" else set()
        return PddlProblem(objects, frozenset(init) | follows, frozenset(goal))


@dataclass(frozen=True, slots=True)
class Instance:
    """A task in English, each sentence with the fact that it states, and a plan that solves it."""

    world: str
    told: Mapping[str, Fact]
    plan: tuple[Atom, ...]

    @property
    def text(self) -> str:
        """The whole task."""
        return " ".join(self.told)

    def facts(self, final: bool) -> list[Atom]:
        """What the task states of the beginning, or of the end."""
        return sorted(atom for goal, atom in self.told.values() if goal == final)

    @property
    def problem(self) -> PddlProblem:
        """The problem that it means."""
        return world_of(self.world).problem(self.facts(False), self.facts(True))


@cache
def instance(name: str, number: int) -> Instance:
    """The instance of that world and number: 3 to 8 blocks, or 2 to 6 balls in 2 to 4 rooms with 1 or 2 robots."""
    row = shipped("planning/instances.json")[name][number]
    told = {text: (fact.startswith("goal "), tuple(fact.removeprefix("goal ").split())) for text, fact in row["told"]}
    return Instance(name, told, tuple(tuple(step.split()) for step in row["plan"]))


@cache
def world_of(name: str) -> PlanningWorld:
    """The world of that name."""
    said = shipped(f"planning/{name}.yaml")
    return PlanningWorld(Domain.of(name, said), *(said[part] for part in ("about", "stated", "group", "acted")))
