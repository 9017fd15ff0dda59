"""Passages by their vectors in libraries of hundreds of thousands: faiss, IVF with eight bits a number, then exact.

A filter is answered exactly on what it lets through: an inverted file under a filter that keeps little loses answers.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from toolmend.errors import MissingExtra
from toolmend.knowledge.search.dense import Exact, Ids, best
from toolmend.knowledge.search.embedder import Vectors

FROM = 200_000
_AGAIN = 4  # times k are compared exactly
_PROBES, _CELLS_A_PROBE = 8, 150
"""Cells that are looked at: eight at least, and one of 150; recall@10 above 0.97 at 100,000 and a million."""


class Faiss:
    """Vectors in cells, of which the nearest few are looked at. `file` keeps the built index where it is given."""

    way = "faiss, IVF and SQ8"

    def __init__(self, ids: Ids, matrix: Vectors, file: Path | None = None, probes: int | None = None) -> None:
        self._ids, self._matrix, self._exact = ids, matrix, Exact(ids, matrix)
        self._faiss = _faiss()
        self._index = self._load(file) if file is not None and file.exists() else self._build(file)
        self._index.nprobe = probes or max(_PROBES, self._index.nlist // _CELLS_A_PROBE)

    def search(self, vector: Vectors, k: int, among: Sequence[int] | None = None) -> list[tuple[int, float]]:
        """The `k` nearest."""
        if among is not None:
            return self._exact.search(vector, k, among)
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


def _faiss() -> Any:
    try:
        import faiss
    except ImportError as error:
        raise MissingExtra(f"dense search over {FROM:,} passages and more", "faiss") from error
    return faiss
