"""What the rest of a library says about a source: who refers to it, who else knows its authors, which facts there are.

Independent means: at another host, and by nobody of the same name. A source that is itself listed or retracted vouches
for nobody.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from toolmend.knowledge.address import canonical, host_of
from toolmend.knowledge.outside import Outside
from toolmend.knowledge.source import Link, Source


@dataclass(frozen=True)
class _Card:
    """What is remembered of a source."""

    id: str
    title: str
    host: str
    authors: frozenset[str]


@dataclass(frozen=True)
class Others:
    """An index over the sources of a library and the facts from outside; empty where there is nothing to ask."""

    _citing: dict[str, list[tuple[_Card, Link]]] = field(default_factory=dict)
    _by_author: dict[str, list[_Card]] = field(default_factory=dict)
    outside: tuple[Outside, ...] = ()

    @classmethod
    def of(cls, sources: Iterable[Source], outside: Iterable[Outside] = ()) -> Others:
        """The index; the sources are read once and not kept."""
        facts = tuple(outside)
        citing: dict[str, list[tuple[_Card, Link]]] = defaultdict(list)
        by_author: dict[str, list[_Card]] = defaultdict(list)
        for source in sources:
            names = frozenset(found.value.casefold() for found in source.authors)
            card = _Card(source.id, source.title, host_of(source.url), names)
            for name in names:
                by_author[name].append(card)
            bad = any(fact.says in ("unreliable", "retracted", "disputed") and fact.concerns(source) for fact in facts)
            if not bad and "retracted" not in source.notes:
                for target, link in {canonical(link.url): link for link in source.links}.items():
                    citing[target].append((card, link))
        return cls(dict(citing), dict(by_author), facts)

    def citing(self, source: Source) -> list[tuple[str, str, Link]]:
        """Id and title of every independent source that refers to this one, with the link; one for each host."""
        names = {found.value.casefold() for found in source.authors}
        found: dict[str, tuple[str, str, Link]] = {}
        for target in (source.url, *source.also):
            for card, link in self._citing.get(target, ()):
                if card.id != source.id and card.host != host_of(source.url) and not names & card.authors:
                    found.setdefault(card.host, (card.id, card.title, link))
        return list(found.values())

    def also_by(self, source: Source) -> list[tuple[str, str, str]]:
        """Author, id and title of sources by one of these authors at other hosts."""
        return [
            (found.value, card.id, card.title)
            for found in source.authors
            for card in self._by_author.get(found.value.casefold(), ())
            if card.id != source.id and card.host != host_of(source.url) and " " in found.value
        ]

    def facts(self, source: Source) -> list[Outside]:
        """What is said about this source from outside, the newest first."""
        return sorted(
            (fact for fact in self.outside if fact.concerns(source)), key=lambda fact: fact.date, reverse=True
        )
