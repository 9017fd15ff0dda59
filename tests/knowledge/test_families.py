"""Families of inner product search: each finds what is there, more of it where it looks longer; LSH is ours."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from toolmend.errors import BadOption
from toolmend.knowledge.search.families import FAMILIES, clustered, compare_families
from toolmend.knowledge.search.lsh import Lsh


def test_hashing_finds_more_with_more_probes_and_gives_the_greatest_first() -> None:
    vectors, queries = clustered(3000, 32, seed=1), clustered(40, 32, seed=2)
    index, hits = Lsh(vectors), []
    for probes in (1, 4, 10):
        found = [index.search(query, 10, probes) for query in queries]
        truth = [set(np.argsort(-(vectors @ query))[:10].tolist()) for query in queries]
        hits.append(sum(len(right & set(rows.tolist())) for rows, right in zip(found, truth, strict=True)) / 400)
        products = vectors[found[0]] @ queries[0]
        assert (np.diff(products) <= 0).all()
    assert hits[0] < hits[1] < hits[2]
    assert hits[2] > 0.9


def test_a_longer_vector_wins_although_another_points_nearer() -> None:
    vectors = np.array([[1, 0], [3, 1]], dtype=np.float32)
    assert Lsh(vectors, tables=40, bits=2).search(np.array([1, 0], dtype=np.float32), 2, 2).tolist() == [1, 0]


@pytest.mark.parametrize("name", [name for name in FAMILIES if name != "exact"])
def test_a_family_finds_most_of_what_exact_search_finds(name: str) -> None:
    family = FAMILIES[name]
    if not family.there:
        pytest.skip(f"{family.package} is not installed")
    vectors, queries = clustered(2000, 32, seed=1), clustered(20, 32, seed=2)
    exact, *rows = compare_families([name], vectors, queries)
    assert (exact.family, exact.recall) == ("exact", 1.0)
    assert len(rows) == len(family.settings)
    assert rows[-1].recall > 0.85
    assert rows[0].recall <= rows[-1].recall
    assert all(row.megabytes > 0.1 and row.queries_per_second > 0 for row in rows)


def test_what_is_not_installed_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    here = find_spec
    monkeypatch.setattr(
        "toolmend.knowledge.search.families.find_spec", lambda name: None if name == "annoy" else here(name)
    )
    assert {row.family for row in compare_families(["ANNOY"], clustered(200, 8), clustered(3, 8, seed=2))} == {"exact"}


def test_a_family_that_nobody_knows_is_told() -> None:
    with pytest.raises(BadOption, match=r"Tree.*known: exact, LSH"):
        next(compare_families(["Tree"], clustered(200, 8), clustered(3, 8)))


def test_vectors_that_are_fewer_than_wanted_are_told() -> None:
    with pytest.raises(BadOption, match="1 to the number of vectors"):
        next(compare_families(["LSH"], clustered(20, 8), clustered(3, 8), k=21))


def test_an_index_is_written(tmp_path: Path) -> None:
    Lsh(clustered(100, 8)).save(tmp_path / "index.npz")
    assert set(np.load(tmp_path / "index.npz")) == {"vectors", "planes", "rows", "starts"}
