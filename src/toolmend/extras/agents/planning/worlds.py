"""The two worlds to plan in, Blocksworld and Grippers: typed STRIPS domains and problems, written out as PDDL, how
facts and actions are said in English (NAME.yaml), and tasks with a plan that a child would make (instances.json).

Whether a list of actions is a plan is checked here, apart from any planner. Knows no planner and no model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from toolmend.base.errors import ToolError
from toolmend.extras.agents.system import shipped

Atom = tuple[str, ...]
"""A predicate or action with its arguments: `("on", "b1", "b2")`."""


@dataclass(frozen=True, slots=True)
class Operator:
    """An action schema: its parameters with their types, what it needs, adds and deletes."""

    takes: Mapping[str, str]
    needs: tuple[Atom, ...]
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]


@dataclass(frozen=True, slots=True)
class Domain:
    """A domain. `predicates` have the types of their arguments; `constants` are in any problem."""

    name: str
    predicates: Mapping[str, tuple[str, ...]]
    operators: Mapping[str, Operator]
    constants: Mapping[str, str]

    @classmethod
    def of(cls, name: str, row: Mapping[str, Any]) -> Domain:
        """The domain that a file writes: `predicates`, `constants`, and `actions` with takes, needs, adds, deletes."""
        operators = {
            action: Operator(said["takes"], *(tuple(tuple(atom.split()) for atom in said[part]) for part in _PARTS))
            for action, said in row["actions"].items()
        }
        predicates = {predicate: tuple(kinds) for predicate, kinds in row["predicates"].items()}
        return cls(name, predicates, operators, row.get("constants", {}))

    def text(self) -> str:
        """The domain as PDDL."""
        kinds = sorted({kind for types in self.predicates.values() for kind in types})
        predicates = " ".join(
            f"({name}{''.join(f' ?a{place} - {kind}' for place, kind in enumerate(types))})"
            for name, types in self.predicates.items()
        )
        constants = f"(:constants {_typed(self.constants)})" if self.constants else ""
        head = f"(:requirements :strips :typing) (:types {' '.join(kinds)}) {constants} (:predicates {predicates})"
        actions = []
        for name, operator in self.operators.items():
            marks = {parameter: f"?{parameter}" for parameter in operator.takes}
            needs, adds, deletes = ([_text(atom) for atom in _bind(getattr(operator, part), marks)] for part in _PARTS)
            taken = _typed({marks[parameter]: kind for parameter, kind in operator.takes.items()})
            effect = " ".join([*adds, *(f"(not {atom})" for atom in deletes)])
            needed = f":precondition (and {' '.join(needs)}) :effect (and {effect})"
            actions.append(f"(:action {name} :parameters ({taken}) {needed})")
        return f"(define (domain {self.name}) {head} {' '.join(actions)})"


@dataclass(frozen=True, slots=True)
class PddlProblem:
    """Objects with their types (constants left out), what holds at first, and what is to hold in the end."""

    objects: Mapping[str, str]
    init: frozenset[Atom]
    goal: frozenset[Atom]

    def text(self, domain: Domain) -> str:
        """The problem as PDDL."""
        init, goal = (" ".join(map(_text, sorted(part))) for part in (self.init, self.goal))
        objects = _typed(dict(sorted(self.objects.items())))
        head = f"(define (problem task) (:domain {domain.name})"
        return f"{head}\n  (:objects {objects})\n  (:init {init})\n  (:goal (and {goal})))"


def check(problem: PddlProblem, domain: Domain) -> None:
    """Raises ToolError for a fact whose arguments are of other types than the domain's."""
    kinds = {**domain.constants, **problem.objects}
    for atom in sorted(problem.init | problem.goal):
        for name, kind in zip(atom[1:], domain.predicates[atom[0]], strict=True):
            if kind != kinds[name]:
                raise ToolError(f"{_text(atom)}: {name} is a {kinds[name]}, and a {kind} is wanted")


def fault(domain: Domain, problem: PddlProblem, plan: Sequence[Atom]) -> str:
    """Why a list of actions is no plan of the problem; "" where it is one. An empty list is none."""
    if not plan:
        return "an empty plan is no plan"
    kinds, state = {**domain.constants, **problem.objects}, set(problem.init)
    for number, (name, *arguments) in enumerate(plan, 1):
        said, operator = f"step {number}, {name}({', '.join(arguments)})", domain.operators.get(name)
        if operator is None:
            return f"{said}: there is no such action"
        if [kinds.get(argument) for argument in arguments] != list(operator.takes.values()):
            return f"{said}: takes {', '.join(operator.takes.values())}"
        bound = dict(zip(operator.takes, arguments, strict=True))
        missing = [atom for atom in _bind(operator.needs, bound) if atom not in state]
        if missing:
            return f"{said}: {_text(missing[0])} does not hold"
        state.difference_update(_bind(operator.deletes, bound))
        state.update(_bind(operator.adds, bound))
    left = sorted(problem.goal - state)
    return f"in the end {_text(left[0])} does not hold" if left else ""


_PARTS = ("needs", "adds", "deletes")


def _bind(atoms: Sequence[Atom], bound: Mapping[str, str]) -> Iterator[Atom]:
    return ((atom[0], *(bound.get(part, part) for part in atom[1:])) for atom in atoms)


def _text(atom: Atom) -> str:
    return f"({' '.join(atom)})"


def _typed(names: Mapping[str, str]) -> str:
    return " ".join(f"{name} - {kind}" for name, kind in names.items())


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
