"""Wrong answers to the tasks of agent systems, each with the name of what is wrong with it: all must score below 1."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from toolmend.extras.agents.coding.microtasks import rows
from toolmend.extras.agents.networks.darkroom import EPISODES, STEPS
from toolmend.extras.agents.planning.conducting import TASKS
from toolmend.extras.agents.planning.graph import PlanNode, read_plan
from toolmend.extras.agents.planning.worlds import Atom, instance
from toolmend.extras.agents.system import AgentSystem, AgentTask
from toolmend.extras.agents.thinking.household import THINGS, kind
from toolmend.extras.agents.worlds.party import news_of
from toolmend.extras.agents.worlds.town import LIVES, PARTY, Town

Wrong = Callable[[Any, AgentTask], Iterator[tuple[str, Any]]]


def accepted(system: AgentSystem, wrong: Wrong) -> list[tuple[str, str]]:
    """The wrong answers that score 1 all the same, as task and name; there must be some at all."""
    tried = [(task, name, answer) for task in system.tasks() for name, answer in wrong(system, task)]
    assert len(tried) >= 6
    return [(task.id, name) for task, name, answer in tried if system.score(task, answer).value >= 1]


def game24(self: Any, task: AgentTask) -> Iterator[tuple[str, Any]]:
    """Wrong expressions."""
    right, numbers = self.reference(task), [str(number) for number in task.data]
    yield "another number", re.sub(r"\d+", lambda number: str(int(number[0]) + 1), right, count=1)
    yield "a number left out", " + ".join(numbers[:3])
    yield "a number twice", f"{right} * {numbers[0]} / {numbers[0]}"
    yield "only the result", "24"
    yield "not 24", f"({' + '.join(numbers)}) * 0"
    yield "a sign that is none of the four", right.replace("*", "**").replace("+", "%").replace("-", "//")
    yield "a call", f"int({right})"
    yield "an equation", f"{right} == 24"
    yield "not text", 24


def household(self: Any, task: AgentTask) -> Iterator[tuple[str, Any]]:
    """Trials that leave one step out, or end elsewhere."""
    [right] = self.reference(task)
    for place in range(len(right)):
        yield "one step left out", [right[:place] + right[place + 1 :]]
    yield "in the wrong place", [[*right[:-1], ["go_to", {"place": "garbagecan 1"}], *right[-1:]]]
    other = next(thing for thing in THINGS if kind(thing) != task.data["thing"])
    yield (
        "another thing",
        [[[name, {**given, "thing": other} if "thing" in given else given] for name, given in right]],
    )
    if task.data["how"] != "look":
        yield "taken away again", [[*right, ["take", dict(right[-1][1])]]]
    yield "right, then a trial that is not", [right, []]
    yield "tools that are not there", [[["finish", {}], ["win", {"thing": "mug 1"}]]]


def challenges(self: Any, task: AgentTask) -> Iterator[tuple[str, Any]]:
    """Plans that were not gone through with, or not so."""
    plan = self.reference(task)
    yield "the last step left out", plan[:-1]
    yield "a step done twice", [*plan[:1], *plan]
    yield "backwards", [*plan[1:], ["pack", {"thing": "piano"}], plan[0]]
    yield "another thing", [[name, {**given, "thing": "piano"}] for name, given in plan]
    yield "another tool", [*plan[:-1], ["paint", {"thing": plan[-1][1]["thing"], "colour": "grey"}]]


def toolformer(self: Any, task: AgentTask) -> Iterator[tuple[str, Any]]:
    """One decision turned round each, and answers that are none."""
    right = self.reference(task)
    names = {"useful": "a useful call dropped", "wrong": "a wrong result kept", "useless": "a useless call kept"}
    for place, candidate in enumerate(task.data):
        yield names[candidate["kind"]], [*right[:place], [not right[place][0], None], *right[place + 1 :]]
    yield "a decision too few", right[:-1]


def planning(self: Any, task: AgentTask) -> Iterator[tuple[str, Any]]:
    """No plan, plans with a step too few, steps in another order, another thing, and the plan of another task."""
    right = self.reference(task)
    plan: list[Atom] = right["plan"]
    wrong = {
        "empty": [],
        "first step left out": plan[1:],
        "last step left out": plan[:-1],
        "first steps swapped": [plan[1], plan[0], *plan[2:]],
        "first step twice": [plan[0], *plan],
        "unknown thing": [(*plan[0][:-1], "nobody"), *plan[1:]],
        "unknown action": [("fly", *plan[0][1:]), *plan[1:]],
        "another task's": instance(task.data["world"], task.data["seed"] + 1).plan,
    }
    yield from ((name, {**right, "plan": steps}) for name, steps in wrong.items())


def hugginggpt(self: Any, task: AgentTask) -> Iterator[tuple[str, Any]]:
    """A task left out, too many, another one, another order, another model, nothing told."""
    right = self.reference(task)
    plan = read_plan(right["plan"])
    last = plan[-1]
    wrong = {
        "last task left out": plan[:-1],
        "a task too many": (*plan, PlanNode(99, "translation", (), {"text": "other.txt"})),
        "another task": (*plan[:-1], replace(last, task=next(name for name in TASKS if name != last.task))),
    }
    if last.dep:
        wrong["a dependency left out"] = (*plan[:-1], replace(last, dep=(), args=dict.fromkeys(last.args, "other")))
    yield from ((name, {**right, "plan": [node.row() for node in nodes]}) for name, nodes in wrong.items())
    yield "another model", {**right, "chosen": {**right["chosen"], "0": "elsewhere/model"}}
    yield "nothing told", {**right, "said": "Done."}


def tool_tasks(self: Any, task: AgentTask) -> Iterator[tuple[str, Any]]:
    """A call left out, too many, of another tool, with another outcome; where none is right, no refusal."""
    right = self.reference(task)
    rows: list[Any] = right["calls"]
    wrong = {"a call too many": [*rows, [0, "other", "done"]]}
    if rows:
        *before, (turn, tool, value) = rows
        wrong |= {"the last call left out": before, "another tool": [*before, [turn, "other", value]]}
        wrong |= {"another outcome": [*before, [turn, tool, "else"]], "another turn": [*before, [9, tool, value]]}
    else:
        yield "no refusal", {**right, "said": ["Gladly: this is how."]}
    yield from ((name, {**right, "calls": calls}) for name, calls in wrong.items())


def engineer(self: Any, task: AgentTask) -> Iterator[tuple[str, Any]]:
    """A file left out, elsewhere, or without something that it must hold."""
    right = self.reference(task)
    path, text = next(iter(right["files"].items()))
    rest = {each: right["files"][each] for each in right["files"] if each != path}
    for name, tree in {
        "a file left out": rest,
        "a file elsewhere": {**rest, f"other/{path}": text},
        "a file outside": {**right["files"], "../out.txt": "x"},
        "a part left out": {**rest, path: "\n".join(text.split("\n")[1:])},
    }.items():
        yield name, {**right, "files": tree}


def darkroom(self: Any, task: AgentTask) -> Iterator[tuple[str, Any]]:
    """Talks in which less was found, or that cannot have been."""
    right = self.reference(task)
    yield "stays where it is", [["stay"] * STEPS] * EPISODES
    yield "a detour in the end", [*right[:-1], ["stay", *right[-1][:-1]]]
    yield "an episode less", right[:-1]
    yield "a longer last episode", [*right[:-1], [*right[-1], "stay"]]
    yield "a jump", [*right[:-1], [f"{right[-1][0]} twice", *right[-1][1:]]]
    yield "moves that are none", [["goal"] * STEPS] * EPISODES
    yield "what it says it earned", {"rewards": [STEPS] * EPISODES}


def town(self: Any, task: AgentTask) -> Iterator[tuple[str, Any]]:
    """Days that cannot have been, or in which the news did not get about."""
    right = self.reference(task)
    lines, came = right["lines"], right["came"]
    told = next(place for place, line in enumerate(lines) if line["from"] == 0 and "party" in line["text"])
    informed = news_of(Town(task.data), lines)[0]
    outsider = next((number for number in range(LIVES) if number not in informed), LIVES)
    busy = next(number for number in informed if Town(task.data).working(number, PARTY[0]))
    first = lines[0]
    yield "nobody speaks", {"lines": [], "came": []}
    yield "the host keeps it to herself", {"lines": [line for line in lines if line["from"]], "came": []}
    yield "a guest who knew nothing", {"lines": lines, "came": [*came, outsider]}
    yield "a guest who is at work", {"lines": lines, "came": [*came, busy]}
    yield "a meeting that was none", {"lines": [{**first, "to": first["from"]}, *lines[1:]], "came": came}
    yield (
        "told by nobody",
        {"lines": [*lines[:told], {**lines[told], "from": -1}, *lines[told + 1 :]], "came": came},
    )
    yield "time runs backwards", {"lines": lines[::-1], "came": came}
    yield "said again and again", {"lines": [first, *lines], "came": came}
    yield "no lines", {"lines": "many", "came": came}


def microtasks(self: Any, task: AgentTask) -> Iterator[tuple[str, Any]]:
    """Wrong code, and code that would rather be judged right than be right."""
    row, name = rows()[task.id], task.data[0].partition("(")[0]
    old, new = row["wrong"]
    assert old in row["right"], task.id
    yield "changed in one place", [row["right"].replace(old, new, 1)]
    yield "does nothing", [f"def {name}(*arguments):\n    pass\n"]
    yield "ends before its tests", [f"{row['right']}\nimport os\nos._exit(0)\n"]
    equal = "class Any:\n    __eq__ = lambda self, other: True\n    __repr__ = lambda self: 'Any'"
    yield "is equal to everything", [f"{equal}\ndef {name}(*arguments):\n    return Any()\n"]
    yield "is not Python", ["Here is the code you asked for."]
    yield "no code", []
    yield "not a list", row["right"]
