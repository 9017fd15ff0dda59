"""Which call of a reply answers which expected call: the pairing of least total cost, in any order or in order.

Knows costs only.
"""

from __future__ import annotations

from collections.abc import Sequence

Costs = Sequence[Sequence[float]]
"""A row per expected call, a column per call made."""


def pair(costs: Costs, ordered: bool) -> list[tuple[int, int]]:
    """Pairs (row, column) of least total cost, as many as the smaller side has; increasing if `ordered`."""
    rows, columns = len(costs), len(costs[0]) if costs else 0
    if not rows or not columns:
        return []
    if rows > columns:
        turned = [[costs[row][column] for row in range(rows)] for column in range(columns)]
        return sorted((row, column) for column, row in pair(turned, ordered))
    return _in_order(costs) if ordered else _any_order(costs)


def _in_order(costs: Costs) -> list[tuple[int, int]]:
    """Every row takes a column, columns increasing: the cheapest way by dynamic programming."""
    rows, columns = len(costs), len(costs[0])
    best: list[list[float]] = [[0.0] * (columns + 1)]
    for row in range(rows):
        line = [float("inf")] * (columns + 1)
        for column in range(row, columns):
            line[column + 1] = min(line[column], best[row][column] + costs[row][column])
        best.append(line)
    pairs, column = [], columns
    for row in range(rows, 0, -1):
        while best[row][column - 1] <= best[row][column]:
            column -= 1
        pairs.append((row - 1, column - 1))
        column -= 1
    return pairs[::-1]


def _any_order(costs: Costs) -> list[tuple[int, int]]:
    """The Hungarian method with shortest augmenting paths, for no more rows than columns."""
    rows, columns = len(costs), len(costs[0])
    row_price, column_price = [0.0] * (rows + 1), [0.0] * (columns + 1)
    owner = [0] * (columns + 1)  # the row (from 1) that has a column (from 1); column 0 is where a path starts
    for row in range(1, rows + 1):
        owner[0] = row
        _augment(costs, owner, row_price, column_price)
    return sorted((owner[column] - 1, column - 1) for column in range(1, columns + 1) if owner[column])


def _augment(costs: Costs, owner: list[int], row_price: list[float], column_price: list[float]) -> None:
    columns = len(owner) - 1
    nearest = [float("inf")] * (columns + 1)
    came_from = [0] * (columns + 1)
    visited = [False] * (columns + 1)
    column = 0
    while owner[column]:
        visited[column] = True
        row, step, following = owner[column], float("inf"), 0
        for other in range(1, columns + 1):
            if visited[other]:
                continue
            reduced = costs[row - 1][other - 1] - row_price[row] - column_price[other]
            if reduced < nearest[other]:
                nearest[other], came_from[other] = reduced, column
            if nearest[other] < step:
                step, following = nearest[other], other
        for other in range(columns + 1):
            if visited[other]:
                row_price[owner[other]] += step
                column_price[other] -= step
            else:
                nearest[other] -= step
        column = following
    while column:
        owner[column] = owner[came_from[column]]
        column = came_from[column]
