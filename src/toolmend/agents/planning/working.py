"""Tools that are tables, a search among tools, and the loop in which a model works with them: call, look, call again.

A table answers from what is written in it, or says that it is done; nothing here acts on anything. Knows no task.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from toolmend.agents.world import ValueBox, text_tool
from toolmend.errors import ToolError
from toolmend.messages import Call, CallResult, Message, Reply, ToolSpec
from toolmend.reading import Reading, read_python
from toolmend.strategies import Act, Ask, Flag, Flow, Say, Talk
from toolmend.strategies.history import reported
from toolmend.strategies.signature import signature
from toolmend.strategies.spoken import Spoken
from toolmend.tools import Tool

SEARCH = "search_tools"
_WORD = re.compile(r"[a-z0-9]+")


class TableBox(ValueBox):
    """Tools of rows `{name, about, takes, gives}`: `gives` by the first argument, or done where there is none."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        search = text_tool(SEARCH, "Find tools by keywords.", ["keywords"], self._search, "read")
        self._given = (*tools, search)

    def _search(self, arguments: Mapping[str, str]) -> list[str]:
        """The three tools whose names and descriptions share the most words with the keywords."""
        wanted = set(_WORD.findall(arguments["keywords"].lower()))
        lines = [described(spec) for spec in self.specs if spec.name != SEARCH]
        shared = {line: len(wanted & set(_WORD.findall(line.lower().replace("_", " ")))) for line in lines}
        best = sorted((line for line in lines if shared[line]), key=lambda line: -shared[line])
        if not best:
            raise ToolError("no tool is like that; try other keywords")
        return best[:3]


def table(row: Mapping[str, Any]) -> Tool:
    """The tool of a row."""
    return text_tool(row["name"], row["about"], row.get("takes", ()), partial(_looked_up, row))


def _looked_up(row: Mapping[str, Any], arguments: Mapping[str, str]) -> str:
    values = [str(value).strip().casefold() for value in arguments.values()]
    known = row.get("gives")
    if known is None:
        return f"done: {', '.join(values)}"
    if values[0] not in known:
        raise ToolError(f"nothing is known of {values[0]!r}; known are {', '.join(known)}")
    return f"{', '.join(values)}: {known[values[0]]}"


def described(spec: ToolSpec) -> str:
    """A tool in a line: how it is called, and what for."""
    return f"{signature(spec)}  # {spec.description}"


@dataclass
class Working:
    """`rounds` replies at most, each told what the calls before it gave or why they failed, until one has no call.

    `shown` are the names of the tools that are described at first, none for all; those that a search finds are added.
    """

    about: str = ""
    rounds: int = 8
    shown: tuple[str, ...] = ()

    name = "working"
    bare = False
    prompt_hash = "working-1"

    def turn(self, talk: Talk) -> Flow:
        """One request."""
        tools = [spec for spec in talk.tools if spec.name in self.shown or not self.shown]
        history, notes = list(reported(talk.messages, talk.tools)), list[Message]()
        for number in range(self.rounds):
            done = yield from self._round(talk, tools, history, notes)
            if not done:
                return
            told = "\n".join(f"{call.tool}: {result.value if result.ok else result.error}" for call, result in done)
            notes.append(Message("user", f"Results:\n{told}"))
            tools += [spec for spec in talk.tools if f"{spec.name}(" in told and spec not in tools]
            if number + 1 == self.rounds > 1:
                yield Flag("step_limit", f"{self.rounds} rounds")

    def system_text(self, talk: Talk) -> str:
        """What a model is told."""
        return self._system([spec for spec in talk.tools if spec.name in self.shown or not self.shown])

    def _system(self, tools: Sequence[ToolSpec]) -> str:
        listed = "\n".join(map(described, tools))
        return f"{self.about} Reply with one call and nothing else, or with your answer where no call is due:\n{listed}"

    def _round(self, talk: Talk, tools: list[ToolSpec], history: list[Message], notes: list[Message]) -> Any:
        """One reply; its calls with their results. In the spoken notation results are told behind the request."""
        if talk.about.strategy == "spoken":
            said = "\n".join([history[-1].content, *(note.content for note in notes)])
            inner = Talk(tuple(tools), (Message("user", said),), None, talk.view, talk.about)
            return (yield from _heard(Spoken(describe=True).turn(inner)))
        reply: Reply = yield Ask((Message("system", self._system(tools)), *history, *notes))
        notes.append(Message("assistant", reply.text))
        reading = read_python(reply.text, talk.tools)
        results: Sequence[CallResult] = yield Act(reading.calls, reading)
        if not reading.calls:
            yield Say(reply.text)
        return list(zip(reading.calls, results, strict=False))


def _heard(flow: Flow) -> Any:
    """A strategy's own turn, and in the end its calls with their results."""
    sent: Any = None
    done: list[tuple[Call, CallResult]] = []
    while True:
        try:
            step = flow.send(sent)
        except StopIteration:
            return done
        sent = yield step
        if isinstance(step, Act):
            done += zip(step.calls, sent, strict=False)


def turns_read(turns: Sequence[Mapping[str, Any]], specs: Sequence[ToolSpec]) -> Iterator[tuple[str, Reading]]:
    """What is said in each turn, and the calls that are right."""
    for turn in turns:
        for said, written in turn.items():
            lines = [written] if isinstance(written, str) else written or []
            yield said, read_python("\n".join(lines), specs, lenient=False) if lines else Reading()
