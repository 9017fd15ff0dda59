"""PostgreSQL with pgvector: vectors in its own column, exact or by a graph, taken over from bytes, or not there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from postgres import Server
from toolmend import db
from toolmend.knowledge import Library, Source
from toolmend.knowledge.search import Search, pgvector
from toolmend.knowledge.search.dense import Exact
from toolmend.knowledge.search.embedder import Vectors, unit

Made = Callable[..., Source]
DAY = date(2026, 11, 20)


class Drawn:
    """An embedder of some numbers by chance, the same for the same text."""

    near = None

    def __init__(self, width: int = 8) -> None:
        self.name, self._width = f"drawn-{width}", width

    def embed(self, texts: list[str], *, question: bool = False) -> Vectors:
        rows = [np.random.default_rng(sum(text.encode())).normal(size=self._width) for text in texts]
        return unit(np.array(rows, dtype=np.float32))


@pytest.fixture
def library(vector_server: Server) -> Iterator[Library]:
    with vector_server.database() as url, Library(url) as made:
        yield made


def fill(library: Library, written: Made, count: int = 60) -> None:
    for number in range(count):
        library.keep(written(f"Page {number} is about thing{number}.", f"https://p.example/{number}"))


def width(library: Library) -> int:
    with db.reading(library.engine) as connection:
        return pgvector.width(connection)


def rows(library: Library) -> tuple[np.ndarray, Vectors]:
    with db.reading(library.engine) as connection:
        found = connection.exec_driver_sql(
            "SELECT passage, CAST(vector AS real[]) FROM passage_vectors ORDER BY passage"
        ).all()
    return np.array([row[0] for row in found]), np.array([row[1] for row in found], dtype=np.float32)


def without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pgvector, "allowed", lambda connection: False)
    monkeypatch.setattr(pgvector, "wanted", lambda connection, numbers: False)


def test_vectors_live_in_the_extension_s_column(library: Library, written: Made) -> None:
    fill(library, written)
    search = Search(library, day=DAY)
    assert search.way() == "pgvector, exact"
    assert width(library) == 384
    assert search.find("What is thing7?")[0].chunk.source == written("", "https://p.example/7").id


@pytest.mark.parametrize("graph", [False, True])
def test_it_finds_what_comparing_in_memory_finds(
    library: Library, written: Made, monkeypatch: pytest.MonkeyPatch, graph: bool
) -> None:
    monkeypatch.setattr(pgvector, "FROM", 1 if graph else 1_000)
    fill(library, written)
    search = Search(library, Drawn(), day=DAY)
    assert search.way() == ("pgvector, HNSW" if graph else "pgvector, exact")
    index = search.shelf.in_database()
    assert index is not None
    ids, matrix = rows(library)
    for asked in Drawn().embed(["one", "two", "three"]):
        for among in (None, ids[::7].tolist()):
            got, truth = index.search(asked, 5, among), Exact(ids, matrix).search(asked, 5, among)
            assert [number for number, _ in got] == [number for number, _ in truth]
            assert [cosine for _, cosine in got] == pytest.approx([cosine for _, cosine in truth], abs=1e-6)


def test_the_graph_is_asked_only_where_it_is_wanted(
    library: Library, written: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pgvector, "FROM", 1)
    fill(library, written)
    Search(library, Drawn(), day=DAY).update()
    asked = {"asked": pgvector.literal(Drawn().embed(["one"])[0]), "k": 5, "among": [1, 2]}
    plans = []
    for statement in (pgvector._GRAPH, pgvector._EXACT.format(some=" WHERE passage = ANY(:among)")):
        with db.writing(library.engine) as connection:
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
            found = connection.execute(pgvector.sa.text("EXPLAIN " + statement), asked).scalars()
            plans.append("passage_vectors_near" in " ".join(found))
    assert plans == [True, False]


def test_vectors_kept_as_bytes_are_taken_over(library: Library, written: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(library, written, 3)
    with monkeypatch.context() as patch:
        without(patch)
        before = Search(library, Drawn(), day=DAY)
        assert before.way() == "in memory, exact"
        kept = before.shelf.vectors()[1]
    assert Search(library, Drawn(), day=DAY).way() == "pgvector, exact"
    assert (rows(library)[1] == kept).all()


def test_another_width_after_clearing(library: Library, written: Made) -> None:
    fill(library, written, 3)
    Search(library, Drawn(8)).update()
    again = Search(library, Drawn(12), day=DAY)
    again.shelf.clear()
    assert (again.update(), width(library)) == (3, 12)
    wide = Search(library, Drawn(pgvector.WIDEST + 1), day=DAY)
    wide.shelf.clear()
    assert (wide.way(), width(library)) == ("in memory, exact", 0)


def test_who_owns_nothing_compares_in_memory(vector_server: Server, written: Made) -> None:
    vector_server.run("CREATE ROLE guest LOGIN")
    with vector_server.database() as url:
        with Library(url) as made:
            fill(made, written, 3)
            Search(made, Drawn(), day=DAY).shelf.clear()
        name = url.rpartition("/")[2]
        vector_server.run("GRANT ALL ON ALL TABLES IN SCHEMA public TO guest", name)
        with Library(url.replace("postgres@", "guest@")) as guest:
            search = Search(guest, Drawn(), day=DAY)
            assert (search.way(), search.update(), width(guest)) == ("in memory, exact", 0, 0)
            assert search.find("What is thing2?")[0].chunk.source == written("", "https://p.example/2").id
            vector_server.run("CREATE EXTENSION vector", name)
            assert Search(guest, Drawn(), day=DAY).way() == "in memory, exact"


def test_what_is_added_or_forgotten_is_so_at_once(library: Library, written: Made) -> None:
    fill(library, written, 3)
    search = Search(library, day=DAY)
    search.update()
    page = written("Page 1 is about other9.", "https://p.example/1")
    library.keep(replace(page))
    assert search.by_vector("other9", 1)[0].source == page.id
    library.forget(page.id)
    assert page.id not in {chunk.source for chunk in search.by_vector("other9", 5)}
