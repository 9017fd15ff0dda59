"""Passages by their vectors: one method, and the exact way of it, which is one product of a matrix in memory.

Exact takes any filter, needs no building, and is right. What is faster and may miss some is ann.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from toolmend.knowledge.search.embedder import Vectors

Ids = NDArray[np.int64]


class Index(Protocol):
    """Vectors of length 1 under rising numbers. `way`: how they are compared, and where."""

    way: str

    def search(self, vector: Vectors, k: int, among: Sequence[int] | None = None) -> list[tuple[int, float]]:
        """The `k` nearest to a vector, as number and cosine, the nearest first; with `among` none but these."""
        ...


class Exact:
    """Every vector compared."""

    way = "in memory, exact"

    def __init__(self, ids: Ids, matrix: Vectors) -> None:
        self._ids, self._matrix = ids, np.ascontiguousarray(matrix, dtype=np.float32)

    def search(self, vector: Vectors, k: int, among: Sequence[int] | None = None) -> list[tuple[int, float]]:
        """The `k` nearest."""
        if among is None:
            return best(self._ids, self._matrix @ vector, k)
        rows = rows_of(self._ids, among)
        return best(self._ids[rows], self._matrix[rows] @ vector, k)


def rows_of(ids: Ids, among: Sequence[int]) -> NDArray[np.intp]:
    """The rows of those of the numbers that are there."""
    wanted = np.asarray(among, dtype=np.int64)
    rows = np.searchsorted(ids, wanted)
    there = rows < len(ids)
    there[there] = ids[rows[there]] == wanted[there]
    found: NDArray[np.intp] = rows[there]
    return found


def best(ids: Ids, scores: NDArray[np.float32], k: int) -> list[tuple[int, float]]:
    """The `k` greatest scores with their numbers; among equals the smaller number first."""
    if k < len(scores):
        near = np.argpartition(-scores, k - 1)[:k]
        least = scores[near].min()
        near = np.flatnonzero(scores >= least)
    else:
        near = np.arange(len(scores))
    ordered = near[np.lexsort((ids[near], -scores[near]))][: max(k, 0)]
    return [(int(ids[row]), float(scores[row])) for row in ordered]
