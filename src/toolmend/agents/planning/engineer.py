"""`engineer`: goals that leave things open (engineer.yaml), reached by building.py's two ways, checked by what is in
the files. Knows nothing of whether a program in them runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from toolmend.agents.bench import Bench
from toolmend.agents.planning.building import CLEAR, Clarifying, FileBox, GoalLoop, inside, write_tree
from toolmend.agents.system import AgentSystem, AgentTask, Scored
from toolmend.errors import ToolError
from toolmend.evals.suites.yaml12 import load
from toolmend.messages import Request
from toolmend.models import Model
from toolmend.models.scripted import Scripted


@dataclass
class EngineerWay:
    """Questions first. `into` is a folder of yours that the files are written to."""

    rounds: int = 5
    into: str = ""


@dataclass
class GoalWay:
    """The loop, with so many commands."""

    rounds: int = 12
    into: str = ""


class Engineer(AgentSystem):
    """Six goals."""

    name = "engineer"
    about = "a goal with gaps → questions, one at a time → a tree of files"
    ways: Mapping[str, Any] = {"engineer": EngineerWay, "goal": GoalWay}
    steps = 20

    @cached_property
    def _tasks(self) -> list[AgentTask]:
        with as_file(files("toolmend.agents.planning").joinpath("engineer.yaml")) as path:
            rows = load(path)
        return [AgentTask(f"goal/{number}", row["say"], "goal", row) for number, row in enumerate(rows, 1)]

    def tasks(self) -> Sequence[AgentTask]:
        """Every goal."""
        return self._tasks

    def oracle(self, task: AgentTask, way: Any) -> Model:
        """Asks for everything, then writes it."""
        questions = [f"What about the {key}?" for key in task.data["answers"]]
        tree = self.reference(task)["files"]
        written = "\n".join(f"{path}\n```\n{text}\n```" for path, text in tree.items())
        plain = [*questions, CLEAR, written]
        steps = [("ask_person", {"question": each}) for each in questions]
        steps += [("write_file", {"path": path, "text": text}) for path, text in tree.items()]
        commands = [{"command": {"name": name, "args": args}} for name, args in [*steps, ("finish", {})]]
        due = list(map(json.dumps, commands)) if isinstance(way, GoalWay) else plain

        def reply(request: Request) -> str:
            return due[
                sum(message.role == "assistant" for message in request.messages)
                + ("write every file" in request.messages[-1].content)
            ]

        return Scripted(reply, "scripted/oracle")

    def reference(self, task: AgentTask) -> Any:
        """Files with everything that they must hold."""
        return {
            "files": {path: "\n".join(parts) for path, parts in task.data["files"].items()},
            "asked": len(task.data["answers"]),
        }

    def mutants(self, task: AgentTask) -> Iterator[tuple[str, Any]]:
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
        yield from (("nothing", None), ("words", "It is written."))

    async def solve(self, bench: Bench, task: AgentTask, way: Any) -> Any:
        """The files, and how much was asked for."""
        folder = FileBox(task.data["answers"])
        strategy = GoalLoop(way.rounds) if isinstance(way, GoalWay) else Clarifying(way.rounds)
        await bench.session(folder, strategy).arequest(task.say)
        if way.into:
            write_tree(Path(way.into), folder.files)
        return {"files": dict(folder.files), "asked": len(folder.asked)}

    def score(self, task: AgentTask, answer: Any) -> Scored:
        """1 where every file is there with what it must hold, and none is outside."""
        given = answer if isinstance(answer, dict) else {}
        tree: Any = given.get("files")
        asked = given.get("asked")
        figures = {"asked": asked / len(task.data["answers"]) if isinstance(asked, int) else 0.0}
        try:
            held = {inside(str(path)): str(text) for path, text in dict(tree or {}).items()}
        except (ToolError, TypeError, ValueError) as error:
            return Scored(0.0, str(error), figures)
        missing = [
            f"{part!r} in {path}"
            for path, parts in task.data["files"].items()
            for part in parts
            if part not in held.get(path, "")
        ]
        count = sum(map(len, task.data["files"].values()))
        return Scored(1 - len(missing) / count, f"missing: {', '.join(missing)}" if missing else "", figures)
