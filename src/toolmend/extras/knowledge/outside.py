"""What others say about a source: facts from outside (listed, retracted, superseded, confirmed, disputed; each with
who, when, and where), and who in a library refers to it.

Facts are given in JSON files of one's own: `{"outside": [{"about", "says", "by", "date", "where", "quote"}]}`.
`about` is an address (of one source) or a host (of everything there). No list ships: their texts belong to others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from toolmend.extras.knowledge import dates
from toolmend.extras.knowledge.address import belongs_to, canonical, host_of
from toolmend.extras.knowledge.outcome import Outcome
from toolmend.extras.knowledge.source import Link, Source

Says = Literal["reliable", "unreliable", "retracted", "not_retracted", "superseded", "confirmed", "disputed"]
SAYS: tuple[Says, ...] = get_args(Says)
_KIND = frozenset({"reliable", "not_retracted", "confirmed"})


@dataclass(frozen=True)
class Outside:
    """One fact from outside: `by` says it on `date` (ISO 8601), to be read at `where`, in the words `quote`."""

    about: str
    says: Says
    by: str
    date: str
    where: str = ""
    quote: str = ""

    def concerns(self, source: Source) -> bool:
        """Whether it is about this source, or about its whole host."""
        if "/" in self.about:
            claimed = () if self.says in _KIND else source.claimed
            return canonical(self.about) in (source.url, *source.also, *claimed)
        return belongs_to(host_of(source.url), self.about)


def outside_facts(entries: Any, name: str) -> Iterator[Outside | Outcome]:
    """The facts of a file; an entry that is none is an outcome that says which."""
    for number, entry in enumerate(entries if isinstance(entries, list) else [entries], start=1):
        where = f"{name}#{number}"
        if not isinstance(entry, dict) or not all(
            isinstance(entry.get(key), str) for key in ("about", "says", "by", "date")
        ):
            yield Outcome("unreadable", where, "a fact from outside has the texts about, says, by and date")
        elif entry["says"] not in SAYS:
            yield Outcome("unreadable", where, f"says {entry['says']!r}; known: {', '.join(SAYS)}")
        elif not (told := dates.iso(entry["date"])):
            yield Outcome("unreadable", where, f"no date: {entry['date']!r}")
        else:
            about = entry["about"].strip()
            known = canonical(about) if "/" in about else about.lower().removeprefix("www.")
            yield Outside(
                known, entry["says"], entry["by"], told, str(entry.get("where") or ""), str(entry.get("quote") or "")
            )


@dataclass(frozen=True)
class _Card:
    """What is remembered of a source."""

    id: str
    title: str
    host: str
    authors: frozenset[str]


@dataclass(frozen=True)
class Others:
    """An index over the sources of a library and the facts from outside; empty where there is nothing to ask.

    Independent means: at another host, and by nobody of the same name. A source that is itself listed or retracted
    vouches for nobody.
    """

    _citing: dict[str, list[tuple[_Card, Link]]] = field(default_factory=dict)
    outside: tuple[Outside, ...] = ()

    @classmethod
    def of(cls, sources: Iterable[Source], outside: Iterable[Outside] = ()) -> Others:
        """The index; the sources are read once and not kept."""
        facts = tuple(outside)
        citing: dict[str, list[tuple[_Card, Link]]] = defaultdict(list)
        for source in sources:
            names = frozenset(found.value.casefold() for found in source.authors)
            card = _Card(source.id, source.title, host_of(source.url), names)
            bad = any(fact.says in ("unreliable", "retracted", "disputed") and fact.concerns(source) for fact in facts)
            if not bad and "retracted" not in source.notes:
                for target, link in {canonical(link.url): link for link in source.links}.items():
                    citing[target].append((card, link))
        return cls(dict(citing), facts)

    def citing(self, source: Source) -> list[tuple[str, str, Link]]:
        """Id and title of every independent source that refers to this one, with the link; one for each host."""
        names = {found.value.casefold() for found in source.authors}
        found: dict[str, tuple[str, str, Link]] = {}
        for target in (source.url, *source.also):
            for card, link in self._citing.get(target, ()):
                if card.id != source.id and card.host != host_of(source.url) and not names & card.authors:
                    found.setdefault(card.host, (card.id, card.title, link))
        return list(found.values())

    def facts(self, source: Source) -> list[Outside]:
        """What is said about this source from outside, the newest first."""
        return sorted(
            (fact for fact in self.outside if fact.concerns(source)), key=lambda fact: fact.date, reverse=True
        )
