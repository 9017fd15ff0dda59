"""`engineer`: a goal that leaves things open (engineer.yaml) becomes a tree of files, in one of two ways. `engineer`
asks first what is unclear, one question at a time, as GPT-Engineer does; `goal` is AutoGPT's loop of thoughts,
criticism and one command. Checked by what is in the files; whether a program in them runs is not looked at.

Both work on a folder in memory, and a path out of it is refused. Nothing is written to a disk but into a folder that a
person names (`into`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from toolmend.base.errors import BadFile, ToolError
from toolmend.base.messages import Call, CallResult, Message, Reply, Request
from toolmend.extras.agents.bench import Bench
from toolmend.extras.agents.planning.graph import json_in
from toolmend.extras.agents.planning.tooltasks import described
from toolmend.extras.agents.system import AgentSystem, AgentTask, Scored, shipped
from toolmend.models import Model
from toolmend.models.scripted import Scripted
from toolmend.reading import Reading
from toolmend.strategies import Act, Ask, Flag, Flow, Say, Talk
from toolmend.tools import tool
from toolmend.tools.toolboxes.valued import ValueBox

ASSUME = "Make your own assumptions and say which."
CLEAR = "Nothing more to clarify."
_FILE = re.compile(r"^[ \t*#`]*([\w./-]+)[`*: \t]*\n```[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_CLARIFY = f"You do not carry out what you are told, you clarify it: ask one question, or say: {CLEAR}"
_MORE = f"Is anything else unclear? Ask one question, or say: {CLEAR}"
_WRITE = "Now write every file in full: a line with its path, then its content between two lines of ```."
_GOAL = """You reach a goal alone, by one command at a time. Reply with JSON only:
{{"thoughts": {{"text": …, "reasoning": …, "plan": …, "criticism": …, "speak": …}},
"command": {{"name": …, "args": {{…}}}}}}
Criticize yourself; every command costs. Of {rounds} commands {left} are left. Commands:
{commands}"""


class FileBox(ValueBox):
    """Files in memory, and a person who answers a question by the words in it."""

    kept = ("files", "asked")

    def __init__(self, answers: Mapping[str, str]) -> None:
        self.answers, self.asked = answers, frozenset[str]()
        self.files: Mapping[str, str] = {}

    @tool
    def write_file(self, path: str, text: str) -> str:
        """Write a file, in place of one of that path."""
        self.files = {**self.files, inside(path): text}
        return "written"

    @tool(effect="read")
    def read_file(self, path: str) -> str:
        """The text of a file."""
        if path not in self.files:
            raise ToolError(f"there is no file {path!r}")
        return self.files[path]

    @tool(effect="read")
    def list_files(self) -> list[str]:
        """The paths of all files."""
        return sorted(self.files)

    @tool
    def ask_person(self, question: str) -> str:
        """Ask the person one question."""
        if question.count("?") > 1:
            raise ToolError("one question at a time, please")
        words = set(re.findall(r"\w+", question.lower()))
        keys = [key for key in self.answers if words & set(key.split()) and key not in self.asked]
        self.asked |= set(keys[:1])
        return self.answers[keys[0]] if keys else ASSUME

    @tool(effect="read")
    def finish(self) -> str:
        """The goal is reached."""
        return "finished"


def inside(path: str) -> str:
    """A path below a folder, in its plain form. Raises ToolError for one that leads out of it."""
    parts = PurePosixPath(path.replace("\\", "/")).parts
    if not parts or parts[0].startswith("/") or ".." in parts or ":" in parts[0] or "\0" in path:
        raise ToolError(f"{path!r} leads out of the folder; give a path below it")
    return "/".join(parts)


def write_tree(root: Path, tree: Mapping[str, str]) -> None:
    """Write files into a folder that is there. Raises BadFile for one that is not, ToolError for a path out of it, also
    by a link."""
    if not root.is_dir():
        raise BadFile(root, "is no folder; make it first")
    paths = {root / inside(path): text for path, text in tree.items()}
    for path in paths:
        if not path.resolve().is_relative_to(root.resolve()):
            raise ToolError(f"{path} leads out of {root} by a link")
    for path, text in paths.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@dataclass
class Clarifying:
    """Questions first, `rounds` at most, then all files in one reply; written `into` a folder that you name."""

    rounds: int = 5
    into: str = ""

    name = "clarifying"
    bare = False
    prompt_hash = "clarifying-1"

    def turn(self, talk: Talk) -> Flow:
        """One goal, or what is to be different in its files."""
        told = [Message("system", self.system_text(talk)), *_said(talk)]
        for _ in range(self.rounds):
            reply: Reply = yield Ask(tuple(told), role="main")
            if CLEAR.lower()[:-1] in reply.text.lower() or "?" not in reply.text:
                break
            question = Call("ask_person", {"question": reply.text.strip()})
            results: tuple[CallResult, ...] = yield _acting((question,))
            said = "; ".join(str(result.value if result.ok else result.error) for result in results)
            told += [Message("assistant", reply.text), Message("user", f"{said}\n{_MORE}")]
        reply = yield Ask((*told, Message("user", _WRITE)), role="main")
        calls = tuple(Call("write_file", {"path": path, "text": text}) for path, text in _FILE.findall(reply.text))
        yield _acting(calls)

    def system_text(self, talk: Talk) -> str:
        """The prompt that has a model ask."""
        return _CLARIFY


@dataclass
class GoalLoop:
    """`rounds` commands at most: that is the budget. `into` as above."""

    rounds: int = 12
    into: str = ""

    name = "goal"
    bare = False
    prompt_hash = "goal-1"

    def turn(self, talk: Talk) -> Flow:
        """One goal."""
        told = _said(talk)
        for number in range(self.rounds):
            reply: Reply = yield Ask((Message("system", self._system(talk, self.rounds - number)), *told))
            command: Any = (json_in(reply.text, dict) or {}).get("command")
            given = command.get("args", {}) if isinstance(command, dict) else None
            calls = (Call(str(command.get("name")), given),) if isinstance(given, dict) else ()
            results: tuple[CallResult, ...] = yield _acting(calls)
            if calls and calls[0].tool == "finish":
                yield Say("Finished.")
                return
            note = "The reply is no JSON with a command."
            for call, result in zip(calls, results, strict=False):
                note = f"{call.tool}: {result.value if result.ok else result.error}"
            told += [Message("assistant", reply.text), Message("user", note)]
        yield Flag("step_limit", f"a goal without end: {self.rounds} commands and not finished")
        yield Say(f"Stopped after {self.rounds} commands; what was written is kept.")

    def system_text(self, talk: Talk) -> str:
        """The prompt, with the whole budget."""
        return self._system(talk, self.rounds)

    def _system(self, talk: Talk, left: int) -> str:
        return _GOAL.format(rounds=self.rounds, left=left, commands="\n".join(map(described, talk.tools)))


def _said(talk: Talk) -> list[Message]:
    return [Message(message.role, message.content) for message in talk.messages]


def _acting(calls: tuple[Call, ...]) -> Act:
    return Act(calls, Reading(calls, problem=None if calls else "syntax"))


class Engineer(AgentSystem):
    """Six goals."""

    name = "engineer"
    about = "a goal with gaps → questions, one at a time → a tree of files"
    ways: Mapping[str, Any] = {"engineer": Clarifying, "goal": GoalLoop}
    steps = 20

    def tasks(self) -> Sequence[AgentTask]:
        """Every goal."""
        return [
            AgentTask(f"goal/{number}", row["say"], "goal", row)
            for number, row in enumerate(shipped("planning/engineer.yaml"), 1)
        ]

    def oracle(self, task: AgentTask, way: Any) -> Model:
        """Asks for everything, then writes it."""
        questions = [f"What about the {key}?" for key in task.data["answers"]]
        tree = self.reference(task)["files"]
        written = "\n".join(f"{path}\n```\n{text}\n```" for path, text in tree.items())
        steps = [("ask_person", {"question": question}) for question in questions]
        steps += [("write_file", {"path": path, "text": text}) for path, text in tree.items()]
        commands = [{"command": {"name": name, "args": args}} for name, args in [*steps, ("finish", {})]]
        due = list(map(json.dumps, commands)) if isinstance(way, GoalLoop) else [*questions, CLEAR, written]

        def reply(request: Request) -> str:
            said = sum(message.role == "assistant" for message in request.messages)
            return due[said + ("write every file" in request.messages[-1].content)]

        return Scripted(reply, "scripted/oracle")

    def reference(self, task: AgentTask) -> Any:
        """Files with everything that they must hold."""
        return {
            "files": {path: "\n".join(parts) for path, parts in task.data["files"].items()},
            "asked": len(task.data["answers"]),
        }

    async def solve(self, bench: Bench, task: AgentTask, way: Any) -> Any:
        """The files, and how much was asked for."""
        folder = FileBox(task.data["answers"])
        await bench.session(folder, way).arequest(task.say)
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
