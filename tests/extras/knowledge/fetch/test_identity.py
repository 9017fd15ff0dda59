"""A source is who it was fetched from. What a fetched file calls itself are its words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolmend.extras.knowledge import Library
from toolmend.extras.knowledge.fetch import Fetched
from toolmend.extras.knowledge.fetch.web import keep
from toolmend.extras.knowledge.outcome import Outcome
from toolmend.extras.knowledge.outside import Outside
from toolmend.extras.knowledge.source import Source

VICTIM = "https://www.who.int/guidance"
EVIL = "https://evil.example/page"
HTML = (
    f'<html><head><link rel="canonical" href="{VICTIM}"></head><body><article><p>{"Lies. " * 30}</p></article></body>'
)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """A library with a page of somebody else's in it."""
    with Library(tmp_path / "library.db") as made:
        add(made, VICTIM, b"# Guidance\n\nThe truth.", "text/markdown")
        yield made


def add(library: Library, url: str, data: bytes, header: str = "") -> list[Outcome]:
    """Keep what was fetched from an address."""
    return list(keep(library, url, Fetched(data, url, header, "2026-01-02T03:04:05Z")))


def kept(library: Library, url: str, data: bytes, header: str = "") -> Source:
    """The one source that was kept."""
    [outcome] = add(library, url, data, header)
    assert outcome.kept, outcome
    return library.source(outcome.source)


@pytest.mark.parametrize(
    ("data", "header"),
    [
        (f"---\nurl: {VICTIM}\n---\nLies.".encode(), "text/markdown"),
        (HTML.encode(), "text/html"),
    ],
    ids=["front matter", "canonical"],
)
def test_it_is_who_it_was_fetched_from(library: Library, data: bytes, header: str) -> None:
    source = kept(library, EVIL, data, header)
    assert (source.url.partition("?")[0], source.also, source.seen) == (EVIL, (), "2026-01-02T03:04:05Z")
    assert source.claimed == (VICTIM,)
    assert [each.text for each in library.sources() if each.url == "https://www.who.int/guidance"] == [
        "Guidance\n\nThe truth."
    ]


def test_facts_about_others_are_taken_from_files_of_ones_own_only(library: Library, tmp_path: Path) -> None:
    fact = {"about": "who.int", "says": "retracted", "by": "me", "date": "2026-01-01"}
    data = json.dumps({"outside": [fact]}).encode()
    assert [outcome.name for outcome in add(library, EVIL, data, "application/json")] == ["unreadable"]
    assert library.outside() == []
    (tmp_path / "mine.json").write_bytes(data)
    assert [outcome.name for outcome in library.add(str(tmp_path / "mine.json"))] == ["added"]


def test_collected_sources_are_taken_from_files_of_ones_own_only(library: Library) -> None:
    entry = {"source_url": VICTIM, "content_chunks": ["Lies."]}
    data = json.dumps({"count": 1, "sources": [entry]}).encode()
    [outcome] = add(library, EVIL, data, "application/json")
    assert (outcome.name, "of one's own only" in outcome.says) == ("unreadable", True)


@pytest.mark.parametrize(("says", "concerns"), [("retracted", True), ("unreliable", True), ("reliable", False)])
def test_what_it_calls_itself_counts_against_it_only(library: Library, says: str, concerns: bool) -> None:
    source = kept(library, EVIL, f"---\nurl: {VICTIM}\n---\nLies.".encode(), "text/markdown")
    fact = Outside("https://www.who.int/guidance", says, "somebody", "2026-01-01")  # type: ignore[arg-type]
    assert fact.concerns(source) is concerns


def test_a_file_of_ones_own_says_who_it_is(library: Library, tmp_path: Path) -> None:
    (tmp_path / "saved.md").write_text("---\nurl: https://blog.example/post\n---\nA post.")
    [outcome] = library.add(str(tmp_path / "saved.md"))
    assert library.source(outcome.source).url == "https://blog.example/post"
