"""The tables of memories, beside the store's in the same database, by which steps they came to be, and what the stream
asks of them: which rows, rows to memories, the cascade of forgetting, erasing. Opens nothing.

`memory_history` is only ever added to: it outlives what it speaks of, and holds none of its words.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from toolmend.base import db
from toolmend.base.errors import BadOption, UnknownName
from toolmend.extras.memory.memory import KINDS, Memory, plain

_LOCK = 0x7470  # of writers of memories, among the advisory locks of a PostgreSQL database
_MANY = 500

metadata = sa.MetaData()
_number = sa.BigInteger().with_variant(sa.Integer, "sqlite")

memories = sa.Table(
    "memories",
    metadata,
    sa.Column("number", _number, primary_key=True),
    *(sa.Column(name, sa.Text, nullable=False) for name in ("namespace", "kind", "who", "text", "plain")),
    sa.Column("importance", sa.Double, nullable=False),
    *(sa.Column(name, sa.Text, nullable=False) for name in ("at", "state", "expires")),
    sa.Column("successor", _number),
    sa.Column("foreign", sa.Boolean, nullable=False),
    *(sa.Column(name, sa.Text, nullable=False) for name in ("talk", "data")),
    sqlite_autoincrement=True,  # a number is never given twice: the history speaks of those that are gone
)
sa.Index("memories_by_namespace", memories.c.namespace, memories.c.state)

links = sa.Table(
    "memory_links",
    metadata,
    sa.Column("memory", _number, sa.ForeignKey("memories.number", ondelete="CASCADE"), primary_key=True),
    sa.Column("other", _number, sa.ForeignKey("memories.number", ondelete="CASCADE"), primary_key=True),
    sa.Column("kind", sa.Text, primary_key=True),
)
sa.Index("memory_links_by_other", links.c.other)

history = sa.Table(
    "memory_history",
    metadata,
    sa.Column("id", _number, primary_key=True),
    *(sa.Column(name, sa.Text, nullable=False) for name in ("at", "did", "namespace")),
    sa.Column("memory", _number, nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
)


def m001_memories_links_history(connection: Connection) -> None:
    """The tables above. Whoever changes one of them writes out here what it was, and adds a step."""
    metadata.create_all(connection, checkfirst=False)


MIGRATIONS: list[db.Migration] = [m001_memories_links_history]


@dataclass(frozen=True, slots=True)
class Which:
    """Which memories: every criterion given must hold, and a filter that names nothing is refused, so that a slip in a
    program or a model never forgets everything.

    `containing` are words as they stand, in any letters; `everything` says outright that all of the namespace is meant.
    """

    ids: tuple[int, ...] = ()
    containing: str = ""
    kind: str = ""
    everything: bool = False

    def __post_init__(self) -> None:
        """Refuse a filter that names nothing, and a kind that is none."""
        if self.kind and self.kind not in KINDS:
            raise UnknownName("kind of memory", self.kind, KINDS)
        if self.containing and not plain(self.containing):
            raise BadOption(f"{self.containing!r} has no word in it to look for")
        if not (self.ids or self.containing or self.kind or self.everything):
            raise BadOption("say which memories: an id, words they contain, or a kind")

    def conditions(self, namespace: str) -> list[sa.ColumnElement[bool]]:
        """What must hold of a row of the table."""
        row = memories.c
        found: list[sa.ColumnElement[bool]] = [row.namespace == namespace]
        if self.ids:
            found.append(row.number.in_(self.ids))
        if self.containing:  # whole words: what is plain has single spaces between them
            padded = sa.literal(" ") + row.plain + sa.literal(" ")
            found.append(padded.contains(f" {plain(self.containing)} ", autoescape=True))
        if self.kind:
            found.append(row.kind == self.kind)
        return found


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """One transaction of one writer at a time. On SQLite what is erased is overwritten, not only let go."""
    with db.writing(engine) as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        else:
            connection.exec_driver_sql("PRAGMA secure_delete=ON")
        yield connection


def read(connection: Connection, found: Sequence[Any]) -> list[Memory]:
    """Rows of the table as memories, with what they cite and contradict. Raises ValueError for what cannot be read."""
    cites, against = _linked(connection, [row.number for row in found])
    made = []
    for row in found:
        data = json.loads(row.data) if row.data else {}
        if not isinstance(data, dict):
            raise ValueError(f"m{row.number}: its data are no mapping")
        values = {name: value for name, value in row._mapping.items() if name != "plain"}
        links_of = {"cites": tuple(sorted(cites[row.number])), "contradicts": tuple(sorted(against[row.number]))}
        made.append(Memory(**{**values, **links_of, "data": data}))
    return made


def cascade(connection: Connection, chosen: set[int]) -> tuple[set[int], set[int]]:
    """All that goes with the chosen ones, and which of it was made of others; confirmed preferences stay."""
    every, derived, fresh = set(chosen), set[int](), set(chosen)
    while fresh:
        before = earlier(connection, fresh) - every
        made = set[int]()
        for some in _parts(fresh):
            citing = (
                sa.select(links.c.memory)
                .join(memories, memories.c.number == links.c.memory)
                .where(links.c.kind == "cites", links.c.other.in_(some), memories.c.state != "confirmed")
            )
            made |= set(connection.execute(citing).scalars())
        derived |= made - every
        fresh = (before | made) - every
        every |= fresh
    return every, derived


def earlier(connection: Connection, numbers: set[int]) -> set[int]:
    """What these superseded, and what that superseded, and so on."""
    found, fresh = set[int](), set(numbers)
    while fresh:
        step = set[int]()
        for some in _parts(fresh):
            query = sa.select(memories.c.number).where(memories.c.successor.in_(some))
            step |= set(connection.execute(query).scalars())
        fresh = step - found - numbers
        found |= fresh
    return found


def erase(connection: Connection, numbers: set[int]) -> None:
    """Take the rows out, and with them every link; nobody's successor is one of them any more."""
    for some in _parts(numbers):
        gone = sa.update(memories).where(memories.c.successor.in_(some)).values(successor=None)
        connection.execute(gone)
        connection.execute(sa.delete(memories).where(memories.c.number.in_(some)))


def _linked(
    connection: Connection, numbers: list[int]
) -> tuple[defaultdict[int, set[int]], defaultdict[int, set[int]]]:
    """By memory: what it cites, and what it contradicts, said from either side."""
    cites, against = defaultdict[int, set[int]](set), defaultdict[int, set[int]](set)
    for some in _parts(set(numbers)):
        query = sa.select(links).where(sa.or_(links.c.memory.in_(some), links.c.other.in_(some)))
        for row in connection.execute(query):
            if row.kind == "cites":
                cites[row.memory].add(row.other)
            else:
                against[row.memory].add(row.other)
                against[row.other].add(row.memory)
    return cites, against


def _parts(numbers: set[int]) -> Iterator[list[int]]:
    ordered = sorted(numbers)
    return (ordered[at : at + _MANY] for at in range(0, len(ordered), _MANY))
