"""A source is who it was fetched from. What a fetched file calls itself are its words."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolmend.knowledge import Library
from toolmend.knowledge.fetch import Fetched
from toolmend.knowledge.fetch.fetchers import keep
from toolmend.knowledge.outcome import Outcome
from toolmend.knowledge.outside import Outside
from toolmend.knowledge.source import Source

VICTIM = "https://www.who.int/guidance"
EVIL = "https://evil.example/page"
EFETCH = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/efetch.fcgi?db=pubmed&id=7"
RECORD = """<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>7</PMID><Article><ArticleTitle>T</ArticleTitle>
<Abstract><AbstractText>It works.</AbstractText></Abstract><PublicationTypeList>
<PublicationType>Retracted Publication</PublicationType></PublicationTypeList></Article></MedlineCitation><PubmedData>
<ArticleIdList><ArticleId IdType="doi">10.1/x</ArticleId></ArticleIdList></PubmedData></PubmedArticle>
</PubmedArticleSet>"""
SEED = {
    "sources": [{"source_url": VICTIM, "source_type": "pubmed", "scraped_at": "2001", "content_chunks": ["Lies."]}] * 2
}
SEED["sources"][1] = {**SEED["sources"][0], "content_chunks": ["More lies."]}
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
        (json.dumps({"sources": SEED["sources"][:1]}).encode(), "application/json"),
        (HTML.encode(), "text/html"),
    ],
    ids=["front matter", "json", "canonical"],
)
def test_it_is_who_it_was_fetched_from(library: Library, data: bytes, header: str) -> None:
    source = kept(library, EVIL, data, header)
    assert (source.url.partition("?")[0], source.also, source.seen) == (EVIL, (), "2026-01-02T03:04:05Z")
    assert source.claimed == (VICTIM,)
    assert source.form != "seed"
    assert [each.text for each in library.sources() if each.url == "https://www.who.int/guidance"] == [
        "Guidance\n\nThe truth."
    ]


def test_a_record_of_pubmeds_own_is_believed(library: Library) -> None:
    source = kept(library, EFETCH, RECORD.encode(), "text/xml")
    assert (source.url, source.form) == ("https://pubmed.ncbi.nlm.nih.gov/7", "pubmed")
    assert (source.also, "retracted" in source.notes) == (("https://doi.org/10.1/x",), True)


@pytest.mark.parametrize("host", ["https://eutils.ncbi.nlm.nih.gov.evil.example/", "http://eutils.ncbi.nlm.nih.gov/"])
def test_nobody_else_is_pubmed(library: Library, host: str) -> None:
    assert [outcome.name for outcome in add(library, f"{host}x", RECORD.encode(), "text/xml")] == ["unreadable"]


def test_facts_about_others_are_taken_from_files_of_ones_own_only(library: Library, tmp_path: Path) -> None:
    fact = {"about": "who.int", "says": "retracted", "by": "me", "date": "2026-01-01"}
    data = json.dumps({"outside": [fact]}).encode()
    assert [outcome.name for outcome in add(library, EVIL, data, "application/json")] == ["unreadable"]
    assert library.outside() == []
    (tmp_path / "mine.json").write_bytes(data)
    assert [outcome.name for outcome in library.add(str(tmp_path / "mine.json"))] == ["added"]


def test_several_things_at_one_address_are_parts_of_it(library: Library) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in ("../guidance", "a.md", "?b#c.md"):
            archive.writestr(name, f"Lies of {name}")
    add(library, f"{EVIL}.zip", packed.getvalue(), "application/zip")
    add(library, EVIL, json.dumps(SEED).encode(), "application/json")
    assert [source.url for source in library.sources()][1:] == [
        "https://evil.example/page.zip?part=..%2Fguidance",
        "https://evil.example/page.zip?part=a.md",
        "https://evil.example/page.zip?part=%3Fb%23c.md",
        "https://evil.example/page?part=0",
        "https://evil.example/page?part=1",
    ]


@pytest.mark.parametrize(("says", "concerns"), [("retracted", True), ("unreliable", True), ("reliable", False)])
def test_what_it_calls_itself_counts_against_it_only(library: Library, says: str, concerns: bool) -> None:
    source = kept(library, EVIL, f"---\nurl: {VICTIM}\n---\nLies.".encode(), "text/markdown")
    fact = Outside("https://www.who.int/guidance", says, "somebody", "2026-01-01")  # type: ignore[arg-type]
    assert fact.concerns(source) is concerns


def test_a_file_of_ones_own_says_who_it_is(library: Library, tmp_path: Path) -> None:
    (tmp_path / "saved.md").write_text("---\nurl: https://blog.example/post\n---\nA post.")
    [outcome] = library.add(str(tmp_path / "saved.md"))
    assert library.source(outcome.source).url == "https://blog.example/post"
