"""Five families of inner product search side by side. Run: PYTHONPATH=src python benchmarks/families.py [mips.svg]

The same vectors for all, the greatest inner products wanted, one thread, one query at a time. LSH is here; the others
are tried where they are: pip install annoy faiss-cpu hnswlib scann.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolmend.base.plots import curve_plot
from toolmend.extras.knowledge.search.embedder import Vectors
from toolmend.extras.knowledge.search.search import best

_PASSES = 3  # over the queries, of which the fastest counts: what else the machine does is not the family's

Ids = NDArray[np.int64]
Ask = Callable[[Vectors, int], Sequence[int] | NDArray[Any]]
Built = Callable[[int], Ask]
"""For a setting (the more, the surer and the slower) what answers a query with rows."""


class Lsh:
    """Tables of signs under planes of chance: vectors (n, d) of any length, in `tables` of 2^`bits` buckets.

    Products become angles by one more number a vector, √(1 − its length²) (Simple-LSH: Neyshabur and Srebro 2015);
    beside a query's own bucket those a few unsure signs away are looked at (Lv et al. 2007). What was met is compared.
    """

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


@dataclass(frozen=True, slots=True)
class Family:
    """A way of searching: what builds it in a folder where it leaves its files, and the settings to try."""

    name: str
    package: str
    build: Callable[[Vectors, Path], Built]
    settings: tuple[int, ...]
    word: str

    @property
    def there(self) -> bool:
        """Whether its package is installed."""
        return not self.package or find_spec(self.package) is not None


@dataclass(frozen=True, slots=True)
class Speed:
    """A family at one setting: share of the true `k` that it gave, queries and seconds; `megabytes` of its files."""

    family: str
    setting: str
    recall: float
    queries_per_second: float
    build_seconds: float
    megabytes: float


def clustered(count: int, width: int, seed: int = 0) -> Vectors:
    """Vectors as embeddings are: 200 clusters in 48 directions, noise in all; of unequal lengths, as products need."""
    random = np.random.default_rng(seed)
    latent = min(48, width)
    centres = random.normal(size=(200, latent))
    spread = centres[random.integers(0, 200, count)] + 0.7 * random.normal(size=(count, latent))
    plane = np.random.default_rng(0).normal(size=(latent, width)) / latent**0.5
    rows = spread @ plane + 0.1 * random.normal(size=(count, width))
    rows *= random.uniform(0.8, 1.2, (count, 1)) / np.linalg.norm(rows, axis=1, keepdims=True)
    return np.ascontiguousarray(rows, dtype=np.float32)


def compare_families(names: Sequence[str], vectors: Vectors, queries: Vectors, k: int = 10) -> Iterator[Speed]:
    """Each family that is installed, at each of its settings, exact search first."""
    from threadpoolctl import threadpool_limits

    truth = [set(row) for row in np.argsort(-(queries @ vectors.T), axis=1)[:, :k].tolist()]
    for name in dict.fromkeys(["exact", *names]):
        family = FAMILIES[name]
        if not family.there:
            continue
        with TemporaryDirectory() as folder, threadpool_limits(1):
            began = time.perf_counter()
            built = family.build(vectors, Path(folder))
            seconds = time.perf_counter() - began
            size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file()) / 1e6
            for setting in family.settings:
                recall, speed = _measured(built(setting), queries, truth, k)
                yield Speed(name, f"{family.word} {setting}" if family.word else "", recall, speed, seconds, size)


def _measured(ask: Ask, queries: Vectors, truth: Sequence[set[int]], k: int) -> tuple[float, float]:
    ask(queries[0], k)
    seconds = float("inf")
    for _ in range(_PASSES):
        began = time.perf_counter()
        answers = [ask(query, k) for query in queries]
        seconds = min(seconds, time.perf_counter() - began)
    hits = sum(len(right & set(map(int, rows))) for rows, right in zip(answers, truth, strict=True))
    return hits / (k * len(queries)), len(queries) / seconds


def _exact(vectors: Vectors, folder: Path) -> Built:
    np.save(folder / "vectors.npy", vectors)
    ids = np.arange(len(vectors))
    return lambda _setting: lambda query, k: [row for row, _ in best(ids, vectors @ query, k)]


def _lsh(vectors: Vectors, folder: Path) -> Built:
    index = Lsh(vectors)
    index.save(folder / "lsh.npz")
    return lambda setting: lambda query, k: index.search(query, k, setting)


def _annoy(vectors: Vectors, folder: Path) -> Built:
    from annoy import AnnoyIndex

    index = AnnoyIndex(vectors.shape[1], "dot")
    index.set_seed(1)
    for row, vector in enumerate(vectors):
        index.add_item(row, vector)
    index.build(32, n_jobs=1)
    index.save(str(folder / "annoy"))
    return lambda setting: lambda query, k: index.get_nns_by_vector(query, k, search_k=setting)


def _hnsw(vectors: Vectors, folder: Path) -> Built:
    import hnswlib

    index = hnswlib.Index(space="ip", dim=vectors.shape[1])
    index.init_index(max_elements=len(vectors), M=16, ef_construction=200, random_seed=1)
    index.set_num_threads(1)
    index.add_items(vectors, num_threads=1)
    index.save_index(str(folder / "hnsw"))

    def at(setting: int) -> Ask:
        def ask(query: Vectors, k: int) -> Ids:
            index.set_ef(max(setting, k))
            rows: Ids = index.knn_query(query, k=k, num_threads=1)[0][0]
            return rows

        return ask

    return at


def _faiss(vectors: Vectors, folder: Path) -> Built:
    import faiss

    faiss.omp_set_num_threads(1)
    cells = max(1, min(4 * math.isqrt(len(vectors)), len(vectors) // 39))
    index = faiss.index_factory(vectors.shape[1], f"IVF{cells},SQ8", faiss.METRIC_INNER_PRODUCT)
    chosen = np.random.default_rng(0).choice(len(vectors), min(len(vectors), 40 * cells), replace=False)
    index.train(vectors[np.sort(chosen)])
    index.add(vectors)
    faiss.write_index(index, str(folder / "vectors.faiss"))
    np.save(folder / "vectors.npy", vectors)  # compared again, exactly

    def at(setting: int) -> Ask:
        def ask(query: Vectors, k: int) -> list[int]:
            index.nprobe = setting
            near = np.sort(index.search(query[None], 4 * k)[1][0])
            near = near[near >= 0]
            return [row for row, _ in best(near, vectors[near] @ query, k)]

        return ask

    return at


def _scann(vectors: Vectors, folder: Path) -> Built:
    import scann

    leaves = max(1, min(len(vectors) // 40, int(len(vectors) ** 0.5)))
    plan = scann.scann_ops_pybind.builder(vectors, 10, "dot_product")
    plan = plan.tree(num_leaves=leaves, num_leaves_to_search=leaves, training_sample_size=len(vectors))
    index = plan.score_ah(2, anisotropic_quantization_threshold=0.2).reorder(100).build()
    index.serialize(str(folder))
    return lambda setting: (
        lambda query, k: index.search(query, final_num_neighbors=k, leaves_to_search=min(setting, leaves))[0]
    )


FAMILIES = {
    family.name: family
    for family in (
        Family("exact", "", _exact, (1,), ""),
        Family("LSH", "", _lsh, (1, 2, 4, 8), "probes"),
        Family("ANNOY", "annoy", _annoy, (200, 1000, 4000, 16000), "nodes"),
        Family("HNSW", "hnswlib", _hnsw, (10, 20, 50, 100, 200), "ef"),
        Family("FAISS", "faiss", _faiss, (1, 2, 4, 8, 16, 32), "cells"),
        Family("ScaNN", "scann", _scann, (1, 2, 4, 8, 16, 32), "leaves"),
    )
}


def main(plot: Path | None) -> None:
    vectors, asked = clustered(20_000, 96, seed=1), clustered(200, 96, seed=2)
    print(f"{'family':<8}{'setting':<13}{'recall@10':>10}{'queries/s':>11}{'build s':>9}{'MB':>8}")
    curves: dict[str, list[tuple[float, float, str]]] = {}
    for row in compare_families(tuple(FAMILIES), vectors, asked):
        curves.setdefault(row.family, []).append((row.recall, row.queries_per_second, row.setting))
        figures = f"{row.recall:>10.3f}{row.queries_per_second:>11,.0f}{row.build_seconds:>9.1f}{row.megabytes:>8.1f}"
        print(f"{row.family:<8}{row.setting:<13}{figures}")
    print("not installed:", ", ".join(each.package for each in FAMILIES.values() if not each.there) or "none")
    if plot:
        drawn = curve_plot("Inner product search, one thread", curves, "recall@10", "queries a second", log=True)
        plot.write_text(drawn.svg, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
