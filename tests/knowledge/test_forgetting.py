"""Forgetting by age, kind, host, trust and topic: all of what is asked for together, with everything made of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import get_args

import pytest
import sqlalchemy as sa

from toolmend import db
from toolmend.apps.cli.commands import know_forget
from toolmend.errors import BadOption, UnknownName
from toolmend.knowledge import Library, Outside, Source, tables
from toolmend.knowledge.fetch import Cache, Fetched
from toolmend.knowledge.fetch.cache import Kept
from toolmend.knowledge.forgetting import Chosen, choose, forget
from toolmend.knowledge.search import Search
from toolmend.knowledge.source import Kind

Made = Callable[..., Source]


@pytest.fixture
def sources(library: Library, written: Made) -> dict[str, str]:
    """Names to ids of what is kept."""
    brain = (
        "Depression and anxiety are treated with psychotherapy. Depression and anxiety return without psychotherapy."
    )
    made = {
        "news": written("A match was played.", "https://news.soup.example/match", said="NewsArticle"),
        "health": written(brain, "https://www.soup.example/mind"),
        "other": written("Boats float on water.", "https://notsoup.example/boats"),
    }
    for each in made.values():
        library.keep(each)
    return {name: each.id for name, each in made.items()}


def found(library: Library, chosen: Chosen, days: float = 0.0) -> list[str]:
    return [each.id for each in choose(library, chosen, datetime.now(UTC) + timedelta(days=days))]


def test_by_host_and_all_below(library: Library, sources: dict[str, str]) -> None:
    assert found(library, Chosen(host="soup.example")) == [sources["news"], sources["health"]]
    assert found(library, Chosen(host="www.Soup.example")) == [sources["news"], sources["health"]]


def test_by_kind(library: Library, sources: dict[str, str]) -> None:
    assert found(library, Chosen(kind="news")) == [sources["news"]]


def test_by_topic(library: Library, sources: dict[str, str]) -> None:
    assert found(library, Chosen(tag="mental_health")) == [sources["health"]]
    with pytest.raises(UnknownName, match="unknown topic 'mental_helth'"):
        found(library, Chosen(tag="mental_helth"))


def test_by_age_of_the_present_state(library: Library, sources: dict[str, str]) -> None:
    assert found(library, Chosen(older=30), days=29) == []
    assert found(library, Chosen(older=30), days=31) == list(sources.values())


def test_by_trust(library: Library, sources: dict[str, str]) -> None:
    library.keep(Outside("notsoup.example", "unreliable", "a list", "2026-01-01", "https://c.example", "bad"))
    assert found(library, Chosen(below_trust=0.31)) == [sources["health"], sources["other"]]
    assert found(library, Chosen(below_trust=0.0)) == []


def test_all_that_is_asked_for_counts(library: Library, sources: dict[str, str]) -> None:
    assert found(library, Chosen(host="soup.example", kind="news")) == [sources["news"]]
    assert found(library, Chosen(host="notsoup.example", kind="news")) == []


def test_nothing_asked_for_is_not_everything(library: Library) -> None:
    with pytest.raises(BadOption, match="that would be all of them"):
        found(library, Chosen())


def test_everything_made_of_them_goes(library: Library, sources: dict[str, str], tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    cache.put("https://copy.example/", Kept(Fetched(b"A match", "https://copy.example/", "", "2026"), 1.0))
    Search(library).find("boats")
    assert forget(library, [sources["news"], sources["health"]], cache) == [sources["news"], sources["health"]]
    assert [each.id for each in library.sources()] == [sources["other"]]
    with db.reading(library.engine) as connection:
        for table in (tables.revisions, tables.chunks, sa.table("passages")):
            assert connection.execute(sa.select(sa.func.count()).select_from(table)).scalar() == 1
    assert [(did, detail) for _, did, _, detail in library.history()][-2:] == [("forgotten", "")] * 2
    assert list(cache.folder.iterdir()) == []


def test_forgetting_nothing_leaves_the_cache(library: Library, tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("https://a.example/", Kept(Fetched(b"x", "https://a.example/", "", "2026"), 1.0))
    assert forget(library, [], cache) == []
    assert len(list(tmp_path.glob("*.fetched"))) == 1


def test_the_command_knows_all_kinds() -> None:
    assert get_args(Kind) == know_forget._KINDS
