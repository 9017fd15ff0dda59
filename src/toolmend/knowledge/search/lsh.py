"""Locality-sensitive hashing for the greatest inner products: tables of signs under planes of chance, several probes.

Products become angles by one more number a vector, √(1 − its length²) (Simple-LSH: Neyshabur and Srebro 2015); beside a
query's own bucket those a few unsure signs away are looked at (Lv et al. 2007). What was met is compared exactly.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from toolmend.knowledge.search.dense import Ids, best
from toolmend.knowledge.search.embedder import Vectors


class Lsh:
    """Vectors (n, d) of any length, in `tables` of 2^`bits` buckets."""

    def __init__(self, matrix: Vectors, *, tables: int = 24, bits: int = 10, seed: int = 0) -> None:
        self._matrix = matrix
        length = np.linalg.norm(matrix, axis=1)
        longest = length.max(initial=0.0) or 1.0
        last = np.sqrt(np.maximum(0, 1 - (length / longest) ** 2))
        lifted = np.column_stack([matrix / longest, last]).astype(np.float32)
        random = np.random.default_rng(seed)
        self._planes = random.normal(size=(tables, bits, matrix.shape[1] + 1)).astype(np.float32)
        self._worth = 1 << np.arange(bits)
        codes = ((lifted @ self._planes.reshape(tables * bits, -1).T).reshape(-1, tables, bits) > 0) @ self._worth
        self._rows = np.argsort(codes, axis=0, kind="stable").astype(np.int32).T.copy()
        edges = np.arange((1 << bits) + 1)
        self._starts = np.stack([np.searchsorted(np.sort(codes[:, table]), edges) for table in range(tables)])

    def save(self, file: Path) -> None:
        """Write vectors, planes and tables."""
        np.savez(file, vectors=self._matrix, planes=self._planes, rows=self._rows, starts=self._starts)

    def search(self, vector: Vectors, k: int, probes: int = 4) -> Ids:
        """The rows of about the `k` greatest products, the greatest first; `probes` buckets of each table."""
        sums = self._planes[..., :-1] @ vector
        unsure = np.argsort(np.abs(sums), axis=1)[:, : probes - 1]
        codes = (sums > 0) @ self._worth
        probed = np.column_stack([codes, codes[:, None] ^ self._worth[unsure]])
        tables = np.arange(len(codes))[:, None]
        lows, highs = self._starts[tables, probed], self._starts[tables, probed + 1]
        spans = zip(self._rows, lows, highs, strict=True)
        met = [rows[low:high] for rows, *ends in spans for low, high in zip(*ends, strict=True)]
        near = np.unique(np.concatenate(met)).astype(np.int64)
        return np.array([row for row, _ in best(near, self._matrix[near] @ vector, k)], dtype=np.int64)
