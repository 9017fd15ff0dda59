"""Systems whose tasks are a file: what is said in each turn, and the calls that are right. Calls are held against the
right ones by what they give, as API-Bank does it, so that `12 * 7` and `7 * 12` are the same.

Tools are tables, with a search among them; the loop in which a model works with them is: call, look, call again.
`mrkl`, `apibank`, `experts` and `judged` are such: a file beside this one.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

from toolmend.base.errors import ToolError
from toolmend.base.messages import Call, CallResult, Message, Reply, Request, ToolSpec
from toolmend.extras.agents.bench import Bench
from toolmend.extras.agents.planning.graph import f1
from toolmend.extras.agents.system import AgentSystem, AgentTask, Scored, shipped
from toolmend.extras.agents.text_tools import text_tool
from toolmend.language.resolve.units import KINDS, UNITS, WORDS, convert
from toolmend.models import Model
from toolmend.models.scripted import Scripted
from toolmend.reading import read_python, render
from toolmend.reading.literals import Unreadable, fold, parse_expression
from toolmend.strategies import Act, Ask, Flag, Flow, Say, Talk
from toolmend.strategies.history import reported
from toolmend.strategies.signature import signature
from toolmend.strategies.spoken import Spoken
from toolmend.tools import Tool, Toolbox
from toolmend.tools.toolboxes.valued import ValueBox

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


REFUSAL = "I cannot help with that."
_REFUSES = re.compile(r"\b(can(no|')?t|cannot|won't|will not|unable|refuse|not able|must not|may not)\b", re.IGNORECASE)
Row = list[Any]


def calculator(expression: str) -> float:
    """Work out an expression of figures, + - * / and brackets."""
    parsed = parse_expression(expression.strip())
    try:
        value = None if parsed is None else fold(parsed, set())
    except Unreadable:
        value = None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ToolError(f"{expression!r} is no expression: write it with figures and signs alone, as 12 * 7")
    return round(float(value), 6)


def calendar(date: str, days: int = 0) -> str:
    """The day so many days after a date (before it where negative), with its weekday. Dates are YYYY-MM-DD."""
    try:
        day = dt.date.fromisoformat(date) + dt.timedelta(days=days)
    except (ValueError, OverflowError) as error:
        raise ToolError(f"{date!r} is no date: write it as 2025-05-03") from error
    return f"{day.isoformat()}, {day:%A}"


def units(value: float, unit: str, wanted: str) -> float:
    """A value in another unit."""
    known = [_unit(unit), _unit(wanted)]
    if KINDS[known[0]] != KINDS[known[1]]:
        raise ToolError(f"{unit} and {wanted} are not of a kind")
    return round(float(convert(Fraction(value), *known)), 3)


def _unit(name: str) -> str:
    bare = name.strip().lower()
    found = UNITS.get(bare) or next((words[bare] for words in WORDS.values() if bare in words), None)
    if found is None or found not in KINDS:
        raise ToolError(f"no unit is called {name!r}")
    return found


@dataclass
class TellingWay:
    """So many replies a turn, each told what came of the one before: a call that failed is put right so."""

    rounds: int = 8


@dataclass
class OnceWay:
    """One reply a turn: what fails has failed."""

    rounds: int = 1


_WAYS = {"telling": TellingWay, "corrected": TellingWay, "once": OnceWay}
_COMPUTING = Toolbox.of(calculator, calendar, units)._given


class ToolTasks(AgentSystem):
    """Tasks of a file `NAME.yaml`, and tools: those of the file, and the experts above where it is `computing`. A
    `confused` one tells, too, what was called first."""

    steps = 40

    def __init__(self, name: str) -> None:
        self.name, self.file = name, shipped(f"planning/{name}.yaml")
        self.about: str = self.file["about"]
        self.ways = {way: _WAYS[way] for way in self.file["ways"]}
        computing = _COMPUTING if self.file.get("computing") else ()
        self.given: list[Tool] = [*map(table, self.file["tools"]), *computing]

    @cached_property
    def right(self) -> Mapping[str, tuple[list[tuple[str, tuple[Call, ...]]], list[Row]]]:
        """By task what is said with the calls that are right, and what these give."""
        box, known = TableBox(self.given), {}
        for task in self.tasks():
            turns = []
            for said, written in (pair for turn in task.data["turns"] for pair in turn.items()):
                lines = [written] if isinstance(written, str) else written
                turns.append((said, read_python("\n".join(lines), box.specs, lenient=False).calls))
            rows = [[n, call.tool, box.run_sync(call).value] for n, (_, calls) in enumerate(turns) for call in calls]
            known[task.id] = turns, rows
        return known

    def tasks(self) -> Sequence[AgentTask]:
        """Every task of the file."""
        return [
            AgentTask(f"{group}/{number}", "\n".join(said for turn in turns for said in turn), group, {"turns": turns})
            for group, tasks in self.file["tasks"].items()
            for number, turns in enumerate(tasks, 1)
        ]

    def oracle(self, task: AgentTask, way: Any) -> Model:
        """Calls one by one, after a search where the tools are to be searched; then words."""
        due: dict[str, list[str]] = {}
        about = {tool.name: tool.spec.description for tool in self.given}
        for said, calls in self.right[task.id][0]:
            pairs = [(render(Call(SEARCH, {"keywords": about[call.tool]})), render(call)) for call in calls]
            due[said] = [line for pair in pairs for line in pair[not self._searched(task) :]] + [REFUSAL]

        def reply(request: Request) -> str:
            said = [message.content for message in request.messages]
            last = max(place for place, text in enumerate(said) if text in due)
            return due[said[last]][min((len(said) - last) // 2, len(due[said[last]]) - 1)]

        return Scripted(reply, "scripted/oracle")

    def reference(self, task: AgentTask) -> Any:
        """The right calls with what they give, and words."""
        rows = self.right[task.id][1]
        return {"calls": rows, "tried": [row[1] for row in rows], "said": [REFUSAL] * len(task.data["turns"])}

    async def solve(self, bench: Bench, task: AgentTask, way: Any) -> Any:
        """What every turn's calls gave, which tools were tried, and what was said."""
        shown = (SEARCH,) if self._searched(task) else tuple(tool.name for tool in self.given)
        talk = bench.session(TableBox(self.given), Working(self.about, way.rounds, shown))
        answer: dict[str, Any] = {"calls": [], "tried": [], "said": []}
        bench.answer = answer
        for number, (said, _) in enumerate(self.right[task.id][0]):
            turn = await talk.arequest(said)
            aside = (SEARCH, *self.file.get("aside", ()))
            pairs = [(call.tool, made) for call, made in zip(turn.calls, turn.results, strict=True)]
            pairs = [(tool, made) for tool, made in pairs if tool not in aside]
            answer["calls"] += [[number, tool, made.value] for tool, made in pairs if made.ok]
            answer["tried"] += [tool for tool, _ in pairs]
            answer["said"].append(turn.text)
        return answer

    def score(self, task: AgentTask, answer: Any) -> Scored:
        """F1 of the calls; where none is right, whether it was refused. Beside it API-Bank's share of calls."""
        given = answer if isinstance(answer, dict) else {}
        wanted = [str(row) for row in self.right[task.id][1]]
        calls = [str(list(row)) for row in given.get("calls") or () if isinstance(row, (list, tuple))]
        figures = self._first(given.get("tried") or ()) if self.file.get("confused") else {}
        if not wanted:
            refused = not calls and bool(_REFUSES.search(" ".join(map(str, given.get("said") or ()))))
            return Scored(float(refused), "" if refused else "not refused", figures)
        value = f1(wanted, calls)
        found = (Counter(wanted) & Counter(calls)).total() / len(wanted)
        return Scored(value, "" if value == 1 else "other calls than are right", {**figures, "calls": found})

    def _first(self, tried: Sequence[str]) -> dict[str, float]:
        """A row of the router's confusion table: which tool was called first."""
        first = tried[0] if tried else "nothing"
        return {f"→ {name}": float(name == first) for name in [*(tool.name for tool in self.given), "nothing"]}

    def _searched(self, task: AgentTask) -> bool:
        return task.group in self.file.get("searched", ())


mrkl, apibank, experts, judged = (partial(ToolTasks, name) for name in ("mrkl", "apibank", "experts", "judged"))
"""A router and five experts (Karpas et al. 2022, arXiv 2205.00445); API-Bank's three levels (Li et al. 2023, arXiv
2304.08244); thirteen stand-ins for the tools of a chemist, and what is to be refused (Boiko et al. 2023, arXiv
2304.05332); a judge between a right answer and one that only sounds so, by its flaw (Bran et al. 2023, arXiv
2304.05376)."""
