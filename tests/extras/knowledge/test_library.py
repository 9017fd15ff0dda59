"""The library: adding twice changes nothing, states are kept, a kill leaves whole sources only; on both databases."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from migrated import both_ways
from toolmend.base import db
from toolmend.base.errors import BadOption, UnknownName
from toolmend.evals.store import Store
from toolmend.extras.knowledge import Library, Outside, Source, chunks_of, tables
from toolmend.extras.knowledge.source import find_quote, quote

Made = Callable[..., Source]


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "know.db")
        return
    with request.getfixturevalue("server").database() as url:
        yield url


@pytest.fixture
def library(place: str) -> Iterator[Library]:
    with Library(place) as made:
        yield made


@pytest.fixture
def soup(written: Made) -> Source:
    return written(
        "Soup is hot. It is eaten with a spoon.", "https://a.example/soup", authors="Ann Lee", seen="2026-01-01"
    )


def test_a_source_comes_back_as_it_was(library: Library, soup: Source) -> None:
    library.keep(soup)
    assert library.source(soup.id) == soup
    assert list(library.sources()) == [soup]
    assert library.chunks(soup.id) == list(chunks_of(soup))


def test_adding_again_changes_nothing(library: Library, soup: Source) -> None:
    names = [library.keep(each).name for each in (soup, soup, replace(soup, seen="2026-02-02"))]
    assert names == ["added", "unchanged", "unchanged"]
    assert len(library.revisions(soup.id)) == 1
    assert [each[1] for each in library.history()] == ["added"]


def test_every_state_is_kept(library: Library, soup: Source) -> None:
    library.keep(soup)
    assert library.keep(replace(soup, text="Soup is cold.")).name == "revised"
    assert [number for number, _, _ in library.revisions(soup.id)] == [1, 2]
    assert (library.source(soup.id, 1).text, library.source(soup.id).text) == (soup.text, "Soup is cold.")
    assert [chunk.end for chunk in library.chunks(soup.id)] == [13]


def test_the_same_text_elsewhere_is_a_duplicate(library: Library, soup: Source) -> None:
    library.keep(soup)
    outcome = library.keep(replace(soup, id="other0000000", url="https://b.example/copy"))
    assert (outcome.name, outcome.source, outcome.says) == (
        "duplicate",
        soup.id,
        "the same text as https://a.example/soup",
    )
    assert len(list(library.sources())) == 1


def test_forgetting_leaves_a_line_and_no_text(library: Library, soup: Source) -> None:
    library.keep(soup)
    assert library.forget(soup.id[:6]) == soup.id
    assert list(library.sources()) == []
    with db.reading(library.engine) as connection:
        counts = [
            connection.execute(sa.select(sa.func.count()).select_from(each)).scalar()
            for each in (tables.revisions, tables.chunks)
        ]
    assert counts == [0, 0]
    assert [(did, source) for _, did, source, _ in library.history()] == [("added", soup.id), ("forgotten", soup.id)]


def test_ids_may_be_shortened(library: Library, soup: Source) -> None:
    library.keep(soup)
    library.keep(replace(soup, id=f"{soup.id[:5]}zzzzzzz", text="Other."))
    with pytest.raises(BadOption, match="give more of its id"):
        library.find(soup.id[:5])
    with pytest.raises(UnknownName, match="unknown source 'nope'"):
        library.find("nope")


def test_facts_from_outside_are_kept_once(library: Library) -> None:
    fact = Outside("https://a.example/soup", "retracted", "the cook", "2026-01-02", "https://c.example", "too salty")
    assert [library.keep(fact).name for _ in range(2)] == ["added", "unchanged"]
    assert library.outside() == [fact]


def test_a_store_and_a_library_share_a_place(place: str, soup: Source) -> None:
    with Store(place), Library(place) as library:
        library.keep(soup)
    with Library(place) as library:
        assert library.source(soup.id) == soup


def test_the_tables_are_those_of_the_first_version(place: str) -> None:
    shape, _ = both_ways(place, "knowledge", tables.MIGRATIONS, tables.metadata)
    columns = {table: [column[0] for column in found[0]] for table, found in shape.items()}  # type: ignore[index]
    assert columns == {
        "chunks": ["source", "position", "start", "end", "heading", "seconds"],
        "library_history": ["id", "at", "did", "source", "detail"],
        "outside": ["about", "says", "by", "date", "where", "quote"],
        "revisions": ["source", "revision", "record_hash", "content_hash", "added", "record", "text"],
        "sources": ["id", "url", "content_hash", "revision", "added"],
    }
    assert [found[2] for found in shape.values()] == [[], [], [], [], ["sources_by_content"]]  # type: ignore[index]


def test_empty_before_the_first_source_and_after_the_last(library: Library, soup: Source) -> None:
    assert library.empty
    library.keep(soup)
    assert not library.empty
    library.forget(soup.id)
    assert library.empty


def test_a_folder_is_added_file_by_file(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.md").write_text("# A\n\nText.")
    (folder / "deep" / "b.txt").write_text("Other text.")
    (folder / ".hidden").write_text("secret")
    assert [(each.name, each.place) for each in library.add(str(folder))] == [
        ("added", "a.md"),
        ("added", "deep/b.txt"),
    ]
    assert [each.name for each in library.add(str(folder))] == ["unchanged", "unchanged"]


def test_quotes_hold_only_in_the_state_they_are_from(soup: Source) -> None:
    found = find_quote(soup, "It is\neaten")
    assert found is not None
    assert (found.text, found.start, found.holds(soup)) == ("It is eaten", 13, True)
    assert not found.holds(replace(soup, text=soup.text + " "))
    assert find_quote(soup, "never said") is None
    with pytest.raises(ValueError, match="no span of a text"):
        quote(soup, 5, 1000)


def start(place: str, count: int) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, str(Path(__file__).with_name("writer.py")), place, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def test_killed_while_adding_every_source_is_whole(place: str) -> None:
    chance = random.Random(5)
    kept: set[str] = set()
    for _ in range(3):
        with start(place, 100_000) as writer:
            assert writer.stdout is not None
            lines = [writer.stdout.readline() for _ in range(chance.randrange(1, 60))]
            writer.send_signal(signal.SIGKILL)
            lines += writer.stdout.readlines()
        kept |= {line.split()[1] for line in lines if line.endswith("\n") and " " in line}
    with Library(place) as library:
        sources = {source.id: source for source in library.sources()}
        assert kept <= set(sources)
        assert len(kept) > 10
        assert all(library.chunks(each.id) == list(chunks_of(each)) for each in sources.values())
        assert [each[1] for each in library.history()] == ["added"] * len(sources)
    if "://" not in place:
        assert sqlite3.connect(place).execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_two_processes_add_the_same_at_once(place: str) -> None:
    with start(place, 40) as one, start(place, 40) as other:
        assert one.stdout is not None and other.stdout is not None
        lines = [one.stdout.read().split("\n"), other.stdout.read().split("\n")]
    assert [each[-2] for each in lines] == ["all", "all"]
    names = [line.split()[0] for each in lines for line in each if " " in line]
    assert (names.count("added"), names.count("unchanged")) == (40, 40)
