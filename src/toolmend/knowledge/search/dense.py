"""Passages by their vectors: exactly, by one product of a matrix in memory, or in large libraries by faiss.

Exact takes any filter, needs no building, and is right. Under a filter that keeps little an inverted file loses
answers, so a filter is answered exactly there as well.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolmend.errors import MissingExtra
from toolmend.knowledge.search.embedder import Vectors

FROM = 200_000
"""Passages from which on faiss is used."""
_AGAIN = 4  # times k are compared exactly
_PROBES, _CELLS_A_PROBE = 8, 150
"""Cells that are looked at: eight at least, and one of 150; recall@10 above 0.97 at 100,000 and a million."""

Ids = NDArray[np.int64]


class Exact:
    """Vectors of length 1 under rising numbers, every one compared. `way`: how, and where."""

    way = "in memory, exact"

    def __init__(self, ids: Ids, matrix: Vectors) -> None:
        self._ids, self._matrix = ids, np.ascontiguousarray(matrix, dtype=np.float32)

    def search(self, vector: Vectors, k: int, among: Sequence[int] | None = None) -> list[tuple[int, float]]:
        """The `k` nearest to a vector, as number and cosine, the nearest first; with `among` none but these."""
        if among is None:
            return best(self._ids, self._matrix @ vector, k)
        rows = rows_of(self._ids, among)
        return best(self._ids[rows], self._matrix[rows] @ vector, k)


class Faiss(Exact):
    """Vectors in cells, of which the nearest few are looked at. `file` keeps the built index where it is given."""

    way = "faiss, IVF and SQ8"

    def __init__(self, ids: Ids, matrix: Vectors, file: Path | None = None, probes: int | None = None) -> None:
        super().__init__(ids, matrix)
        try:
            import faiss
        except ImportError as error:
            raise MissingExtra(f"dense search over {FROM:,} passages and more", "faiss") from error
        self._faiss: Any = faiss
        self._index = self._load(file) if file is not None and file.exists() else self._build(file)
        self._index.nprobe = probes or max(_PROBES, self._index.nlist // _CELLS_A_PROBE)

    def search(self, vector: Vectors, k: int, among: Sequence[int] | None = None) -> list[tuple[int, float]]:
        """The `k` nearest."""
        if among is not None:
            return super().search(vector, k, among)
        _, rows = self._index.search(np.ascontiguousarray(vector[None], dtype=np.float32), _AGAIN * k)
        near = np.sort(rows[0][rows[0] >= 0])
        return best(self._ids[near], self._matrix[near] @ vector, k)

    def _build(self, file: Path | None) -> Any:
        count, width = self._matrix.shape
        cells = max(1, min(4 * math.isqrt(count), count // 39))
        made = self._faiss.index_factory(width, f"IVF{cells},SQ8", self._faiss.METRIC_INNER_PRODUCT)
        chosen = np.random.default_rng(0).choice(count, min(count, 40 * cells), replace=False)
        made.train(self._matrix[np.sort(chosen)])
        made.add(self._matrix)
        if file is not None:
            self._write(made, file)
        return made

    def _write(self, made: Any, file: Path) -> None:
        """Whole or not at all, and nothing of an earlier state beside it."""
        part = file.with_name(f"{file.name}.{os.getpid()}.part")
        self._faiss.write_index(made, str(part))
        part.replace(file)
        for old in file.parent.glob(f"{file.stem.rpartition('-')[0]}-*{file.suffix}"):
            if old != file:
                old.unlink(missing_ok=True)

    def _load(self, file: Path) -> Any:
        """The index in a file; made anew if it cannot be read or is of another size."""
        try:
            found = self._faiss.read_index(str(file))
        except RuntimeError:
            return self._build(file)
        return found if (found.ntotal, found.d) == self._matrix.shape else self._build(file)


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
