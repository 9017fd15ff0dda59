"""A plan as data: tasks with an id, what they depend on and what they are given, checked and put in order.

    [{"task": "translation", "id": 0, "dep": [-1], "args": {"text": "letter.txt"}}]      as HuggingGPT writes them

`<resource>-0` among the arguments is what task 0 gave. Also F1 of nodes and edges, as TaskBench counts them. Knows no
model and runs nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any

from toolmend.base.errors import ToolError
from toolmend.reading.json_values import values

RESOURCE = "<resource>-"


@dataclass(frozen=True, slots=True)
class PlanNode:
    """One task of a plan."""

    id: int
    task: str
    dep: tuple[int, ...]
    args: Mapping[str, str]

    def row(self) -> dict[str, Any]:
        """As it is written, `[-1]` for no dependency."""
        return {**asdict(self), "dep": list(self.dep) or [-1]}


def read_plan(rows: Any) -> tuple[PlanNode, ...]:
    """The plan that rows of JSON say. A resource that is used is a dependency, said or not. Raises ToolError."""
    if not isinstance(rows, (list, tuple)):
        raise ToolError("a plan is a list of tasks")
    nodes = []
    for row in rows:
        try:
            args = {str(name): str(value) for name, value in (row.get("args") or {}).items()}
            used = [value.removeprefix(RESOURCE) for value in args.values() if value.startswith(RESOURCE)]
            dep = dict.fromkeys(int(number) for number in [*row.get("dep", ()), *used])
            nodes.append(
                PlanNode(int(row["id"]), str(row["task"]), tuple(number for number in dep if number >= 0), args)
            )
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ToolError(f"{str(row)[:80]} is no task with task, id, dep and args ({error!r})") from error
    return tuple(nodes)


def levels(plan: Sequence[PlanNode]) -> list[list[PlanNode]]:
    """The tasks in the order in which they can be done, those of a list side by side.

    Raises ToolError for two tasks of an id, a dependency that there is not, and a circle, which it names.
    """
    by_id = {node.id: node for node in plan}
    if len(by_id) < len(plan):
        raise ToolError(f"two tasks have the id {Counter(node.id for node in plan).most_common(1)[0][0]}")
    if missing := [number for node in plan for number in node.dep if number not in by_id]:
        raise ToolError(f"a task depends on {missing[0]}, which there is not")
    sorter, order = TopologicalSorter({node.id: node.dep for node in plan}), list[list[PlanNode]]()
    try:
        sorter.prepare()
    except CycleError as error:
        raise ToolError(f"the plan goes in a circle: {' → '.join(map(str, error.args[1]))}") from error
    while ready := sorter.get_ready():
        order.append([node for node in plan if node.id in ready])
        sorter.done(*ready)
    return order


def f1(wanted: Iterable[Any], given: Iterable[Any]) -> float:
    """F1 of two bags of things; 1 where both are empty."""
    want, have = Counter(wanted), Counter(given)
    both, count = (want & have).total(), want.total() + have.total()
    return 2 * both / count if count else 1.0


def edges(plan: Sequence[PlanNode]) -> list[tuple[str, str]]:
    """Every dependency as the names of both tasks."""
    names = {node.id: node.task for node in plan}
    return [(names.get(number, "?"), node.task) for node in plan for number in node.dep]


def json_in(text: str, kind: type) -> Any:
    """The first JSON value of that kind in a text; None where there is none that can be read."""
    found = (decoded for _, _, decoded in values(text))
    return next((decoded.value for decoded in found if isinstance(decoded.value, kind) and not decoded.problem), None)
