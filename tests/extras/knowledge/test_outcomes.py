"""Bad input: each kind has its named outcome, and none is an exception."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from extras.knowledge import pages
from toolmend.extras.knowledge import Library, Outcome, Outside, Source
from toolmend.extras.knowledge.collect import Item, item, items_at
from toolmend.extras.knowledge.collect import read as read_item

Read = Callable[..., list[Any]]
GONE = (
    "<html><head><title>404 Not Found</title></head>"
    "<body><article><h1>Not Found</h1><p>The page is gone.</p></article></body></html>"
)


def only(found: list[Any]) -> tuple[str, str]:
    (outcome,) = found
    assert isinstance(outcome, Outcome), outcome
    return outcome.name, outcome.says


def test_an_error_page_saved_with_200(read: Read) -> None:
    pytest.importorskip("trafilatura")
    assert only(read("a.html", GONE)) == ("error_page", "it says '404 Not Found': ask for the address again")


def test_an_article_about_404_is_kept(read: Read) -> None:
    pytest.importorskip("trafilatura")
    text = (
        "<html><head><title>404 not found: a history</title></head><body><article>" + "<p>A code has a story. </p>" * 60
    )
    assert isinstance(read("a.html", text)[0], Source)


def test_a_page_that_a_script_writes(read: Read) -> None:
    pytest.importorskip("trafilatura")
    assert only(read("a.html", "<html><body><script>write()</script></body></html>"))[0] == "no_text"


def test_a_huge_file(read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolmend.extras.knowledge.collect.reading.BYTES_AT_MOST", 1000)
    assert only(read("a.txt", "x" * 2000))[0] == "too_large"


def test_an_endless_file_is_read_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolmend.extras.knowledge.collect.item.BYTES_AT_MOST", 1000)
    (endless,) = items_at("/dev/zero")
    assert isinstance(endless, Item)
    assert len(endless.data) == 1001


@pytest.mark.parametrize(
    ("name", "data", "outcome"),
    [
        ("a.pdf", pages.pdf(""), "no_text"),
        ("a.pdf", pages.pdf("We traced every lock here.")[:200], "unreadable"),
        ("a.txt", b"  \n", "no_text"),
        ("a.gz", gzip.compress(b"x", mtime=0), "unknown_form"),
        ("a.zip", b"PK\x03\x04", "unknown_form"),
        ("a.json", b'{"a": 1}', "unknown_form"),
        ("a.json", b"{", "unreadable"),
        ("a.ipynb", b'{"cells": 1}', "unknown_form"),
        ("a.vtt", b"WEBVTT\n\nNOTE nothing\n", "no_text"),
        ("a.xml", b"<PubmedArticleSet/>", "unknown_form"),
        ("a.bin", b"\x7fELF\0\0", "unknown_form"),
    ],
)
def test_what_cannot_be_read(read: Read, name: str, data: bytes, outcome: str) -> None:
    pytest.importorskip("pypdf")
    assert only(read(name, data))[0] == outcome


def test_invalid_utf8_is_kept(read: Read) -> None:
    pytest.importorskip("charset_normalizer")
    (made,) = read("a.txt", b"\xef\xbb\xbfgood \xff\xfe bad")
    assert made.text == "good \ufffd\ufffd bad"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("http://localhost:8000/x", "not_fetched"),
        ("https://example.org/x", "not_fetched"),
        ("http://[bad/", "not_fetched"),
        ("ftp://example.org/x", "not_web"),
    ],
)
def test_addresses_are_not_fetched(library: Library, url: str, name: str) -> None:
    assert [each.name for each in library.add(url)] == [name]


def test_a_file_that_is_not_there(library: Library, tmp_path: Path) -> None:
    assert [(each.name, each.says) for each in library.add(str(tmp_path / "no.txt"))] == [
        ("unreadable", "No such file or directory")
    ]


NAMES = st.sampled_from(
    [
        "a.html",
        "a.md",
        "a.txt",
        "a.pdf",
        "a.xml",
        "a.vtt",
        "a.srt",
        "a.json3",
        "a.json",
        "a.ipynb",
        "a.zip",
        "a.gz",
        "a",
    ]
)
SEEDS = st.sampled_from(
    [
        pages.PAGE.encode(),
        pages.SRT.encode(),
        pages.pdf("We traced every lock here today."),
        gzip.compress(b"# x", mtime=0),
        GONE.encode(),
        b'{"outside": [{"about": 1}]}',
        b"---\na: b\n---\n[1] x",
    ]
)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A file with a few bytes written over, taken out or put in."""
    data = bytearray(draw(SEEDS))
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, max(0, len(data) - 1)))
        data[at : at + draw(st.integers(0, 9))] = draw(st.binary(max_size=6))
    return bytes(data)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    name=NAMES,
    data=st.one_of(
        damaged(), st.binary(max_size=200), st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))
    ),
)
def test_any_bytes_become_sources_or_outcomes(name: str, data: bytes) -> None:
    pytest.importorskip("trafilatura")
    for found in read_item(Item(data, name, f"file:///{name}")):
        assert isinstance(found, Source | Outcome | Outside)
        if isinstance(found, Source):
            assert "\0" not in found.text
            assert all(0 <= each.start <= len(found.text) for each in (*found.headings, *found.cues))
            spans = [each for each in (*found.authors, *found.published, *found.references) if each.start is not None]
            assert all(each.start <= each.end <= len(found.text) for each in spans)


def test_limits_are_one_number() -> None:
    assert item.BYTES_AT_MOST == 25_000_000
