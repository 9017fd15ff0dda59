"""How the arena's tables came to be, step by step. A step that was released is never edited: add another one."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from toolmend.db import Migration

ROOM = "arena"


def m001_conversations_battles_votes(connection: Connection) -> None:
    """The first tables."""
    metadata = sa.MetaData()

    def texts(*names: str) -> list[sa.Column[str]]:
        return [sa.Column(name, sa.Text, nullable=False) for name in names]

    def keys(*names: str) -> list[sa.Column[str]]:
        return [sa.Column(name, sa.Text, primary_key=True) for name in names]

    sa.Table(
        "conversations",
        metadata,
        *keys("id"),
        *texts("desk", "side", "model", "strategy", "toolbox", "setup", "origin", "made"),
    )
    sa.Table(
        "arena_events",
        metadata,
        sa.Column("conversation", sa.Text, sa.ForeignKey("conversations.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True),
        *texts("kind", "made", "body"),
    )
    sa.Table("arena_desks", metadata, *keys("id"), *texts("person", "kind", "left", "right", "made"))
    sa.Table(
        "battles",
        metadata,
        *keys("desk"),
        *texts("person", "left", "right", "prompt", "queue", "item", "status", "made"),
    )
    sa.Table(
        "votes",
        metadata,
        sa.Column("battle", sa.Text, sa.ForeignKey("battles.desk", ondelete="CASCADE"), primary_key=True),
        *keys("person"),
        sa.Column("turn", sa.Integer, primary_key=True),
        *texts("a", "b", "winner"),
        sa.Column("likert", sa.Integer),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("length_a", "length_b")),
        *texts("prompt", "category", "reason", "tags", "made"),
    )
    sa.Table(
        "arena_queue",
        metadata,
        *keys("queue", "item"),
        sa.Column("position", sa.Integer, nullable=False),
        *texts("kind"),
        sa.Column("raters", sa.Integer, nullable=False),
        *texts("body"),
    )
    sa.Table("arena_secrets", metadata, *keys("name"), *texts("value"))
    metadata.create_all(connection, checkfirst=False)
    for name, on in (
        ("conversations_of_desk", "conversations (desk)"),
        ("desks_of_person", "arena_desks (person, kind)"),
        ("battles_of_person", "battles (person, status)"),
        ("battles_of_queue", "battles (queue, item)"),
    ):
        connection.exec_driver_sql(f"CREATE INDEX {name} ON {on}")


MIGRATIONS: list[Migration] = [m001_conversations_battles_votes]
