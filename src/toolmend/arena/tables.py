"""The arena's tables as they are now, beside the store's in the same database; below, how they came to be.

`arena_events` is the truth of a talk: one row per thing done, never changed. Names of contestants stand in
`conversations` and `battles` alone, which nothing shows before the vote.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from toolmend.db import Migration

metadata = sa.MetaData()

conversations = sa.Table(
    "conversations",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("desk", sa.Text, nullable=False),
    sa.Column("side", sa.Text, nullable=False),
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("strategy", sa.Text, nullable=False),
    sa.Column("toolbox", sa.Text, nullable=False),
    sa.Column("setup", sa.Text, nullable=False),
    sa.Column("origin", sa.Text, nullable=False),
    sa.Column("made", sa.Text, nullable=False),
)
sa.Index("conversations_of_desk", conversations.c.desk)

events = sa.Table(
    "arena_events",
    metadata,
    sa.Column("conversation", sa.Text, sa.ForeignKey("conversations.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("made", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)

# A battle is a desk too: its row has the same id.
desks = sa.Table(
    "arena_desks",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("person", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("left", sa.Text, nullable=False),
    sa.Column("right", sa.Text, nullable=False),
    sa.Column("made", sa.Text, nullable=False),
)
sa.Index("desks_of_person", desks.c.person, desks.c.kind)

battles = sa.Table(
    "battles",
    metadata,
    sa.Column("desk", sa.Text, primary_key=True),
    sa.Column("person", sa.Text, nullable=False),
    sa.Column("left", sa.Text, nullable=False),
    sa.Column("right", sa.Text, nullable=False),
    sa.Column("prompt", sa.Text, nullable=False),
    sa.Column("queue", sa.Text, nullable=False),
    sa.Column("item", sa.Text, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("made", sa.Text, nullable=False),
)
sa.Index("battles_of_person", battles.c.person, battles.c.status)
sa.Index("battles_of_queue", battles.c.queue, battles.c.item)

votes = sa.Table(
    "votes",
    metadata,
    sa.Column("battle", sa.Text, sa.ForeignKey("battles.desk", ondelete="CASCADE"), primary_key=True),
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("turn", sa.Integer, primary_key=True),
    sa.Column("a", sa.Text, nullable=False),
    sa.Column("b", sa.Text, nullable=False),
    sa.Column("winner", sa.Text, nullable=False),
    sa.Column("likert", sa.Integer),
    sa.Column("length_a", sa.Integer, nullable=False),
    sa.Column("length_b", sa.Integer, nullable=False),
    sa.Column("prompt", sa.Text, nullable=False),
    sa.Column("category", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("tags", sa.Text, nullable=False),
    sa.Column("made", sa.Text, nullable=False),
)

queue_items = sa.Table(
    "arena_queue",
    metadata,
    sa.Column("queue", sa.Text, primary_key=True),
    sa.Column("item", sa.Text, primary_key=True),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("raters", sa.Integer, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)

secrets = sa.Table(
    "arena_secrets",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)


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
