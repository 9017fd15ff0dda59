"""Suite `game24`: four numbers make 24. Puzzles 900–999 of all that can be solved, thought about in any way: a chain of
thought, a vote over several chains, a tree of thoughts as in Yao et al. 2023 (arXiv 2305.10601, section 3).

The easiest come first: difficulty is the number of different ways of three steps that lead to 24. (The list of the
paper is ordered by the time that people took.) A thought is the numbers that are left and the expressions they came
from. A proposed step counts only if its arithmetic is right; what is left after it is computed.
"""

from __future__ import annotations

import ast
import operator
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.resources import files
from typing import Any, Literal

from toolmend.base.messages import Message, Request
from toolmend.extras.agents.bench import Bench
from toolmend.extras.agents.system import AgentSystem, AgentTask, Scored, shipped
from toolmend.models import Model
from toolmend.models.scripted import Scripted


@dataclass
class Chain:
    """Chain of thought (Wei et al. 2022): one reply, steps first, the answer at its end."""

    async def think(self, bench: Bench, puzzle: Puzzle) -> str | None:
        """The answer."""
        return await _conclude(bench, puzzle)


@dataclass
class Consistent:
    """Self-consistency (Wang et al. 2022): the answer that most of `samples` chains come to, the earliest of equals."""

    samples: int = field(default=10, metadata={"least": 1, "most": 100})
    temperature: float = 0.7

    async def think(self, bench: Bench, puzzle: Puzzle) -> str | None:
        """The answer."""
        votes = Counter[str]()
        for number in range(self.samples):
            answer = await _conclude(bench, puzzle, **_heat(bench, self.temperature, number))
            if answer is not None:
                votes[answer.replace(" ", "")] += 1
                bench.answer = votes.most_common(1)[0][0]
        return votes.most_common(1)[0][0] if votes else None


async def _conclude(bench: Bench, puzzle: Puzzle, **heat: Any) -> str | None:
    reply = await bench.ask(puzzle.chain(), role="chain", **heat)
    answer = puzzle.concluded(reply.text)
    bench.heard(answer is not None, "no answer at the end")
    return answer


def _heat(bench: Bench, temperature: float, number: int) -> dict[str, Any]:
    return {"temperature": temperature, "seed": (bench.options.seed or 0) + number}


@dataclass
class Tree:
    """Tree of thoughts: of each level the `breadth` best are kept (bfs), or the best is followed first and one that is
    worth less than `least` not at all (dfs). A judgement is the sum of `samples` replies."""

    search: Literal["bfs", "dfs"] = "bfs"
    judge: Literal["value", "vote"] = "value"
    breadth: int = field(default=5, metadata={"least": 1, "most": 50})
    depth: int = field(default=8, metadata={"least": 1, "most": 50})
    samples: int = field(default=3, metadata={"least": 1, "most": 50})
    least: float = field(default=0.01, metadata={"least": 0})
    temperature: float = 0.7

    async def think(self, bench: Bench, puzzle: Puzzle) -> str | None:
        """The answer of the best state at its end; None where none is."""
        worth: dict[Thought, float] = {}
        if self.search == "dfs":
            return await self._deeper(bench, puzzle, puzzle.root, worth, self.depth)
        level = [puzzle.root]
        for _ in range(self.depth):
            following = [thought for one in level for thought in await self._propose(bench, puzzle, one)]
            if not following:
                break
            level = (await self._judged(bench, puzzle, following, worth))[: self.breadth]
            bench.answer = next((answer for one in level if (answer := puzzle.answer(one)) is not None), None)
            if bench.answer is not None:
                break
        return bench.answer  # type: ignore[no-any-return]

    async def _deeper(
        self, bench: Bench, puzzle: Puzzle, thought: Thought, worth: dict[Thought, float], left: int
    ) -> str | None:
        if (answer := puzzle.answer(thought)) is not None:
            bench.answer = bench.answer if bench.answer is not None else answer
            return answer if (puzzle.known(thought) or 0) >= self.least else None
        following = await self._propose(bench, puzzle, thought) if left else []
        for one in (await self._judged(bench, puzzle, following, worth))[: self.breadth]:
            if worth[one] < self.least:
                break
            if (deeper := await self._deeper(bench, puzzle, one, worth, left - 1)) is not None:
                return deeper
        return None if left < self.depth else bench.answer

    async def _propose(self, bench: Bench, puzzle: Puzzle, thought: Thought) -> list[Thought]:
        if puzzle.answer(thought) is not None:
            return []
        reply = await bench.ask(puzzle.propose(thought), role="propose", temperature=self.temperature)
        following = puzzle.proposed(thought, reply.text)
        bench.heard(bool(following), "no step")
        return following

    async def _judged(
        self, bench: Bench, puzzle: Puzzle, thoughts: Sequence[Thought], worth: dict[Thought, float]
    ) -> list[Thought]:
        """The different thoughts, best first; nothing is asked twice, nor what can be computed."""
        unknown = []
        for thought in dict.fromkeys(thoughts):
            if thought not in worth:
                known = puzzle.known(thought)
                worth[thought] = known or 0.0
                unknown += [thought] if known is None else []
        vote = self.judge == "vote" and len(unknown) > 1
        role = "vote" if vote else "value"
        for group in [unknown] if vote else [[thought] for thought in unknown]:
            for number in range(self.samples):
                prompt = puzzle.vote(group) if vote else puzzle.value(group[0])
                reply = await bench.ask(prompt, role=role, **_heat(bench, self.temperature, number))
                place = puzzle.voted(reply.text, len(group)) if vote else 0
                value = 1.0 if vote else puzzle.valued(reply.text)
                readable = place is not None and value is not None
                bench.heard(readable, f"no {role}")
                if place is not None:
                    worth[group[place]] += value or 0.0
        return sorted(dict.fromkeys(thoughts), key=lambda thought: -worth[thought])


Thought = tuple[tuple[Fraction, str], ...]
"""The numbers that are left, each with the expression it came from."""
Prompt = tuple[Message, ...]

FIRST = 900
GOAL = Fraction(24)
LONGEST = 200
_OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
_NODES = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_VALUES = {"impossible": 0.001, "likely": 1.0, "sure": 20.0}
_STEP = re.compile(r"(-?\d+(?:/\d+)?)\s*([-+*/×÷])\s*(-?\d+(?:/\d+)?)\s*=\s*(-?\d+(?:/\d+)?)")
_SIGNS = {"×": "*", "÷": "/"}


class Game24(AgentSystem):
    """The hundred puzzles."""

    name = "game24"
    about = "four numbers, each used once, make 24; puzzles 900–999 of those that can be solved, easiest first"
    ways: Mapping[str, Any] = {"cot": Chain, "sc": Consistent, "tot": Tree}
    steps = 1000

    def tasks(self) -> Sequence[AgentTask]:
        """One for each line of the file."""
        numbers = [row.partition(":")[0] for row in _rows()]
        return [
            AgentTask(str(FIRST + place), f"Make 24 of {row}", "24", [int(number) for number in row.split()])
            for place, row in enumerate(numbers)
        ]

    def oracle(self, task: AgentTask, way: Any) -> Model:
        """It knows the steps of one solution."""
        steps, states = _solved(task)
        path = list(map(_shown, states))

        def right(request: Request) -> str:
            rules, said = request.messages[0].content, request.messages[-1].content
            if "Name its place" in rules:
                choices = re.findall(r"^\d+: (.+)$", said, re.MULTILINE)
                return f"Best: {next((place for place, row in enumerate(choices, 1) if row in path), 1)}"
            state = said.rpartition("Input: ")[2]
            if "end with one word" in rules:
                return "sure" if state in path else "impossible"
            if "next steps" in rules:
                return steps[path.index(state)] if state in path[:-1] else "no step"
            return f"Answer: {self.reference(task)}"

        return Scripted(right, "scripted/oracle")

    def reference(self, task: AgentTask) -> str:
        """An expression that makes 24."""
        return _solved(task)[1][-1][0][1]

    async def solve(self, bench: Bench, task: AgentTask, way: Any) -> str | None:
        """Think in that way."""
        answer: str | None = await way.think(bench, Puzzle(tuple(task.data)))
        return answer

    def score(self, task: AgentTask, answer: Any) -> Scored:
        """1 for an expression that makes 24 of exactly these numbers."""
        problem = problem_of(answer, tuple(task.data))
        return Scored(0.0 if problem else 1.0, problem)


@dataclass(frozen=True)
class Puzzle:
    """What is asked of four numbers, and what is read in the replies: None or nothing where that cannot be."""

    numbers: tuple[int, ...]

    @property
    def root(self) -> Thought:
        """All numbers, and no step yet."""
        return tuple((Fraction(number), str(number)) for number in sorted(self.numbers))

    def chain(self) -> Prompt:
        """Asks for all steps and the answer at once."""
        return _prompt("chain", f"Input: {' '.join(map(str, self.numbers))}")

    def concluded(self, text: str) -> str | None:
        """The answer at the end of a chain."""
        said = re.findall(r"answer\s*:\s*(.+)", text.partition("Input:")[0], re.IGNORECASE)
        return said[-1].partition("=")[0].strip(" .`*") or None if said else None

    def propose(self, thought: Thought) -> Prompt:
        """Asks for possible next steps."""
        return _prompt("propose", f"Input: {_shown(thought)}")

    def proposed(self, thought: Thought, text: str) -> list[Thought]:
        """What is left after each step that is right."""
        steps = _STEP.findall(text.partition("Input:")[0])
        following = [_taken(thought, left, _SIGNS.get(sign, sign), right, said) for left, sign, right, said in steps]
        return [later for later in following if later is not None]

    def value(self, thought: Thought) -> Prompt:
        """Asks whether a state can still make 24."""
        return _prompt("value", f"Input: {_shown(thought)}")

    def valued(self, text: str) -> float | None:
        """What that is worth."""
        words = re.findall("impossible|likely|sure", text.partition("Input:")[0].lower())
        return _VALUES[words[-1]] if words else None

    def vote(self, thoughts: Sequence[Thought]) -> Prompt:
        """Asks which of several is the most promising."""
        return _prompt("vote", "\n".join(f"{place}: {_shown(thought)}" for place, thought in enumerate(thoughts, 1)))

    def voted(self, text: str, count: int) -> int | None:
        """Its place, from 0."""
        said = re.findall(r"best\D{0,9}(\d+)", text.lower())
        return int(said[-1]) - 1 if said and 1 <= int(said[-1][:4]) <= count else None

    def known(self, thought: Thought) -> float | None:
        """What a state is worth where that can be computed."""
        return None if len(thought) > 1 else _VALUES["sure"] if thought[0][0] == GOAL else 0.0

    def answer(self, thought: Thought) -> str | None:
        """The expression that a state at its end is."""
        return thought[0][1] if len(thought) == 1 else None


def _prompt(name: str, said: str) -> Prompt:
    """The rules, the examples as turns of a talk, and what is asked."""
    prompt = shipped("thinking/game24.yaml")[name]
    turns = [turn for asked, right in prompt["shown"] for turn in (Message("user", asked), Message("assistant", right))]
    return (Message("system", prompt["rules"]), *turns, Message("user", said))


def _shown(thought: Thought) -> str:
    return " ".join(str(number) for number, _ in thought)


def _taken(thought: Thought, left: str, sign: str, right: str, result: str) -> Thought | None:
    """What is left after a step; None where it takes numbers that are not there, or its arithmetic is wrong."""
    try:
        first, second, said = Fraction(left), Fraction(right), Fraction(result)
    except (ValueError, ZeroDivisionError):
        return None
    rest = list(thought)
    taken = []
    for wanted in (first, second):
        place = next((place for place, (number, _) in enumerate(rest) if number == wanted), None)
        if place is None:
            return None
        taken.append(rest.pop(place)[1])
    if combine(first, sign, second) != said:
        return None
    if sign in "+*":
        taken.sort()
    return tuple(sorted([*rest, (said, f"({taken[0]} {sign} {taken[1]})")]))


def _rows() -> list[str]:
    return files(__package__).joinpath("game24.txt").read_text(encoding="ascii").splitlines()


def _solved(task: AgentTask) -> tuple[list[str], list[Thought]]:
    """The steps of the file that solve a puzzle, and the states from the first to the last."""
    steps = _rows()[int(task.id) - FIRST].partition(": ")[2].split("; ")
    puzzle = Puzzle(tuple(task.data))
    states = [puzzle.root]
    for step in steps:
        states += puzzle.proposed(states[-1], step)
    return steps, states


def combine(left: Fraction, sign: str, right: Fraction) -> Fraction | None:
    """The result of one operation, None where there is none."""
    return None if sign == "/" and not right else _OPERATORS[sign](left, right)


def problem_of(text: object, numbers: tuple[int, ...]) -> str:
    """What is wrong with an expression that should make 24 of exactly these numbers; "" where it does."""
    if not isinstance(text, str) or not text.strip():
        return "no expression"
    if len(text) > LONGEST:
        return f"more than {LONGEST} characters"
    written = text.strip().replace("×", "*").replace("÷", "/").replace("−", "-")
    used: list[int] = []
    try:
        value = _value(ast.parse(written, mode="eval").body, used)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"no sum of numbers ({error})"
    if sorted(used) != sorted(numbers):
        return f"uses {used}, not {list(numbers)}"
    return "" if value == GOAL else f"makes {value}"


def _value(node: ast.expr, used: list[int]) -> Fraction:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        used.append(node.value)
        return Fraction(node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in _NODES:
        value = combine(_value(node.left, used), _NODES[type(node.op)], _value(node.right, used))
        if value is None:
            raise ValueError("division by zero")
        return value
    raise ValueError(f"{type(node).__name__} is not allowed")
