"""Which sources are to be forgotten, by host and trust together; and the forgetting of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from toolmend.knowledge.address import belongs_to, host_of
from toolmend.knowledge.fetch.cache import Cache
from toolmend.knowledge.library import Library
from toolmend.knowledge.source import Source
from toolmend.knowledge.trust import Others, judge


def choose(library: Library, host: str = "", below_trust: float | None = None) -> Iterator[Source]:
    """The sources of a host or one below it ("" for any), whose trust today is below a score (None for any)."""
    today, others = datetime.now(UTC).date(), Others.of(library.sources(), library.outside())
    for source in library.sources():
        if host and not belongs_to(host_of(source.url), host.lower().removeprefix("www.")):
            continue
        if below_trust is None or judge(source, today, others).score < below_trust:
            yield source


def forget(library: Library, ids: Iterable[str], cache: Cache | None = None) -> list[str]:
    """Drop sources with all their states, chunks and rows of the index, and what was fetched; the ids that went.

    Each goes in one transaction with the line that says so. `cache` None: that of this user.
    """
    wanted = list(ids)
    if wanted:
        (cache or Cache()).clear()  # first: killed in between, no text is left that nobody would look for
    return [library.forget(each) for each in wanted]
