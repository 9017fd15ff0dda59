"""The JSON of the published collector (`{"count", "sources": […]}`), its facts kept with where they come from.

Its chunks overlap by fifty words; together they are the whole text, whose beginning `raw_text` has with line breaks.
Its extraction dropped the links, and every source is marked so (`no_links`).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from toolmend.knowledge import dates, people
from toolmend.knowledge.collect.finish import finished, identifiers, urls_in
from toolmend.knowledge.collect.item import Item
from toolmend.knowledge.encoding import cleaned
from toolmend.knowledge.outcome import Outcome
from toolmend.knowledge.source import Found, Link, Source

OVERLAP = 50
_KINDS = {"youtube": "video", "pubmed": "paper"}
_RAW = ("source_id", "source_url", "source_type", "author", "published_date", "scraped_at", "citations_count", "region")


def looks_like(data: Any) -> bool:
    """Whether JSON is of this form."""
    sources = data.get("sources") if isinstance(data, dict) else None
    return isinstance(sources, list) and all(isinstance(each, dict) and "content_chunks" in each for each in sources)


def read(data: dict[str, Any], item: Item) -> list[Source | Outcome]:
    """Every source of the file, whose JSON is `data`."""
    return [_source(each, item, number) for number, each in enumerate(data["sources"])]


def _source(entry: dict[str, Any], item: Item, number: int) -> Source | Outcome:
    text = _whole(entry)
    if not text.strip():
        return Outcome("no_text", f"{item.name}#{number}", "a source without text")
    item = replace(item, url=item.part(str(number), f"{item.url}#{number}"))
    given = {name: str(entry.get(name) or "") for name in _RAW}
    published = dates.iso(given["published_date"])
    site = entry.get("journal")
    count = entry.get("citations_count")
    return finished(
        Source(
            id="",
            url=given["source_url"] or item.url,
            form="seed",
            text=text,
            title=str(entry.get("title") or ""),
            description=str(entry.get("description") or ""),
            site=str(site or ""),
            language=str(entry.get("language") or ""),
            authors=tuple(Found(name, "seed:author") for name in people.split_names(given["author"])),
            published=(Found(published, "seed:published_date"),) if published else (),
            seen=given["scraped_at"],
            links=tuple(Link(url) for url in [*identifiers(text), *urls_in(text)]),
            reference_count=count if isinstance(count, int) and count > 0 else None,
            notes=("no_links",),
            raw=tuple(given.items()),
        ),
        item,
        _KINDS.get(given["source_type"], ""),
    )


def _whole(entry: dict[str, Any]) -> str:
    """The words of the chunks, with the line breaks of `raw_text` as far as it goes."""
    chunks = [str(each) for each in entry.get("content_chunks") or []]
    words = [word for number, chunk in enumerate(chunks) for word in chunk.split(" ")[OVERLAP if number else 0 :]]
    head = re.sub(r"[^\S\n]+", " ", str(entry.get("raw_text") or ""))
    at = used = 0
    for word in words:
        found = head.find(word, at)
        if not word or found < 0 or head[at:found].strip() or found + len(word) >= len(head):
            break
        at, used = found + len(word), used + 1
    return cleaned(head[:at] + " " * (at > 0 and used < len(words)) + " ".join(words[used:]))
