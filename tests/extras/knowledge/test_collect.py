"""Each form of file: what becomes of its text, its headings, links, authors and dates, and where each was found."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from extras.knowledge import pages
from toolmend.extras.knowledge import Source

Made = Callable[..., Source]
Facts = list[tuple[str, str]]


def facts(found: tuple[object, ...]) -> Facts:
    return [(each.value, each.where) for each in found]  # type: ignore[attr-defined]


@pytest.fixture
def page(source: Made) -> Source:
    pytest.importorskip("trafilatura")
    return source("locks.html", pages.PAGE)


def test_page_has_its_article_alone(page: Source) -> None:
    assert page.text.startswith("Locks, measured\n\nWe traced every lock")
    assert "About us" not in page.text
    assert "Sign up" not in page.text


def test_page_says_who_and_when_and_where_that_was_found(page: Source) -> None:
    assert facts(page.authors) == [("Ann Lee", "meta:author"), ("Bo Wu", "meta:author"), ("Ann Lee", "json-ld:author")]
    assert facts(page.published) == [("2024-03-05", "meta:article:published_time")]
    assert facts(page.modified) == [("2024-04-01", "json-ld:dateModified")]


def test_page_has_its_canonical_address_title_kind_and_language(page: Source) -> None:
    assert (page.url, page.title, page.site) == ("https://notes.example/locks", "Locks, measured", "Notes")
    assert (page.kind, page.kind_from, page.language) == ("news", "type NewsArticle", "en")
    assert page.also == ("https://doi.org/10.1000/xyz.1",)


def test_page_keeps_headings_and_links(page: Source) -> None:
    assert [(each.level, page.text[each.start :].split("\n")[0]) for each in page.headings] == [
        (1, "Locks, measured"),
        (2, "Method"),
        (2, "References"),
    ]
    assert [(each.url, each.where) for each in page.links] == [
        ("https://arxiv.org/pdf/2101.00001v2", "body"),
        ("https://doi.org/10.1000/LOCK.9", "reference"),
    ]


def test_page_keeps_its_references_with_their_spans(page: Source) -> None:
    assert len(page.references) == 2
    first = page.references[0]
    assert page.text[first.start : first.end] == first.value == "Lee and Wu, On locks that nobody holds, 2019"


def test_pdf_has_text_and_facts(source: Made) -> None:
    pytest.importorskip("pypdf")
    info = "/Title (On locks) /Author (Ann Lee) /CreationDate (D:20240305120000Z)"
    made = source("a.pdf", pages.pdf("We traced every lock of forty statements.", "doi:10.1000/abc.7", info=info))
    assert (made.form, made.title) == ("pdf", "On locks")
    assert made.text == "We traced every lock of forty statements.\n\ndoi:10.1000/abc.7"
    assert facts(made.authors) == [("Ann Lee", "pdf:Author")]
    assert facts(made.published) == [("2024-03-05", "pdf:CreationDate")]
    assert (made.also, made.kind) == (("https://doi.org/10.1000/abc.7",), "paper")


def test_transcripts_have_times(source: Made) -> None:
    made = source("talk.srt", pages.SRT)
    assert [cue.seconds for cue in made.cues] == [1.0, 2.5]
    assert made.text.split("\n")[0] == "hello there"
    assert (made.kind, made.notes) == ("video", ())


def test_a_name_with_the_id_of_a_video_is_its_address(source: Made) -> None:
    made = source("A talk [abcDEF_-123].en.srt", pages.SRT)
    assert (made.url, made.title) == ("https://www.youtube.com/watch?v=abcDEF_-123", "A talk")


def test_rolling_captions_are_said_once(source: Made) -> None:
    rolling = "WEBVTT\n\n00:01.000 --> 00:02.000\none two\n\n00:02.000 --> 00:03.000\none two\nthree\n"
    assert source("a.vtt", rolling).text == "one two\nthree"


def test_transcript_without_times_is_marked(source: Made) -> None:
    made = source("a.vtt", "WEBVTT\n\nonly words\n")
    assert (made.text, made.notes, made.cues) == ("only words", ("no_times",), ())


def test_markdown_with_front_matter(source: Made) -> None:
    made = source(
        "a.md",
        "---\ntitle: Soup: a history\nauthor: Ann Lee and Bo Wu\n"
        "date: 5 March 2024\nkind: paper\n---\n# Soup\n\nHot.\n",
    )
    assert (made.title, made.kind, made.text) == ("Soup: a history", "paper", "Soup\n\nHot.")
    assert facts(made.authors) == [("Ann Lee", "front matter"), ("Bo Wu", "front matter")]
    assert facts(made.published) == [("2024-03-05", "front matter")]


def test_code_is_no_heading(source: Made) -> None:
    made = source("a.md", "# Real\n\n```sh\n# not one\n```\n")
    assert [each.title for each in made.headings] == ["Real"]
    assert "# not one" in made.text


def test_a_byline_needs_a_name(source: Made) -> None:
    assert facts(source("a.md", "By Ann Lee, Bo Wu\n\nText.").authors) == [("Ann Lee", "byline"), ("Bo Wu", "byline")]
    assert source("a.md", "by the way\n\nBy Monday it was over.").authors == ()


def test_a_file_of_chats(source: Made) -> None:
    row = b'{"conversations": [{"from": "human", "value": "Is tea hot?"}, {"from": "gpt", "value": "It is."}]}\n'
    made = source("talks.jsonl", row + row)
    assert made.text.startswith("Talk 1\n\nuser: Is tea hot?\n\nassistant: It is.")


def test_where_a_caption_stands_is_not_said(source: Made) -> None:
    made = source("a.srt", b"1\n00:00:01,000 --> 00:00:02,000\n{\\an8}Hello there.\n")
    assert made.text == "Hello there."
