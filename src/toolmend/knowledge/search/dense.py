"""Passages by their vectors: exactly, by one product of a matrix in memory, or in large libraries by faiss.

Exact needs no building, and is right.
"""

from __future__ import annotations

import math
import os
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

    def search(self, vector: Vectors, k: int) -> list[tuple[int, float]]:
        """The `k` nearest to a vector, as number and cosine, the nearest first."""
        return best(self._ids, self._matrix @ vector, k)


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
        index = self._read(file)
        self._index = self._built(file) if index is None else index
        self._index.nprobe = probes or max(_PROBES, self._index.nlist // _CELLS_A_PROBE)

    def search(self, vector: Vectors, k: int) -> list[tuple[int, float]]:
        """The `k` nearest."""
        _, rows = self._index.search(np.ascontiguousarray(vector[None], dtype=np.float32), _AGAIN * k)
        near = np.sort(rows[0][rows[0] >= 0])
        return best(self._ids[near], self._matrix[near] @ vector, k)

    def _read(self, file: Path | None) -> Any:
        """The index in a file; None if there is none that can be read, of this size."""
        try:
            found = self._faiss.read_index(str(file)) if file and file.exists() else None
        except RuntimeError:
            return None
        return found if found is not None and (found.ntotal, found.d) == self._matrix.shape else None

    def _built(self, file: Path | None) -> Any:
        """The index built anew; written whole or not at all, and nothing of an earlier state beside it."""
        count, width = self._matrix.shape
        cells = max(1, min(4 * math.isqrt(count), count // 39))
        made = self._faiss.index_factory(width, f"IVF{cells},SQ8", self._faiss.METRIC_INNER_PRODUCT)
        chosen = np.random.default_rng(0).choice(count, min(count, 40 * cells), replace=False)
        made.train(self._matrix[np.sort(chosen)])
        made.add(self._matrix)
        if file is not None:
            part = file.with_name(f"{file.name}.{os.getpid()}.part")
            self._faiss.write_index(made, str(part))
            part.replace(file)
            for old in file.parent.glob(f"{file.stem.rpartition('-')[0]}-*{file.suffix}"):
                if old != file:
                    old.unlink(missing_ok=True)
        return made


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
