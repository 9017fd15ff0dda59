"""The tables of memories, beside the store's in the same database, and the steps by which they came to be.

`memory_history` is only ever added to: it outlives what it speaks of, and holds none of its words.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from toolmend.db import Migration

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


MIGRATIONS: list[Migration] = [m001_memories_links_history]
