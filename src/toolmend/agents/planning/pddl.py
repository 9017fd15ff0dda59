"""PDDL as far as it is needed: typed STRIPS domains, problems, and whether a list of actions is a plan.

Validated here, apart from any planner, so that what a planner or a model calls a plan is checked by somebody else.
Whatever is wrong with a text is a BadPddl that says where. Knows no planner, no English and no model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolmend.errors import ToolError

Atom = tuple[str, ...]
"""A predicate or action with its arguments: `("on", "b1", "b2")`."""

_TOKEN = re.compile(r"[()]|[^\s();]+|;[^\n]*")
_ROOT = "object"


class BadPddl(ToolError):
    """A text that is no PDDL, or speaks of what the domain does not have."""


@dataclass(frozen=True, slots=True)
class Operator:
    """An action schema: its parameters with their types, what it needs, adds and deletes."""

    name: str
    parameters: tuple[tuple[str, str], ...]
    needs: tuple[Atom, ...]
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]


@dataclass(frozen=True, slots=True)
class Domain:
    """A domain with its text. `predicates` have the types of their arguments; `constants` are in any problem."""

    name: str
    text: str
    predicates: Mapping[str, tuple[str, ...]]
    operators: Mapping[str, Operator]
    constants: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PddlProblem:
    """Objects with their types (constants left out), what holds at first, and what is to hold in the end."""

    objects: Mapping[str, str]
    init: frozenset[Atom]
    goal: frozenset[Atom]

    def text(self, domain: Domain) -> str:
        """The problem as PDDL."""
        objects = " ".join(f"{name} - {kind}" for name, kind in sorted(self.objects.items()))
        init, goal = (" ".join(f"({' '.join(atom)})" for atom in sorted(part)) for part in (self.init, self.goal))
        head = f"(define (problem task) (:domain {domain.name})"
        return f"{head}\n  (:objects {objects})\n  (:init {init})\n  (:goal (and {goal})))"


def read_domain(text: str) -> Domain:
    """A domain of typed STRIPS. Raises BadPddl."""
    sections = _sections(text, "domain")
    predicates = {str(each[0]): tuple(kind for _, kind in _typed(each[1:])) for each in sections.get(":predicates", [])}
    operators = {}
    for name, *rest in sections.get(":action", []):
        parts = dict(zip(rest[::2], rest[1::2], strict=True))
        needs, _ = _literals(parts.get(":precondition", []))
        adds, deletes = _literals(parts[":effect"])
        operators[name] = Operator(name, tuple(_typed(parts[":parameters"])), needs, adds, deletes)
    constants = dict(_typed(sections.get(":constants", [])))
    return Domain(str(sections["domain"][0]), text, predicates, operators, constants)


def read_problem(text: str, domain: Domain) -> PddlProblem:
    """A problem of that domain. Raises BadPddl for what does not parse, and for what the domain does not have."""
    sections = _sections(text, "problem")
    objects = dict(_typed(sections.get(":objects", [])))
    init, _ = _literals(["and", *sections.get(":init", [])])
    goal, _ = _literals(next(iter(sections.get(":goal", [])), []))
    problem = PddlProblem(objects, frozenset(init), frozenset(goal))
    check(problem, domain)
    return problem


def check(problem: PddlProblem, domain: Domain) -> None:
    """Raises BadPddl for a fact whose predicate, arguments or types are none of the domain's."""
    kinds = {**domain.constants, **problem.objects}
    for atom in sorted(problem.init | problem.goal):
        said, types = f"({' '.join(atom)})", domain.predicates.get(atom[0])
        if types is None:
            raise BadPddl(f"{said}: {domain.name} has no {atom[0]!r}; it has {', '.join(sorted(domain.predicates))}")
        if len(types) != len(atom) - 1:
            raise BadPddl(f"{said}: {atom[0]} takes {len(types)} arguments")
        for name, kind in zip(atom[1:], types, strict=True):
            if kinds.get(name) is None:
                raise BadPddl(f"{said}: no object is called {name!r}")
            if kind not in (_ROOT, kinds[name]):
                raise BadPddl(f"{said}: {name} is a {kinds[name]}, and a {kind} is wanted")


def fault(domain: Domain, problem: PddlProblem, plan: Sequence[Atom]) -> str:
    """Why a list of actions is no plan of the problem; "" where it is one. An empty list is none."""
    if not plan:
        return "an empty plan is no plan"
    kinds, state = {**domain.constants, **problem.objects}, set(problem.init)
    for number, (name, *arguments) in enumerate(plan, 1):
        said, operator = f"step {number}, {name}({', '.join(arguments)})", domain.operators.get(name)
        if operator is None:
            return f"{said}: there is no such action"
        if [kinds.get(argument) for argument in arguments] != [kind for _, kind in operator.parameters]:
            return f"{said}: takes {', '.join(kind for _, kind in operator.parameters)}"
        bound = dict(zip((parameter for parameter, _ in operator.parameters), arguments, strict=True))
        missing = [atom for atom in _bind(operator.needs, bound) if atom not in state]
        if missing:
            return f"{said}: ({' '.join(missing[0])}) does not hold"
        state.difference_update(_bind(operator.deletes, bound))
        state.update(_bind(operator.adds, bound))
    left = sorted(problem.goal - state)
    return f"in the end ({' '.join(left[0])}) does not hold" if left else ""


def _bind(atoms: Sequence[Atom], bound: Mapping[str, str]) -> Iterator[Atom]:
    return (tuple(bound.get(part, part) for part in atom) for atom in atoms)


def _sections(text: str, what: str) -> dict[str, list[Any]]:
    """`(define (what NAME) (:section …) …)` by section; what stands in several of a name, as actions do, in a list."""
    tree = _parse(text)
    if not isinstance(tree, list) or tree[:1] != ["define"] or len(tree) < 2 or tree[1][:1] != [what]:
        raise BadPddl(f"should be (define ({what} NAME) …)")
    sections: dict[str, list[Any]] = {what: tree[1][1:]}
    for part in tree[2:]:
        if not isinstance(part, list) or not part or not isinstance(part[0], str):
            raise BadPddl(f"{part!r} stands where a section should")
        name, *rest = part
        sections.setdefault(name, []).extend([rest] if name == ":action" else rest)
    return sections


def _parse(text: str) -> Any:
    """Nested lists of lower-case words."""
    stack: list[list[Any]] = [[]]
    for found in _TOKEN.finditer(text.lower()):
        token, line = found[0], text.count("\n", 0, found.start()) + 1
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) == 1:
                raise BadPddl(f"line {line}: a ) too many")
            done = stack.pop()
            stack[-1].append(done)
        elif not token.startswith(";"):
            stack[-1].append(token)
    if len(stack) > 1:
        raise BadPddl(f"{len(stack) - 1} ) missing at the end")
    if len(stack[0]) != 1:
        raise BadPddl("should be one expression in parentheses")
    return stack[0][0]


def _typed(words: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """`a b - block c` as names with their types."""
    waiting: list[str] = []
    rest = iter(words)
    for word in rest:
        if not isinstance(word, str):
            raise BadPddl(f"{word!r} stands where a name should")
        if word == "-":
            kind = next(rest, _ROOT)
            yield from ((name, kind) for name in waiting)
            waiting = []
        else:
            waiting.append(word)
    yield from ((name, _ROOT) for name in waiting)


def _literals(tree: Sequence[Any]) -> tuple[tuple[Atom, ...], tuple[Atom, ...]]:
    """The atoms of a conjunction, and those that stand under a `not`."""
    parts = list(tree[1:]) if list(tree[:1]) == ["and"] else [tree] if tree else []
    yes: list[Atom] = []
    no: list[Atom] = []
    for part in parts:
        negated = isinstance(part, list) and part[:1] == ["not"] and len(part) == 2
        atom = part[1] if negated else part
        if not isinstance(atom, list) or not atom or not all(isinstance(word, str) for word in atom):
            raise BadPddl(f"{part!r} stands where a fact should")
        (no if negated else yes).append(tuple(atom))
    return tuple(yes), tuple(no)
