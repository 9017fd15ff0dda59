"""The library as tools: passages with their place and trust, quotes that are checked, all of it marked as foreign."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from toolmend.knowledge import Library, Source
from toolmend.knowledge.toolbox import KnowledgeTools
from toolmend.messages import Call

Made = Callable[..., Source]
TEXT = "Soup is older than pots. Nobody knows who salted it first."


@pytest.fixture
def call(library: Library, written: Made) -> Callable[..., Any]:
    library.keep(written(TEXT, "https://a.example/soup", title="Soup", authors="Ann Lee", seen="2026-01-01"))
    box = KnowledgeTools(library)
    return lambda name, **given: box.run_sync(Call(f"knowledge.{name}", given))


def test_every_tool_reads_and_is_foreign(library: Library) -> None:
    box = KnowledgeTools(library)
    assert {spec.name: spec.effect for spec in box.specs} == dict.fromkeys(("search", "quote", "list", "trust"), "read")
    assert all(box.tool(spec.full_name).foreign for spec in box.specs)


def test_search_gives_words_that_stand_there(call: Callable[..., Any]) -> None:
    found = call("search", question="Who salted soup first?")
    assert found.foreign
    passage = found.value[0]
    assert TEXT[passage["start"] : passage["end"]] == passage["text"]
    assert 0 <= passage["trust"] <= 1


def test_a_quote_is_checked(call: Callable[..., Any]) -> None:
    [source] = call("list").value
    assert (source["title"], source["url"]) == ("Soup", "https://a.example/soup")
    assert call("quote", source=source["id"], words="older than pots").value["start"] == 8
    assert call("quote", source=source["id"], words="younger").error.startswith("these words do not stand in")
    assert "unknown source" in call("trust", source="zzz").error
    assert call("trust", source=source["id"]).value["id"] == source["id"]
