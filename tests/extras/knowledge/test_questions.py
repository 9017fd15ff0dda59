"""The questions hold what they say, and the bars on recall and abstention are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from extras.knowledge.questions import DOCS, KINDS, SEED, fill, gold, questions
from toolmend.extras.knowledge import Library
from toolmend.extras.knowledge.search import Search, answer
from toolmend.extras.knowledge.search.words import content


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Iterator[Library]:
    with Library(tmp_path_factory.mktemp("questions") / "know.db") as made:
        fill(made, shared / SEED)
        yield made


def test_there_are_enough_of_each_kind() -> None:
    counts = Counter(each.kind for each in questions())
    assert counts["shared"] >= 60 and counts["apart"] >= 60 and counts["none"] >= 30
    assert set(counts) == set(KINDS)
    assert len({each.question for each in questions()}) == sum(counts.values())
    assert not any(each.quote for each in questions() if each.source)


def test_quotes_of_the_docs_stand_there() -> None:
    lost = [each.quote for each in questions() if each.doc and each.quote not in (DOCS / each.doc).read_text()]
    assert len(lost) <= 8, f"pages were rewritten; renew these quotes in questions.jsonl: {lost}"


@pytest.mark.needs_shared
def test_half_share_no_content_word_with_their_span(library: Library) -> None:
    spans = gold(library, questions())
    for each in questions():
        spot = spans.get(each.question)
        if each.kind != "none" and spot:
            span = library.source(spot.source).text[spot.start : spot.end]
            assert bool(set(content(each.question)) & set(content(span))) == (each.kind == "shared"), each.question
    assert all(spans[each.question] for each in questions() if each.source)


@pytest.mark.needs_shared
@pytest.mark.slow
def test_the_bars(library: Library) -> None:
    search = Search(library, day=date(2026, 11, 20))
    spans = gold(library, questions())
    found = []
    for each in questions():
        spot = spans.get(each.question)
        if each.kind == "shared" and spot:
            found.append(any(spot.within(hit.chunk) for hit in search.find(each.question, 5)))
    assert sum(found) / len(found) >= 0.95
    silent = [not answer(search, each.question).found for each in questions() if each.kind == "none"]
    assert sum(silent) / len(silent) >= 0.9


@pytest.mark.needs_shared
def test_the_atlas_says_how_many_and_where(library: Library) -> None:
    asked = "How many genes were significantly mutated, and what share of colorectal carcinomas was hypermutated?"
    said = answer(Search(library, day=date(2026, 11, 20)), asked)
    told = [(each.quote.source, each.quote.text[:24], each.quote.start) for each in said.quotes]
    assert ("25d039e28d14", "Twenty-four genes were s", 720) in told
    assert ("25d039e28d14", "In total, 16% of colorec", 309) in told
    assert all(each.verified for each in said.quotes)
