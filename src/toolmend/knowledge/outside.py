"""What others say about a source: listed, retracted, superseded, confirmed, disputed; each with who, when, and where.

Such facts are given in JSON files of one's own: `{"outside": [{"about", "says", "by", "date", "where", "quote"}]}`.
`about` is an address (of one source) or a host (of everything there). No list ships: their texts belong to others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

from toolmend.knowledge import dates
from toolmend.knowledge.address import belongs_to, canonical, host_of
from toolmend.knowledge.outcome import Outcome
from toolmend.knowledge.source import Source

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
            isinstance(entry.get(each), str) for each in ("about", "says", "by", "date")
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
