"""How the library's tables came to be, step by step. A step that was released is never edited: add another one."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from toolmend.db import Migration

ROOM = "knowledge"


def m001_sources_revisions_chunks(connection: Connection) -> None:
    """The first tables."""
    metadata = sa.MetaData()
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")

    def texts(*names: str) -> list[sa.Column[str]]:
        return [sa.Column(name, sa.Text, nullable=False) for name in names]

    def wholes(*names: str) -> list[sa.Column[int]]:
        return [sa.Column(name, sa.Integer, nullable=False) for name in names]

    def of_source() -> sa.Column[str]:
        return sa.Column("source", sa.Text, sa.ForeignKey("sources.id", ondelete="CASCADE"), primary_key=True)

    sa.Table(
        "sources",
        metadata,
        sa.Column("id", sa.Text, primary_key=True),
        *texts("url", "content_hash"),
        *wholes("revision"),
        *texts("added"),
    )
    sa.Table(
        "revisions",
        metadata,
        of_source(),
        sa.Column("revision", sa.Integer, primary_key=True),
        *texts("record_hash", "content_hash", "added", "record", "text"),
    )
    sa.Table(
        "chunks",
        metadata,
        of_source(),
        sa.Column("position", sa.Integer, primary_key=True),
        *wholes("start", "end"),
        *texts("heading"),
        sa.Column("seconds", sa.Double),
    )
    sa.Table(
        "outside",
        metadata,
        *(sa.Column(name, sa.Text, primary_key=True) for name in ("about", "says", "by", "date")),
        *texts("where", "quote"),
    )
    sa.Table(
        "library_history",
        metadata,
        sa.Column("id", number, primary_key=True),
        *texts("at", "did", "source", "detail"),
    )
    metadata.create_all(connection, checkfirst=False)
    connection.exec_driver_sql("CREATE INDEX sources_by_content ON sources (content_hash)")


MIGRATIONS: list[Migration] = [m001_sources_revisions_chunks]
