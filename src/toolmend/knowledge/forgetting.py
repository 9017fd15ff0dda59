"""Which sources are to be forgotten: by age, kind, host, trust and topic together; and the forgetting of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from toolmend.errors import BadOption, UnknownName
from toolmend.knowledge.address import belongs_to, host_of
from toolmend.knowledge.fetch.cache import Cache
from toolmend.knowledge.library import Library
from toolmend.knowledge.source import Kind, Source
from toolmend.knowledge.tags import tags_of, topics
from toolmend.knowledge.trust import Others, judge


@dataclass(frozen=True, slots=True)
class Chosen:
    """What all of them are; None and "" ask for nothing.

    `older` are days since the present state was added, `host` holds for hosts below it too, `below_trust` is a score
    on the day of choosing, `tag` one of the topics of `tags_of`.
    """

    older: float | None = None
    kind: Kind | None = None
    host: str = ""
    below_trust: float | None = None
    tag: str = ""

    @property
    def empty(self) -> bool:
        """Whether nothing is asked for, so that all would be chosen."""
        return self == Chosen()


def choose(library: Library, chosen: Chosen, now: datetime | None = None) -> Iterator[Source]:
    """The sources that are all of it, in the order in which they came.

    Raises BadOption where nothing is asked for, UnknownName for a topic that there is not.
    """
    if chosen.empty:
        raise BadOption("say which sources: nothing was asked for, and that would be all of them")
    known = [topic.name for topic in topics()]
    if chosen.tag and chosen.tag not in known:
        raise UnknownName("topic", chosen.tag, known)
    moment = now or datetime.now(UTC)
    others = Others.of(library.sources(), library.outside()) if chosen.below_trust is not None else None
    for source in library.sources():
        if chosen.kind and source.kind != chosen.kind:
            continue
        if chosen.host and not belongs_to(host_of(source.url), chosen.host.lower().removeprefix("www.")):
            continue
        if chosen.older is not None and moment - _added(library, source) <= timedelta(days=chosen.older):
            continue
        if chosen.tag and chosen.tag not in {tag.topic for tag in tags_of(source)}:
            continue
        if others and judge(source, moment.date(), others).score >= (chosen.below_trust or 0.0):
            continue
        yield source


def forget(library: Library, ids: Iterable[str], cache: Cache | None = None) -> list[str]:
    """Drop sources with all their states, chunks and rows of the index, and what was fetched; the ids that went.

    Each goes in one transaction with the line that says so. `cache` None: that of this user.
    """
    wanted = list(ids)
    if wanted:
        (cache or Cache()).clear()  # first: killed in between, no text is left that nobody would look for
    return [library.forget(each) for each in wanted]


def _added(library: Library, source: Source) -> datetime:
    _, added, _ = library.revisions(source.id)[-1]
    return datetime.fromisoformat(added)
