"""Addresses, encodings, dates, chunks, tags: one property each, and what holds for any text."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.extras.knowledge import Source, canonical, chunks_of, source_id, tags_of
from toolmend.extras.knowledge.address import is_private
from toolmend.extras.knowledge.chunks import TOKENS, sentences, tokens_in
from toolmend.extras.knowledge.collect import Item
from toolmend.extras.knowledge.collect.finish import finished, language_of
from toolmend.extras.knowledge.dates import day_of, in_url, iso
from toolmend.extras.knowledge.encoding import decode
from toolmend.extras.knowledge.outside import Outside, outside_facts
from toolmend.extras.knowledge.source import Cue, Heading, source_of


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTP://Example.ORG:80/A/b/?utm_source=x&q=Y#top", "https://example.org/A/b?q=Y"),
        ("https://example.org", "https://example.org"),
        ("https://www.ncbi.nlm.nih.gov/pubmed/22810696/", "https://pubmed.ncbi.nlm.nih.gov/22810696"),
        ("http://arxiv.org/pdf/2304.03442v1.pdf", "https://arxiv.org/abs/2304.03442"),
        ("https://dx.doi.org/10.1000/ABC%2F1", "https://doi.org/10.1000/abc/1"),
        ("https://www.youtube.com/embed/abcDEF_-123", "https://www.youtube.com/watch?v=abcDEF_-123"),
        ("https://www.youtube.com/@someone", "https://www.youtube.com/@someone"),
        ("https://[2001:db8::1]:8443/x", "https://[2001:db8::1]:8443/x"),
        ("file:///a/B.txt", "file:///a/B.txt"),
        ("https:// :", "https:// :"),
        ("https://a.example/x /", "https://a.example/x"),
    ],
)
def test_canonical(url: str, expected: str) -> None:
    assert canonical(url) == expected


@given(st.text(max_size=60))
def test_canonical_twice_is_canonical(text: str) -> None:
    for url in (text, f"https://{text}", f"https://a.example/{text}"):
        assert canonical(canonical(url)) == canonical(url)
        assert len(source_id(url)) == 12


@pytest.mark.parametrize("host", ["example.org", "8.8.8.8", "sub.localhost.example.org"])
def test_public_hosts(host: str) -> None:
    assert not is_private(host)


@pytest.mark.parametrize(
    ("data", "header", "expected"),
    [
        ("é".encode("utf-16"), "", ("é", "utf-16-le")),
        ("й".encode("koi8-r"), "text/html; charset=koi8-r", ("й", "koi8-r")),
        (b'<meta charset="windows-1250">\xb9', "", ('<meta charset="windows-1250">ą', "cp1250")),
        ("é".encode(), "", ("é", "utf-8")),
        ("é".encode(), "charset=no-such", ("é", "utf-8")),
        (b"caf\xe9", "charset=iso-8859-1", ("café", "cp1252")),
    ],
)
def test_decode(data: bytes, header: str, expected: tuple[str, str]) -> None:
    assert decode(data, header) == expected


def test_the_detector_comes_last() -> None:
    pytest.importorskip("charset_normalizer")
    assert decode("Зимой здесь холодно, а летом жарко и сухо, как в степи.".encode("cp1251"))[0][:5] == "Зимой"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no date", ""),
        ("2023-13-40", ""),
        ("Jul 2012", "2012-07"),
        ("1998", "1998"),
        ("3rd May, 1999", "1999-05-03"),
        ("0999-01-01", ""),
    ],
)
def test_iso(text: str, expected: str) -> None:
    assert iso(text) == expected


def test_a_date_in_an_address() -> None:
    assert in_url("https://a.example/posts/2023-06-23-agent/") == "2023-06-23"
    assert in_url("https://a.example/2023/99/99/x") == ""


@given(st.text(max_size=40))
def test_any_text_is_a_date_or_none(text: str) -> None:
    found = iso(text)
    assert (day_of(found) is None) == (found == "")


def test_parts_of_dates_stand_for_their_middle() -> None:
    assert [day_of(each) for each in ("2012", "2012-03", "2012-03-09")] == [
        date(2012, 7, 1),
        date(2012, 3, 1),
        date(2012, 3, 9),
    ]


def test_sentences_do_not_end_at_abbreviations() -> None:
    text = "As Wei et al. 2022 say, e.g. Dr. Lee. It works (Fig. 2). Yes."
    assert [text[start:end].strip() for start, end in sentences(text, 0, len(text))] == [
        "As Wei et al. 2022 say, e.g. Dr. Lee.",
        "It works (Fig. 2).",
        "Yes.",
    ]


def test_chunks_of_speech_begin_at_their_second() -> None:
    text = "\n".join(f"line {number} is said here" for number in range(100))
    cues = tuple(Cue(text.index(f"line {number} "), float(number)) for number in range(100))
    chunks = chunks_of(Source("a" * 12, "", "transcript", text, cues=cues))
    assert len(chunks) > 2
    assert [text[chunk.start :].split()[1] for chunk in chunks] == [f"{chunk.seconds:g}" for chunk in chunks]


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=3000), cuts=st.lists(st.integers(0, 3000), max_size=5), tokens=st.integers(8, 60))
def test_chunks_hold_every_word_once_and_fit(text: str, cuts: list[int], tokens: int) -> None:
    headings = tuple(Heading(at, 1, "h") for at in sorted(set(cuts)) if at < len(text))
    chunks = chunks_of(Source("x", "", "text", text, headings=headings), tokens)
    pieces = [text[chunk.start : chunk.end] for chunk in chunks]
    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert all(before.end <= after.start for before, after in itertools.pairwise(chunks))
    assert all(tokens_in(piece) <= max(tokens, 200) for piece in pieces)


def test_tokens_of_a_chunk_leave_room() -> None:
    assert TOKENS * 1.09 < 256 - 2
    assert tokens_in("unbelievable facts, 1234!") == 3 + 1 + 1 + 2 + 1


def test_tags_show_their_spans() -> None:
    made = Source("x", "", "text", "A gut microbiome lives in the colon. Probiotics feed it.")
    (tag,) = tags_of(made)
    assert (tag.topic, [made.text[start:end] for start, end in tag.spans]) == (
        "gut_health",
        ["gut microbiome", "Probiotics"],
    )


def test_any_source_survives_its_record() -> None:
    url = "https://a.example/2024/01/02/x"
    made = finished(Source("", url, "text", "By Ann Lee\n\nText.", cues=(Cue(0, 1.5),)), Item(b"", "x", url))
    assert source_of(made.record(), made.text) == made


def test_facts_from_outside_are_read_or_named() -> None:
    entries = [
        {"about": "WWW.Bad.example", "says": "unreliable", "by": "a list", "date": "May 2025"},
        {"about": "x"},
        {"about": "x", "says": "nice", "by": "y", "date": "2025"},
    ]
    good, *bad = outside_facts(entries, "f.json")
    assert good == Outside("bad.example", "unreliable", "a list", "2025-05")
    assert [each.name for each in bad] == ["unreadable", "unreadable"]  # type: ignore[union-attr]


def test_a_host_is_not_another_that_ends_like_it(written: Callable[..., Source]) -> None:
    fact = Outside("bad.example", "unreliable", "a list", "2025")
    hosts = ("https://bad.example/x", "https://www.bad.example/x", "https://notbad.example/x")
    assert [fact.concerns(written("x", each)) for each in hosts] == [True, True, False]


def test_a_full_disk_costs_the_language_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    detector = pytest.importorskip("py3langid")

    def full(text: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(detector, "classify", full)
    assert language_of("The soup of the day is hot, and nobody knows who salted it first.") == ""
