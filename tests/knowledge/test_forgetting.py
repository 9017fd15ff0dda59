"""Forgetting by host and trust: all of what is asked for together, with everything made of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from toolmend import db
from toolmend.knowledge import Library, Outside, Source, tables
from toolmend.knowledge.fetch import Cache, Fetched
from toolmend.knowledge.forgetting import choose, forget
from toolmend.knowledge.search import Search

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


def chosen(library: Library, host: str = "", below_trust: float | None = None) -> list[str]:
    return [each.id for each in choose(library, host, below_trust)]


def test_by_host_and_all_below(library: Library, sources: dict[str, str]) -> None:
    assert chosen(library, "soup.example") == [sources["news"], sources["health"]]
    assert chosen(library, "www.Soup.example") == [sources["news"], sources["health"]]


def test_by_trust(library: Library, sources: dict[str, str]) -> None:
    library.keep(Outside("notsoup.example", "unreliable", "a list", "2026-01-01", "https://c.example", "bad"))
    assert chosen(library, below_trust=0.31) == [sources["health"], sources["other"]]
    assert chosen(library, below_trust=0.0) == []


def test_all_that_is_asked_for_counts(library: Library, sources: dict[str, str]) -> None:
    assert chosen(library, "soup.example", 0.31) == [sources["health"]]


def test_everything_made_of_them_goes(library: Library, sources: dict[str, str], tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    cache.put("https://copy.example/", Fetched(b"A match", "https://copy.example/", "", "2026"))
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
    cache.put("https://a.example/", Fetched(b"x", "https://a.example/", "", "2026"))
    assert forget(library, [], cache) == []
    assert len(list(tmp_path.glob("*.fetched"))) == 1
