"""Pairs of least cost, against trying all."""

from __future__ import annotations

from itertools import combinations, permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.grading.grade import pair

matrices = st.integers(1, 5).flatmap(
    lambda columns: st.lists(st.lists(st.integers(0, 9), min_size=columns, max_size=columns), min_size=1, max_size=5)
)


def cheapest(costs: list[list[int]], ordered: bool) -> int:
    rows, columns = len(costs), len(costs[0])
    size = min(rows, columns)
    ways = combinations if ordered else permutations
    return min(
        sum(costs[row][column] for row, column in zip(chosen_rows, chosen_columns, strict=True))
        for chosen_rows in combinations(range(rows), size)
        for chosen_columns in ways(range(columns), size)
    )


@given(matrices, st.booleans())
@settings(deadline=None, max_examples=200)
def test_pairs_are_the_cheapest(costs: list[list[int]], ordered: bool) -> None:
    pairs = pair(costs, ordered)
    assert len(pairs) == min(len(costs), len(costs[0]))
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == len(pairs)
    assert sum(costs[row][column] for row, column in pairs) == cheapest(costs, ordered)
    if ordered:
        assert [column for _, column in pairs] == sorted(column for _, column in pairs)


def test_nothing_to_pair() -> None:
    assert pair([], False) == []
    assert pair([[]], True) == []
