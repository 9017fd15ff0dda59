"""The JSON of the published collector (`{"count", "sources": […]}`), whatever its file is called.

Its chunks repeat up to fifty words of the one before; together they are the whole text, whose beginning `raw_text` has
with line breaks. Its extraction dropped the links, and every source is marked so (`no_links`). What it said of a source
(id, tags, score) stays in `raw`, for its own rules (../trust/seed.py) and whoever compares.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from toolmend.extras.knowledge import dates
from toolmend.extras.knowledge.collect.finish import finished, identifiers, split_names, urls_in
from toolmend.extras.knowledge.collect.item import TEXT_AT_MOST, Item
from toolmend.extras.knowledge.encoding import cleaned
from toolmend.extras.knowledge.outcome import Outcome
from toolmend.extras.knowledge.source import Found, Link, Source

OVERLAP = 50
_KINDS = {"youtube": "video", "pubmed": "paper"}
_RAW = (
    *("source_id", "source_url", "source_type", "author", "published_date", "scraped_at", "citations_count", "region"),
    *("trust_score", "topic_tags"),
)


def looks_like(data: Any) -> bool:
    """Whether JSON is of this form."""
    entries = data.get("sources") if isinstance(data, dict) else None
    return isinstance(entries, list) and any(isinstance(entry, dict) and "content_chunks" in entry for entry in entries)


def read(data: dict[str, Any], item: Item) -> list[Source | Outcome]:
    """Every source of the file, whose JSON is `data`; an entry that is none is an outcome that says which."""
    return [_read(entry, f"{item.name}#{number}", item, number) for number, entry in enumerate(data["sources"], 1)]


def _read(entry: Any, name: str, item: Item, number: int) -> Source | Outcome:
    chunks = entry.get("content_chunks") if isinstance(entry, dict) else None
    if not isinstance(chunks, list) or not all(isinstance(chunk, str) for chunk in chunks):
        return Outcome("unreadable", name, "a collected source has its text in content_chunks, a list of texts")
    text = _whole(chunks, str(entry.get("raw_text") or ""))[:TEXT_AT_MOST]
    if not text.strip():
        return Outcome("no_text", name, "a source without text")
    item = replace(item, name=name, url=f"{item.url}#{number}")
    given = {key: _said(entry.get(key)) for key in _RAW}
    published, count = dates.iso(given["published_date"]), entry.get("citations_count")
    source = Source(
        id="",
        url=given["source_url"] or item.url,
        form="seed",
        text=text,
        title=_said(entry.get("title")),
        description=_said(entry.get("description")),
        site=_said(entry.get("journal")),
        language=_said(entry.get("language")),
        authors=tuple(Found(author, "seed:author") for author in split_names(given["author"])),
        published=(Found(published, "seed:published_date"),) if published else (),
        seen=given["scraped_at"],
        links=tuple(Link(url) for url in [*identifiers(text), *urls_in(text)]),
        reference_count=count if isinstance(count, int) and count > 0 else None,
        notes=("no_links",),
        raw=tuple(given.items()),
    )
    return finished(source, item, _KINDS.get(given["source_type"], ""))


def _said(value: Any) -> str:
    """A field as text: lists joined by commas, nothing for what is missing."""
    return ", ".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)


def _whole(chunks: list[str], raw: str) -> str:
    """The words of the chunks, each once, with the line breaks of `raw_text` as far as it goes."""
    words: list[str] = []
    for chunk in chunks:
        fresh = chunk.split(" ")
        most = min(OVERLAP, len(words), len(fresh))
        words += fresh[next((size for size in range(most, 0, -1) if words[-size:] == fresh[:size]), 0) :]
    head = re.sub(r"[^\S\n]+", " ", raw)
    at = used = 0
    for word in words:
        found = head.find(word, at)
        if not word or found < 0 or head[at:found].strip() or found + len(word) >= len(head):
            break
        at, used = found + len(word), used + 1
    return cleaned(head[:at] + " " * (at > 0 and used < len(words)) + " ".join(words[used:]))
