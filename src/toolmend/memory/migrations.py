"""How the tables of memories came to be, step by step. A step that was released is never edited: add another one."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from toolmend.db import Migration

ROOM = "memory"


def m001_memories_links_history(connection: Connection) -> None:
    """The first tables."""
    metadata = sa.MetaData()
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")

    def texts(*names: str) -> list[sa.Column[str]]:
        return [sa.Column(name, sa.Text, nullable=False) for name in names]

    def of_memory(name: str) -> sa.Column[int]:
        return sa.Column(name, number, sa.ForeignKey("memories.number", ondelete="CASCADE"), primary_key=True)

    memories = sa.Table(
        "memories",
        metadata,
        sa.Column("number", number, primary_key=True),
        *texts("namespace", "kind", "who", "text", "plain"),
        sa.Column("importance", sa.Double, nullable=False),
        *texts("at", "state", "expires"),
        sa.Column("successor", number),
        sa.Column("foreign", sa.Boolean, nullable=False),
        *texts("talk", "data"),
        sqlite_autoincrement=True,
    )
    sa.Index("memories_by_namespace", memories.c.namespace, memories.c.state)
    links = sa.Table(
        "memory_links",
        metadata,
        of_memory("memory"),
        of_memory("other"),
        sa.Column("kind", sa.Text, primary_key=True),
    )
    sa.Index("memory_links_by_other", links.c.other)
    sa.Table(
        "memory_history",
        metadata,
        sa.Column("id", number, primary_key=True),
        *texts("at", "did", "namespace"),
        sa.Column("memory", number, nullable=False),
        *texts("detail"),
    )
    metadata.create_all(connection, checkfirst=False)


MIGRATIONS: list[Migration] = [m001_memories_links_history]
