"""The library's tables, beside the store's in the same database, and the steps by which they came to be.

`revisions` is the truth: one row per state of a source, never changed. `chunks` are derived from it.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from toolmend.base.db import Migration

metadata = sa.MetaData()
_number = sa.BigInteger().with_variant(sa.Integer, "sqlite")

sources = sa.Table(
    "sources",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("content_hash", sa.Text, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("added", sa.Text, nullable=False),
)
sa.Index("sources_by_content", sources.c.content_hash)

revisions = sa.Table(
    "revisions",
    metadata,
    sa.Column("source", sa.Text, sa.ForeignKey("sources.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("revision", sa.Integer, primary_key=True),
    sa.Column("record_hash", sa.Text, nullable=False),
    sa.Column("content_hash", sa.Text, nullable=False),
    sa.Column("added", sa.Text, nullable=False),
    sa.Column("record", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
)

# Spans of the present revision's text; what an index or an embedder makes of them is theirs to keep.
chunks = sa.Table(
    "chunks",
    metadata,
    sa.Column("source", sa.Text, sa.ForeignKey("sources.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True),
    sa.Column("start", sa.Integer, nullable=False),
    sa.Column("end", sa.Integer, nullable=False),
    sa.Column("heading", sa.Text, nullable=False),
    sa.Column("seconds", sa.Double),
)

outside = sa.Table(
    "outside",
    metadata,
    *(sa.Column(name, sa.Text, primary_key=True) for name in ("about", "says", "by", "date")),
    sa.Column("where", sa.Text, nullable=False),
    sa.Column("quote", sa.Text, nullable=False),
)

# What was done, append-only: it outlives the sources it speaks of, and holds none of their text.
history = sa.Table(
    "library_history",
    metadata,
    sa.Column("id", _number, primary_key=True),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("did", sa.Text, nullable=False),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
)


def m001_sources_revisions_chunks(connection: Connection) -> None:
    """The tables above. Whoever changes one of them writes out here what it was, and adds a step."""
    metadata.create_all(connection, checkfirst=False)


MIGRATIONS: list[Migration] = [m001_sources_revisions_chunks]
