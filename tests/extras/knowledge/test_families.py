"""The five families of inner product search of benchmarks/families.py, each where its package is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"


@pytest.mark.parametrize("name", ["LSH", "ANNOY", "HNSW", "FAISS", "ScaNN"])
def test_a_family_finds_most_of_the_nearest(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import families

    if not families.FAMILIES[name].there:
        pytest.skip(f"{families.FAMILIES[name].package} is not installed")
    vectors, asked = families.clustered(2_000, 32, seed=1), families.clustered(20, 32, seed=2)
    rows = list(families.compare_families([name], vectors, asked))
    assert rows[0].recall == 1.0  # exact search, beside which it is held
    assert max(row.recall for row in rows[1:]) >= 0.8
