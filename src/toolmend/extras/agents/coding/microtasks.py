"""Suite `microtasks`: a unit of code from a sentence, its tests run in a sandbox, what failed said as a correction.

The values that tests expect are never in the box: calls are made inside, what they give is compared outside. So nothing
that code does to the interpreter makes it right. Sixty tasks, made here (microtasks.yaml).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from anyio import to_thread

from toolmend.base.messages import Message
from toolmend.extras.agents.bench import Bench
from toolmend.extras.agents.coding.sandbox import run_boxed
from toolmend.extras.agents.system import AgentSystem, AgentTask, Scored, shipped
from toolmend.models import Model
from toolmend.models.scripted import Scripted

_SYSTEM = "You write Python. Reply with the whole code in one block between ```python and ```, and nothing else."
_REFLECT = "In one or two sentences: what was wrong with the code, and what must be different?"
_FENCED = re.compile(r"```(?:python|py)?[ \t]*\n(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE)
_CALLS = """

import sys as _sys
_sys.stdout.flush()
for _call in {calls!r}:
    try:
        _said = repr(eval(_call))
    except Exception as _error:
        _said = "raises " + type(_error).__name__ + "\\t" + str(_error)
    print("\\n" + {mark!r} + _said.replace("\\n", " "))
"""
_MARK = "> "
_STOPPED = {
    "time": "it took too long",
    "output": "it printed without end",
    "memory": "it took too much memory",
}
_LONGEST = 400


@dataclass
class Rounds:
    """At most `rounds` corrections. With `reflect` the model first says what was wrong, and the last three of what it
    said so are told with the task instead of the talk (Reflexion, Shinn et al. 2023, section 3)."""

    rounds: int = field(default=3, metadata={"least": 0, "most": 20})
    reflect: bool = False


class Microtasks(AgentSystem):
    """The sixty tasks."""

    name = "microtasks"
    about = "a unit of code from a sentence, run in a sandbox, corrected by what its tests say; 60 tasks made here"
    ways: Mapping[str, Any] = {"rounds": Rounds}
    steps = 50

    def tasks(self) -> Sequence[AgentTask]:
        """Those of the file."""
        return [
            AgentTask(row["id"], " ".join(row["say"].split()), row["group"], row["tests"].strip().split("\n"))
            for row in rows().values()
        ]

    def oracle(self, task: AgentTask, way: Any) -> Model:
        """It writes the right code."""
        return Scripted(lambda request: f"```python\n{self.reference(task)[0]}```", "scripted/oracle")

    def reference(self, task: AgentTask) -> list[str]:
        """Every code that was tried, the last one right."""
        return [rows()[task.id]["right"]]

    async def solve(self, bench: Bench, task: AgentTask, way: Any) -> list[str]:
        """Write, run, be told what failed, write again."""
        codes: list[str] = []
        bench.answer, lessons = codes, list[str]()
        asked = Message("user", task.say)
        talk = [Message("system", _SYSTEM), asked]
        for number in range(way.rounds + 1):
            reply = await bench.ask(talk, role="code", amends=number > 0, max_tokens=_LONGEST)
            code = code_of(reply.text)
            bench.heard(code is not None, "no code")
            codes.append(code or "")
            failed = await to_thread.run_sync(failure, codes[-1], tuple(task.data))
            if not failed or number == way.rounds:
                break
            talk += [Message("assistant", reply.text), Message("user", f"{failed} Write the whole code again.")]
            if way.reflect:
                said = await bench.ask([*talk[:-1], Message("user", f"{failed} {_REFLECT}")], role="reflect")
                lessons = [*lessons, said.text.strip()][-3:]
                told = "\n".join(f"- {lesson}" for lesson in lessons)
                talk = [talk[0], Message("user", f"{task.say}\nWhat you learned from earlier tries:\n{told}")]
        return codes

    def score(self, task: AgentTask, answer: Any) -> Scored:
        """1 where all tests of the last code pass. `fixed@k` is over tasks whose first code failed."""
        if not isinstance(answer, list) or not answer or not all(isinstance(code, str) for code in answer):
            return Scored(0.0, "no code", {"right at once": 0.0})
        failed = failure(answer[-1], tuple(task.data))
        right = not failed
        figures = {"right at once": float(right and len(answer) == 1)}
        if failed or len(answer) > 1:
            figures |= {f"fixed@{k}": float(right and len(answer) <= 1 + k) for k in (1, 2, 3)}
        return Scored(float(right), failed, figures)


def code_of(text: str) -> str | None:
    """The code of a reply: all its blocks (small models add one with an example), or the whole of it where it is code
    as it stands; None where there is none."""
    blocks = _FENCED.findall(text)
    if blocks:
        return "\n".join(blocks)
    return text if re.search(r"^(?:def|class|import|from) ", text, re.MULTILINE) else None


@lru_cache(maxsize=4096)
def failure(code: str, tests: tuple[str, ...]) -> str:
    """The first test that fails, in words; "" where all pass. Raises BadOption where there is no sandbox."""
    if not code.strip():
        return "There was no code."
    cases = [_case(test) for test in tests]
    ran = run_boxed(code + _CALLS.format(calls=[call for call, _, _ in cases], mark=_MARK))
    said = [line.removeprefix(_MARK) for line in ran.output.split("\n") if line.startswith(_MARK)][-len(cases) :]
    for (call, expected, raises), got in zip(cases, said if len(said) == len(cases) else [], strict=False):
        if not _same(got, expected, raises=raises):
            return f"{call} gave {got.replace(chr(9), ': ')[:200]}, not {'an error ' if raises else ''}{expected}."
    if len(said) == len(cases):
        return ""
    why = {"time": "it took too long", "output": "it printed without end", "memory": "it took too much memory"}.get(
        ran.stopped, ""
    )
    last = ran.output.strip().rpartition("\n")[2][:200]
    return f"The tests could not be run: {why or last or 'it ended before them'}."


def _case(test: str) -> tuple[str, str, bool]:
    """A line of tests: the call, what it should give or raise, and which of both."""
    call, sign, error = test.rpartition(" raises ")
    if sign:
        return call, error, True
    call, _, value = test.rpartition(" == ")
    return call, value, False


def _same(got: str, expected: str, *, raises: bool) -> bool:
    """Whether a value as it was written is the one expected, of the same type."""
    if raises or got.startswith("raises "):
        return raises and got.partition("\t")[0] == f"raises {expected}"
    try:
        value = ast.literal_eval(got)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return False
    wanted = ast.literal_eval(expected)
    return type(value) is type(wanted) and bool(value == wanted)


@lru_cache(maxsize=1)
def rows() -> dict[str, Any]:
    """The tasks of the file by id: with the right code, and a change of it that its tests must notice."""
    return {row["id"]: row for row in shipped("coding/microtasks.yaml")}
