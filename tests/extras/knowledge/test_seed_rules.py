"""The published collector: its arithmetic from the published components, its file as sources, all scores from that."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from extras.knowledge.labels import AS_OF
from toolmend.extras.knowledge import Library, Others, Outcome, Source, judge
from toolmend.extras.knowledge.trust.seed import WEIGHTS, seed_chunks, seed_id, seed_score

PUBLISHED = json.loads(Path(__file__).with_name("published_scores.json").read_text(encoding="utf-8"))["sources"]
SEED = "seeds/002_5e2629a4887884f0.txt"


@pytest.mark.parametrize("row", PUBLISHED, ids=[row["source_id"] for row in PUBLISHED])
def test_ids_and_sums_of_the_published_components(row: dict[str, Any]) -> None:
    abuse = row["penalties"].count("promotional_language")
    total = sum(weight * row["components"][name] for name, weight in WEIGHTS.items())
    assert round(total - 0.08 * abuse, 2) == row["trust_score"]
    assert seed_id(row["source_url"]) == row["source_id"]


def test_chunks_overlap_by_fifty_words() -> None:
    words = [str(number) for number in range(960)]
    assert [(each.split()[0], each.split()[-1]) for each in seed_chunks(" \n".join(words))] == [
        ("0", "499"),
        ("450", "949"),
        ("900", "959"),
    ]
    assert seed_chunks("one two") == ["one two"]


def test_seed_rules_on_a_source_of_our_own(written: Callable[..., Source]) -> None:
    made = written(
        "As Lee et al. (2020) say [1].",
        "https://a.example.edu/x",
        authors="Ann Lee",
        published="2026-01-01",
        seen="2026-06-01T00:00:00Z",
    )
    found = seed_score(made)
    assert found.components == {
        "author_credibility": 0.6,
        "citation_count": 0.3,
        "domain_authority": 0.9,
        "recency": 0.95,
        "disclaimer": 0.2,
    }
    assert (found.score, found.reason) == (0.63, "high-authority domain. recent content.")


@pytest.fixture
def sources(library: Library, shared: Path) -> list[Source]:
    assert [outcome.name for outcome in library.add(str(shared / SEED))] == ["added"] * 6
    return list(library.sources())


@pytest.mark.needs_shared
def test_ids_scores_reasons_flags_and_chunks_are_the_published_ones(sources: list[Source], shared: Path) -> None:
    entries = {each["source_id"]: each for each in json.loads((shared / SEED).read_text(encoding="utf-8"))["sources"]}
    for row, source in zip(PUBLISHED, sources, strict=True):
        found = seed_score(source)
        assert (found.id, found.score, found.components) == (row["source_id"], row["trust_score"], row["components"])
        assert (list(found.flags), found.reason) == (row["penalties"], row["scoring_reason"])
        assert seed_chunks(source.text) == entries[found.id]["content_chunks"]
        assert (found.published, found.chunks) == (row["trust_score"], row["chunks"])
        assert found.topics.split(", ") == entries[found.id]["topic_tags"]


def collected(*texts: str, **given: object) -> str:
    """A file of one source, of these chunks."""
    entry = {"source_url": "https://a.example/x", "title": "A", "content_chunks": texts, **given}
    return json.dumps({"count": 1, "sources": [entry]})


@pytest.mark.parametrize("name", ["a.json", "a.txt", "a"])
def test_a_file_of_sources_is_read_whatever_it_is_called(source: Callable[..., Source], name: str) -> None:
    made = source(name, collected("One two.", topic_tags=["soup"], trust_score=0.5, author="Ann Lee"))
    assert (made.url, made.form, made.title, made.text) == ("https://a.example/x", "seed", "A", "One two.")
    assert [found.value for found in made.authors] == ["Ann Lee"]
    assert (seed_score(made).topics, seed_score(made).published) == ("soup", 0.5)


def test_words_that_chunks_repeat_are_there_once(source: Callable[..., Source]) -> None:
    words = [str(number) for number in range(960)]
    assert source("a.json", collected(*seed_chunks(" ".join(words)))).text.split() == words


def test_chunks_that_repeat_nothing_lose_nothing(source: Callable[..., Source]) -> None:
    assert source("a.json", collected("one two", "three four")).text == "one two three four"


def test_line_breaks_are_those_of_the_raw_text(source: Callable[..., Source]) -> None:
    assert source("a.json", collected("one two three four", raw_text="one\ntwo three fo")).text == "one\ntwo three four"


def test_an_entry_without_text_is_told_and_the_others_are_kept(read: Callable[..., list[Source | Outcome]]) -> None:
    entries = [{"content_chunks": ["Soup is hot."]}, {"title": "no chunks"}, 7, {"content_chunks": [" "]}]
    first, *others = read("a.json", json.dumps({"count": 4, "sources": entries}))
    assert isinstance(first, Source) and first.url == "file:///a.json#1"
    assert [(told.name, told.place) for told in others if isinstance(told, Outcome)] == [
        ("unreadable", "a.json#2"),
        ("unreadable", "a.json#3"),
        ("no_text", "a.json#4"),
    ]


def test_other_json_is_no_file_of_sources(read: Callable[..., list[Source | Outcome]]) -> None:
    [found] = read("a.txt", '{"sources": ["a cook book", "a farmer"]}')
    assert isinstance(found, Source) and found.form == "text"


@pytest.mark.parametrize("seen", ["", "yesterday", "2026-13-45T99:00"])
def test_a_source_that_was_seen_nobody_knows_when_has_no_age(source: Callable[..., Source], seen: str) -> None:
    made = source("a.json", collected("Soup is hot.", scraped_at=seen, published_date="2024-01-01"))
    assert seed_score(made).components["recency"] == 0.5


def test_a_score_of_another_source_has_nothing_published(written: Callable[..., Source]) -> None:
    assert seed_score(written("Soup is hot.")).published is None


@pytest.mark.needs_shared
def test_order_by_our_rules(sources: list[Source]) -> None:
    others = Others.of(sources)
    weng, koala, leaderboard, video, jupyter, tcga = [judge(each, AS_OF, others).score for each in sources]
    assert tcga > weng >= koala > leaderboard > max(video, jupyter)


@pytest.mark.needs_shared
def test_what_the_collector_missed_is_found(sources: list[Source]) -> None:
    _, koala, leaderboard, *_ = sources
    assert "2023-04-03" in {each.value for each in koala.published}
    assert {"Nazneen Rajani", "Thomas Wolf"} <= {each.value for each in leaderboard.authors}
    assert {"2023-05-24", "2023-06-12"} <= {each.value for each in leaderboard.published}


@pytest.mark.needs_shared
def test_texts_are_whole(sources: list[Source]) -> None:
    digests = [hashlib.sha256(" ".join(each.text.split()).encode()).hexdigest()[:8] for each in sources]
    assert len(set(digests)) == 6
    assert [len(each.references) for each in sources] == [21, 0, 0, 0, 0, 0]
