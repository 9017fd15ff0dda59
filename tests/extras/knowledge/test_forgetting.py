"""Forgetting sources with everything made of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sqlalchemy as sa

from toolmend.base import db
from toolmend.extras.knowledge import Library, Source, tables
from toolmend.extras.knowledge.search import Search

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


def test_everything_made_of_them_goes(library: Library, sources: dict[str, str]) -> None:
    Search(library).find("boats")
    assert [library.forget(sources[name]) for name in ("news", "health")] == [sources["news"], sources["health"]]
    assert [each.id for each in library.sources()] == [sources["other"]]
    with db.reading(library.engine) as connection:
        for table in (tables.revisions, tables.chunks, sa.table("passages")):
            assert connection.execute(sa.select(sa.func.count()).select_from(table)).scalar() == 1
    assert [(did, detail) for _, did, _, detail in library.history()][-2:] == [("forgotten", "")] * 2
