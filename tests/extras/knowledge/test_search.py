"""Searching: the index follows the library, also when killed; embedders do not mix; fusing, both databases."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from postgres import Server
from toolmend.base import db
from toolmend.extras.knowledge import Library, Source
from toolmend.extras.knowledge.search import Search
from toolmend.extras.knowledge.search.embedder import Hashed, Vectors
from toolmend.extras.knowledge.search.question import read_question
from toolmend.extras.knowledge.search.search import best, fuse
from toolmend.extras.knowledge.search.words import content, stem, stems

Made = Callable[..., Source]
DAY = date(2026, 11, 20)


@pytest.fixture(params=["sqlite", "server"])
def library(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Library]:
    if request.param == "sqlite":
        with Library(tmp_path / "know.db") as made:
            yield made
        return
    with request.getfixturevalue("server").database() as url, Library(url) as made:
        yield made


def vectors(library: Library) -> int:
    with db.reading(library.engine) as connection:
        return int(connection.exec_driver_sql("SELECT count(*) FROM passage_vectors").scalar_one())


@pytest.fixture
def soup(written: Made) -> Source:
    return written("Soup is hot.\n\nIt is eaten with a wooden spoon.", "https://a.example/soup", title="On soup")


@pytest.fixture
def bread(written: Made) -> Source:
    return written("Bread is baked in an oven at 230 degrees.", "https://b.example/bread", title="On bread")


class Flat:
    """An embedder of two numbers."""

    name = "flat"

    def embed(self, texts: Sequence[str], *, question: bool = False) -> Vectors:
        return np.full((len(texts), 2), 2**-0.5, dtype=np.float32)


def by_words(search: Search, question: str) -> list[str]:
    """The sources of what full text alone finds."""
    search.update()
    chunks = search.shelf.chunks(search.shelf.worded(read_question(question).stems, 5))
    return [chunk.source for chunk in chunks.values()]


def found(search: Search, question: str) -> list[str]:
    return [hit.chunk.source for hit in search.find(question)]


def test_the_right_passage_comes_first(library: Library, soup: Source, bread: Source) -> None:
    library.keep(soup)
    library.keep(bread)
    search = Search(library, day=DAY)
    assert found(search, "What is baked in the oven?")[0] == bread.id
    [hit, *_] = search.find("Is it eaten with wooden spoons?")
    assert (hit.chunk.source, soup.text[hit.start : hit.end]) == (soup.id, "It is eaten with a wooden spoon.")


def test_a_title_is_found_too(library: Library, soup: Source, bread: Source) -> None:
    library.keep(soup)
    library.keep(bread)
    assert by_words(Search(library, day=DAY), "soup spoons")[0] == soup.id


def test_what_is_added_revised_or_forgotten_is_so_at_once(library: Library, soup: Source, bread: Source) -> None:
    search = Search(library, day=DAY)
    assert found(search, "wooden spoon") == []
    library.keep(soup)
    library.keep(bread)
    assert found(search, "wooden spoon")[0] == soup.id
    library.keep(replace(soup, text="Soup is drunk from cups."))
    assert by_words(search, "wooden spoon") == []
    assert found(search, "soup from cups")[0] == soup.id
    library.forget(bread.id)
    assert by_words(search, "bread oven") == []
    assert len(search.shelf.vectors()[0]) == vectors(library) == 1


def test_vectors_of_another_embedder_are_made_anew(library: Library, soup: Source, bread: Source) -> None:
    library.keep(soup)
    Search(library).update()
    library.keep(bread)
    assert Search(library, Flat()).update() == 2
    assert Search(library, Flat()).shelf.vectors()[1].shape == (2, 2)
    assert [Search(library).update(), Search(library).update()] == [2, 0]


def test_indexing_again_does_nothing(library: Library, soup: Source) -> None:
    library.keep(soup)
    search = Search(library)
    assert [search.update(), search.update()] == [1, 0]


def test_killed_while_indexing_it_goes_on(library: Library, tmp_path: Path, written: Made) -> None:
    if "://" in library.place:
        pytest.skip("SQLite's file is enough to see it")
    for number in range(600):
        library.keep(written(f"Page {number} is about thing{number}.", f"https://p.example/{number}"))
    code = (
        "import sys\nfrom toolmend.extras.knowledge import Library\nfrom toolmend.extras.knowledge.search import Search\n"
        "for count in Search(Library(sys.argv[1])).shelf.update(): print(count, flush=True)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-c", code, library.place]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "256\n"
        process.send_signal(signal.SIGKILL)
    search = Search(library, day=DAY)
    done = len(search.shelf.vectors()[0])
    assert done % 256 in (0, 600 - 512)
    assert done == vectors(library)
    assert search.update() == 600 - done
    assert found(search, "What is thing599?")[0] == written("", "https://p.example/599").id


def test_vectors_of_an_earlier_version_on_pgvector_are_made_anew(
    vector_server: Server, soup: Source, bread: Source
) -> None:
    with vector_server.database() as url, Library(url) as library:
        library.keep(soup)
        library.keep(bread)
        Search(library).update()
        with db.writing(library.engine) as connection:
            run = connection.exec_driver_sql
            run("CREATE EXTENSION vector")
            run("ALTER TABLE passage_vectors DROP COLUMN vector, ADD COLUMN vector vector(2) DEFAULT '[1, 2]' NOT NULL")
            run("UPDATE schema_versions SET version = 1 WHERE room = 'search'")
        search = Search(library, day=DAY)
        assert found(search, "What is baked in the oven?")[0] == bread.id
        assert vectors(library) == 2


def test_ranks_are_fused() -> None:
    fused = fuse([[7, 8], [8, 9]])
    assert sorted(fused, key=lambda number: -fused[number]) == [8, 7, 9]
    assert fused[8] == 1 / 62 + 1 / 61


def test_trust_never_lifts_what_is_off_topic(library: Library, written: Made) -> None:
    paper = written("Rivers carry sand.", "https://pubmed.ncbi.nlm.nih.gov/1", form="pubmed", authors="Ann Lee")
    page = written("Noodles are boiled in salted water.", "https://nobody.example/x")
    library.keep(paper)
    library.keep(page)
    assert found(Search(library, day=DAY), "How are noodles boiled?")[0] == page.id


def test_equal_scores_come_in_the_order_of_numbers() -> None:
    assert best(np.array([3, 5, 9]), np.array([0.5, 0.5, 0.5], dtype=np.float32), 2) == [(3, 0.5), (5, 0.5)]


@pytest.mark.parametrize(
    ("one", "other"),
    [("mutations", "mutated"), ("hypermutation", "hypermutated"), ("ponies", "pony"), ("significant", "significantly")],
)
def test_forms_of_a_word_have_one_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_words_of_grammar_and_asking_say_nothing() -> None:
    assert content("How many genes were there, and which did they mutate?") == ["gene", "mutat"]
    assert stems("addEntry gpt-4 snake_case") == ["add", "entri", "gpt", "4", "snake", "case"]


def test_the_default_embedder_sees_parts_of_words() -> None:
    rows = Hashed().embed(["the calendars", "a calendar entry", "rivers of sand", ""])
    assert rows.shape == (4, 384)
    assert rows[0] @ rows[1] > 0.4 > rows[0] @ rows[2]
    assert not rows[3].any()


@given(st.text(), st.text())
def test_any_text_has_stems_and_a_vector(text: str, other: str) -> None:
    assert all(part and " " not in part for part in stems(text))
    assert np.isfinite(Hashed().embed([text, other])).all()


def test_any_question_may_be_asked(library: Library, soup: Source) -> None:
    library.keep(soup)
    search = Search(library, day=DAY)
    for question in ("", "the", '"', "a AND OR NOT *", "'; DROP TABLE passages", "soup\0", "é 日本語 ☃", "x" * 5000):
        assert isinstance(search.find(question), list)
