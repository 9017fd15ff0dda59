"""Suite `game24`: four numbers make 24. Puzzles 900–999 of all that can be solved, thought about in any way.

The easiest come first: difficulty is the number of different ways of three steps that lead to 24. (The list of the
paper is ordered by the time that people took, which cannot be had here.) A thought is the numbers that are left and the
expressions they came from. A proposed step counts only if its arithmetic is right; what is left after it, and the
expression in the end, are computed and not asked for.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import combinations, combinations_with_replacement
from typing import Any

from toolmend.agents.bench import Bench
from toolmend.agents.system import AgentSystem, AgentTask, PublishedFigure, Scored
from toolmend.agents.thinking.thoughts import Chain, Consistent, Tree
from toolmend.messages import Message, Request
from toolmend.models import Model
from toolmend.models.scripted import Scripted

State = tuple[Fraction, ...]
Thought = tuple[tuple[Fraction, str], ...]
"""The numbers that are left, each with the expression it came from."""
Prompt = tuple[Message, ...]

FIRST = 900
GOAL = Fraction(24)
LONGEST = 200
_OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
_NODES = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_RULES = "The goal is 24. A step takes two of the numbers, joins them with + - * or /, and leaves the result."
_CHAIN = (
    f"{_RULES} Write each step, then the whole expression, which uses every number of the input once.",
    (
        "Input: 3 5 6 8",
        "8 - 5 = 3 (left: 3 3 6)\n3 * 6 = 18 (left: 3 18)\n18 + 3 = 21, that is not 24. Another try:\n"
        "6 - 5 = 1 (left: 1 3 8)\n3 * 8 = 24 (left: 1 24)\n24 * 1 = 24\nAnswer: 3 * 8 * (6 - 5)",
    ),
    ("Input: 2 2 4 10", "10 - 4 = 6 (left: 2 2 6)\n2 + 2 = 4 (left: 4 6)\n4 * 6 = 24\nAnswer: (2 + 2) * (10 - 4)"),
)
_PROPOSE = (
    f"{_RULES} Write several possible next steps, one a line.",
    ("Input: 2 8 8 14", "2 + 8 = 10 (left: 8 10 14)\n8 / 2 = 4 (left: 4 8 14)\n14 - 8 = 6 (left: 2 6 8)"),
    ("Input: 4 5 6", "4 + 5 = 9 (left: 6 9)\n6 - 4 = 2 (left: 2 5)\n5 * 6 = 30 (left: 4 30)"),
)
_VALUE = (
    f"{_RULES} Can these numbers still make 24? Try a little, then end with one word: sure, likely or impossible.",
    ("Input: 4 4 10", "10 + 4 = 14, 14 + 4 = 18; 10 * 4 = 40, 40 - 4 = 36; 10 - 4 = 6, 6 * 4 = 24\nsure"),
    ("Input: 1 3", "1 + 3 = 4; 3 - 1 = 2; 1 * 3 = 3\nimpossible"),
    ("Input: 5 6 6", "5 + 6 + 6 = 17; 5 * 6 = 30, 30 - 6 = 24\nsure"),
)
_VOTE = (
    f"{_RULES} Which of these sets of numbers is the most likely to make 24? Name its place.",
    ("1: 1 3\n2: 4 6\n3: 5 5", "4 * 6 = 24\nBest: 2"),
)
_VALUES = {"impossible": 0.001, "likely": 1.0, "sure": 20.0}
_STEP = re.compile(r"(-?\d+(?:/\d+)?)\s*([-+*/×÷])\s*(-?\d+(?:/\d+)?)\s*=\s*(-?\d+(?:/\d+)?)")
_SIGNS = {"×": "*", "÷": "/"}


class Game24(AgentSystem):
    """The hundred puzzles."""

    name = "game24"
    about = "four numbers, each used once, make 24; puzzles 900–999 of those that can be solved, easiest first"
    ways: Mapping[str, Any] = {"cot": Chain, "sc": Consistent, "tot": Tree}
    steps = 1000
    beside = (
        PublishedFigure(
            "GPT-4, chain of thought, the paper's list", "4 %", "Yao et al. 2023, arXiv 2305.10601, table 2"
        ),
        PublishedFigure("GPT-4, tree of thoughts, b = 5", "74 % (the authors' own rerun: 69 %)", "table 2; their code"),
    )

    def tasks(self) -> Sequence[AgentTask]:
        """One for each line of the file."""
        rows = files(__package__).joinpath("game24.txt").read_text(encoding="ascii").split("\n")
        return [
            AgentTask(str(FIRST + place), f"Make 24 of {row}", "24", [int(number) for number in row.split()])
            for place, row in enumerate(filter(None, rows))
        ]

    def oracle(self, task: AgentTask, way: Any) -> Model:
        """It solves what stands in the last line of a prompt."""
        return Scripted(_right, "scripted/oracle")

    def reference(self, task: AgentTask) -> str:
        """An expression that makes 24."""
        return _solved(Puzzle(tuple(task.data)).root)

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
        return _prompt(_CHAIN, f"Input: {' '.join(map(str, self.numbers))}")

    def concluded(self, text: str) -> str | None:
        """The answer at the end of a chain."""
        said = re.findall(r"answer\s*:\s*(.+)", text.partition("Input:")[0], re.IGNORECASE)
        return said[-1].partition("=")[0].strip(" .`*") or None if said else None

    def propose(self, thought: Thought) -> Prompt:
        """Asks for possible next steps."""
        return _prompt(_PROPOSE, f"Input: {_shown(thought)}")

    def proposed(self, thought: Thought, text: str) -> list[Thought]:
        """What is left after each step that is right."""
        steps = _STEP.findall(text.partition("Input:")[0])
        following = [_taken(thought, left, _SIGNS.get(sign, sign), right, said) for left, sign, right, said in steps]
        return [each for each in following if each is not None]

    def value(self, thought: Thought) -> Prompt:
        """Asks whether a state can still make 24."""
        return _prompt(_VALUE, f"Input: {_shown(thought)}")

    def valued(self, text: str) -> float | None:
        """What that is worth."""
        words = re.findall("impossible|likely|sure", text.partition("Input:")[0].lower())
        return _VALUES[words[-1]] if words else None

    def vote(self, thoughts: Sequence[Thought]) -> Prompt:
        """Asks which of several is the most promising."""
        return _prompt(_VOTE, "\n".join(f"{place}: {_shown(thought)}" for place, thought in enumerate(thoughts, 1)))

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


def _prompt(shown: Sequence[Any], said: str) -> Prompt:
    """The rules, the examples as turns of a talk, and what is asked."""
    rules, *examples = shown
    turns = [message for asked, right in examples for message in (Message("user", asked), Message("assistant", right))]
    return (Message("system", rules), *turns, Message("user", said))


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


def _right(request: Request) -> str:
    """What the oracle says to a prompt of this suite."""
    rules, said = request.messages[0].content, request.messages[-1].content
    if "Name its place" in rules:
        choices = re.findall(r"^\d+: (.+)$", said, re.MULTILINE)
        return f"Best: {next((place for place, row in enumerate(choices, 1) if ways(_state(row))), 1)}"
    state = _state(said.rpartition("Input: ")[2])
    if "end with one word" in rules:
        return "sure" if ways(state) else "impossible"
    if "next steps" in rules:
        left, sign, right = solution(state)[0] if ways(state) else (state[0], "+", state[1])
        return f"{left} {sign} {right} = {combine(left, sign, right)}"
    return f"Answer: {_solved(tuple((number, str(number)) for number in state))}"


def _state(row: str) -> State:
    return tuple(sorted(Fraction(number) for number in row.split()))


def _solved(thought: Thought) -> str:
    for left, sign, right in solution(tuple(number for number, _ in thought)):
        after = _taken(thought, str(left), sign, str(right), str(combine(left, sign, right)))
        assert after is not None
        thought = after
    return thought[0][1]


def combine(left: Fraction, sign: str, right: Fraction) -> Fraction | None:
    """The result of one operation, None where there is none."""
    return None if sign == "/" and not right else _OPERATORS[sign](left, right)


def moves(state: State) -> Iterator[tuple[Fraction, str, Fraction, State]]:
    """Every different step: two numbers of the state, the sign between them, and the sorted state after it."""
    seen = set[tuple[Fraction, str, Fraction]]()
    for first, second in combinations(range(len(state)), 2):
        rest = [number for place, number in enumerate(state) if place not in (first, second)]
        low, high = sorted((state[first], state[second]))
        for left, signs, right in ((high, "+*-", low), (low, "-", high), (high, "/", low), (low, "/", high)):
            for sign in signs:
                result = combine(left, sign, right)
                if result is not None and (left, sign, right) not in seen:
                    seen.add((left, sign, right))
                    yield left, sign, right, tuple(sorted([*rest, result]))


@cache
def ways(state: State) -> int:
    """In how many different ways of steps the sorted state comes to 24."""
    return int(state[0] == GOAL) if len(state) == 1 else sum(ways(after) for *_, after in moves(state))


def solution(state: State) -> list[tuple[Fraction, str, Fraction]]:
    """The steps of one way to 24; none where there is none."""
    for left, sign, right, after in moves(state):
        if ways(after):
            return [(left, sign, right), *solution(after)]
    return []


def by_difficulty() -> list[tuple[int, ...]]:
    """Every set of four numbers from 1 to 13 that makes 24, the easiest first: most ways, then the smaller numbers."""
    every = combinations_with_replacement(range(1, 14), 4)
    counted = [(ways(tuple(map(Fraction, numbers))), numbers) for numbers in every]
    return [numbers for count, numbers in sorted(counted, key=lambda row: (-row[0], row[1])) if count]


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
