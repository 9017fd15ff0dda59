"""How the store's tables came to be, step by step. A step that was released is never edited: add another one.

`db.migrate` runs them; each works with tables of its own, frozen as they were, not with tables.py.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from toolmend.base.db import Migration

ROOM = "store"
MIGRATIONS: list[Migration] = []


def _migration(step: Migration) -> Migration:
    MIGRATIONS.append(step)
    return step


@_migration
def m001_runs_samples_replies(connection: Connection) -> None:
    """The first tables."""
    metadata = sa.MetaData()
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")

    def text(name: str, nullable: bool = False) -> sa.Column[str]:
        return sa.Column(name, sa.Text, nullable=nullable)

    def whole(name: str, nullable: bool = False) -> sa.Column[int]:
        return sa.Column(name, sa.Integer, nullable=nullable)

    sa.Table(
        "runs",
        metadata,
        sa.Column("id", sa.Text, primary_key=True),
        *(text(name) for name in ("config_key", "suite", "config", "created")),
        text("finished", nullable=True),
        text("status"),
    )
    sa.Table(
        "samples",
        metadata,
        sa.Column("id", number, primary_key=True),
        sa.Column("run", sa.Text, sa.ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
        *(text(name) for name in ("key", "case", "model", "strategy")),
        whole("attempt"),
        text("arm"),
        sa.Column("seed", sa.BigInteger),
        *(text(name) for name in ("status", "detail", "started")),
        sa.Column("seconds", sa.Double, nullable=False),
        whole("schema"),
        text("events"),
        sa.UniqueConstraint("run", "key", name="samples_once"),
    )
    sa.Table(
        "replies",
        metadata,
        sa.Column("sample", number, sa.ForeignKey("samples.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True),
        whole("turn"),
        whole("step"),
        *(text(name) for name in ("role", "marks", "mistakes")),
        sa.Column("valid_call", sa.Boolean),
        *(whole(name, nullable=True) for name in ("amends", "level")),
        text("named"),
        *(whole(name) for name in ("input_tokens", "output_tokens")),
        sa.Column("seconds", sa.Double, nullable=False),
        text("text"),
        sqlite_with_rowid=False,
    )
    metadata.create_all(connection, checkfirst=False)
    for statement in (
        "CREATE UNIQUE INDEX runs_unfinished ON runs (config_key) WHERE status != 'finished'",
        "CREATE INDEX samples_in_order ON samples (run, id)",
        "CREATE INDEX samples_failed ON samples (run) WHERE status = 'error'",
    ):
        connection.exec_driver_sql(statement)


@_migration
def m002_exchanges_cache_reports(connection: Connection) -> None:
    """What went over the wire, replies that need not be asked for again, and reports that need not be computed."""
    metadata = sa.MetaData()
    sa.Table("runs", metadata, sa.Column("id", sa.Text, primary_key=True))

    def text(name: str) -> sa.Column[str]:
        return sa.Column(name, sa.Text, nullable=False)

    def packed(name: str) -> sa.Column[bytes]:
        return sa.Column(name, sa.LargeBinary, nullable=False)

    made = [
        sa.Table(
            "exchanges",
            metadata,
            sa.Column("key", sa.Text, primary_key=True),
            text("model"),
            packed("request"),
            packed("reply"),
            text("made"),
        ),
        sa.Table(
            "cached_replies",
            metadata,
            sa.Column("key", sa.Text, primary_key=True),
            packed("reply"),
            text("exchange"),
            text("made"),
        ),
        sa.Table(
            "reports",
            metadata,
            sa.Column("run", sa.Text, sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
            text("key"),
            packed("report"),
        ),
    ]
    metadata.create_all(connection, made, checkfirst=False)


@_migration
def m003_counted(connection: Connection) -> None:
    """What samples count for. Those of before are counted when a report asks for them."""
    metadata = sa.MetaData()
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    sa.Table("samples", metadata, sa.Column("id", number, primary_key=True))
    counted = sa.Table(
        "counted",
        metadata,
        sa.Column("sample", number, sa.ForeignKey("samples.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("run", sa.Text, nullable=False),
        sa.Column("version", sa.Text, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("numbers", sa.LargeBinary, nullable=False),
    )
    counted.create(connection)
    connection.exec_driver_sql("CREATE INDEX counted_in_order ON counted (run, version, sample)")
