"""Strongly connected groups against a plain search, and by hand."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as some

from toolmend.extras.arena.ratings.pairs import connectivity_warnings, is_strong, strong_groups


def table(size: int, *wins: tuple[int, int]) -> np.ndarray:
    made = np.zeros((size, size), dtype=np.bool_)
    for x, y in wins:
        made[x, y] = True
    return made


def test_a_circle_is_one_group() -> None:
    assert strong_groups(table(3, (0, 1), (1, 2), (2, 0))) == [[0, 1, 2]]
    assert is_strong(table(3, (0, 1), (1, 2), (2, 0)))


def test_a_chain_is_many() -> None:
    assert strong_groups(table(3, (0, 1), (1, 2))) == [[0], [1], [2]]
    assert not is_strong(table(3, (0, 1), (1, 2)))


def test_nobody_and_one() -> None:
    assert is_strong(table(0)) and is_strong(table(1))
    assert strong_groups(table(0)) == []


def test_many_names_are_cut_short() -> None:
    wins = [(0, 1), (1, 0), *((0, other) for other in range(2, 12))]
    [warning] = connectivity_warnings(table(12, *wins), [f"m{i}" for i in range(12)])
    assert warning.startswith("separable: m2, m3, m4, m5, m6 and 5 more won, or lost, every vote")


@settings(max_examples=100, deadline=None)
@given(
    some.integers(1, 7).flatmap(
        lambda n: some.tuples(some.just(n), some.sets(some.tuples(*[some.integers(0, n - 1)] * 2)))
    )
)
def test_groups_are_those_of_the_closure(drawn: tuple[int, set[tuple[int, int]]]) -> None:
    size, wins = drawn
    beaten = table(size, *wins)
    closure = beaten | np.eye(size, dtype=np.bool_)
    for _ in range(size):
        closure = closure @ closure
    mutual = closure & closure.T
    groups = strong_groups(beaten)
    assert sorted(x for group in groups for x in group) == list(range(size))
    for group in groups:
        assert set(np.flatnonzero(mutual[group[0]]).tolist()) == set(group)
    assert is_strong(beaten) == (len(groups) == 1)
