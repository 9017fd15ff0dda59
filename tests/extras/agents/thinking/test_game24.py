"""Game of 24: its list, its checker, and the ways of thinking about it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement

import pytest

import wrong_answers
from toolmend.base.messages import Request
from toolmend.base.portal import run_sync
from toolmend.extras.agents.bench import Bench
from toolmend.extras.agents.selftest import test_system as tried
from toolmend.extras.agents.system import load_way
from toolmend.extras.agents.thinking.game24 import GOAL, Game24, combine, problem_of
from toolmend.models.scripted import Scripted
from wrong_answers import accepted

State = tuple[Fraction, ...]


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


def test_the_file_is_the_list_as_it_is_made() -> None:
    every = by_difficulty()
    assert len(every) == 1362
    assert [tuple(task.data) for task in Game24().tasks()] == every[900:1000]


def test_difficulty_is_the_number_of_ways() -> None:
    def count(*numbers: int) -> int:
        return ways(tuple(map(Fraction, numbers)))

    assert (count(24), count(12, 12), count(1, 4, 8, 12), count(3, 3, 8, 8), count(1, 1, 1, 1)) == (1, 1, 115, 1, 0)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("8 / (3 - 8 / 3)", ""),
        ("8÷(3−8÷3)", ""),
        ("8 / (3 - 8 / 3) = 24", "no sum of numbers"),
        ("8 / (3 - 3) * 8", "no sum of numbers (division by zero)"),
        ("3 * 8", "uses [3, 8], not [3, 3, 8, 8]"),
        ("3 * 8 + 3 - 8", "makes 19"),
        ("__import__('os')", "no sum of numbers (Call is not allowed)"),
        ("(" * 150 + "3" + ")" * 150, "more than 200 characters"),
        ("True", "no sum of numbers (Constant is not allowed)"),
        (None, "no expression"),
    ],
)
def test_only_an_expression_of_all_numbers_that_makes_24_is_right(text: object, problem: str) -> None:
    said = problem_of(text, (3, 3, 8, 8))
    assert said == problem or said.startswith(problem + " ") * bool(problem)


def test_the_system_judges_as_it_should() -> None:
    trials = run_sync(tried, Game24())
    assert (len(trials), [trial for trial in trials if trial.problem]) == (603, [])
    assert accepted(Game24(), wrong_answers.game24) == []


@pytest.mark.parametrize("way", ["tot?search=dfs", "tot?judge=vote", "tot?search=dfs&judge=vote&breadth=1"])
def test_the_oracle_finds_it_by_every_search(way: str) -> None:
    system, made = Game24(), load_way(Game24(), way)[1]
    for task in system.tasks()[:5]:
        bench = Bench(system.oracle(task, made), steps=system.steps)
        assert system.score(task, run_sync(system.solve, bench, task, made)).value == 1


def thought(way: str, *replies: str) -> tuple[str | None, list[Request]]:
    """What a way comes to on the first puzzle, 1 2 2 7, and what it asked."""
    system, model = Game24(), Scripted(replies)
    answer = run_sync(system.solve, Bench(model, steps=100), system.tasks()[0], load_way(system, way)[1])
    return answer, model.requests


def test_a_vote_over_chains_takes_what_most_say() -> None:
    answer, requests = thought("sc?samples=4", "Answer: 1 + 7", "hm", "Answer: 2 * 7", "Answer: 2*7")
    assert answer == "2*7"
    assert [request.options.seed for request in requests] == [0, 1, 2, 3]


def test_breadth_first_keeps_the_best_and_asks_of_nothing_twice() -> None:
    steps = "2 + 1 = 3\n2 * 7 = 14\n1 + 2 = 3\n2 + 2 = 5\n9 - 1 = 8"
    answer, requests = thought("tot?breadth=1&samples=1&depth=2", steps, "impossible", "sure", "14 + 2 = 16", "likely")
    assert answer is None  # not at an end after two steps
    assert len(requests) == 5  # two different steps that are right, one of the best, its one follower
    assert requests[3].messages[-1].content == "Input: 1 2 14"


def test_depth_first_goes_no_further_where_all_is_impossible() -> None:
    answer, requests = thought(
        "tot?search=dfs&samples=1&least=0.5", "2 * 7 = 14\n2 + 7 = 9", "impossible", "impossible"
    )
    assert (answer, len(requests)) == (None, 3)
