"""The Game of 24: which four numbers can make it, how hard that is, whether an expression does. Exact arithmetic.

Difficulty is measured by the number of different ways of three steps that lead to 24: the fewer, the harder. (The list
of the paper is ordered by the time that people took, which cannot be had here.)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement

State = tuple[Fraction, ...]
GOAL = Fraction(24)
LONGEST = 200
_OPERATIONS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


def combine(left: Fraction, sign: str, right: Fraction) -> Fraction | None:
    """The result of one operation, None where there is none."""
    if sign == "+":
        return left + right
    if sign == "-":
        return left - right
    if sign == "*":
        return left * right
    return left / right if sign == "/" and right else None


def moves(state: State) -> Iterator[tuple[Fraction, str, Fraction, State]]:
    """Every different step: two numbers of the state, the sign between them, and the sorted state after it."""
    seen = set[tuple[Fraction, str, Fraction]]()
    for first, second in combinations(range(len(state)), 2):
        rest = [number for place, number in enumerate(state) if place not in (first, second)]
        low, high = sorted((state[first], state[second]))
        for left, sign, right in ((high, "+", low), (high, "*", low), (high, "-", low), (low, "-", high)):
            if (left, sign, right) not in seen:
                seen.add((left, sign, right))
                yield left, sign, right, tuple(sorted([*rest, _whole(combine(left, sign, right))]))
        for left, right in ((high, low), (low, high)):
            if right and (left, "/", right) not in seen:
                seen.add((left, "/", right))
                yield left, "/", right, tuple(sorted([*rest, left / right]))


def _whole(value: Fraction | None) -> Fraction:
    assert value is not None
    return value


@cache
def ways(state: State) -> int:
    """In how many different ways of steps the sorted state comes to 24."""
    if len(state) == 1:
        return int(state[0] == GOAL)
    return sum(ways(after) for *_, after in moves(state))


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
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        value = combine(_value(node.left, used), _OPERATIONS[type(node.op)], _value(node.right, used))
        if value is None:
            raise ValueError("division by zero")
        return value
    raise ValueError(f"{type(node).__name__} is not allowed")
