"""Which memories: by id, words, speaker, kind, age. A filter that names nothing matches nothing, so that a slip in a
program or a model never forgets everything."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from toolmend.errors import BadOption, UnknownName
from toolmend.memory.memory import KINDS, moment, plain
from toolmend.memory.tables import memories


@dataclass(frozen=True, slots=True)
class Which:
    """Every criterion given must hold. `containing` are words as they stand, in any letters; `older_than` is an age in
    days; `everything` says outright that all of the namespace is meant."""

    ids: tuple[int, ...] = ()
    containing: str = ""
    who: str = ""
    kind: str = ""
    older_than: float | None = None
    everything: bool = False

    def __post_init__(self) -> None:
        """Refuse a filter that names nothing, and a kind that is none."""
        if self.kind and self.kind not in KINDS:
            raise UnknownName("kind of memory", self.kind, KINDS)
        if self.containing and not plain(self.containing):
            raise BadOption(f"{self.containing!r} has no word in it to look for")
        named = self.ids or self.containing or self.who or self.kind or self.older_than is not None
        if not named and not self.everything:
            raise BadOption("say which memories: an id, words they contain, who said them, a kind, or an age in days")

    def conditions(self, namespace: str, now: str) -> list[sa.ColumnElement[bool]]:
        """What must hold of a row of the table."""
        row = memories.c
        found: list[sa.ColumnElement[bool]] = [row.namespace == namespace]
        if self.ids:
            found.append(row.number.in_(self.ids))
        if self.containing:  # whole words: what is plain has single spaces between them
            padded = sa.literal(" ") + row.plain + sa.literal(" ")
            found.append(padded.contains(f" {plain(self.containing)} ", autoescape=True))
        if self.who:
            found.append(row.who == self.who)
        if self.kind:
            found.append(row.kind == self.kind)
        if self.older_than is not None:
            found.append(row.at < moment(datetime.fromisoformat(now) - timedelta(days=self.older_than)))
        return found
