"""What an arena keeps, beside the store's tables in the same database: desks, talks, battles, votes, queues.

One transaction for each thing that happens. `arena_events` is the truth of a talk: one row per thing done, never
changed. Names of contestants stand in `conversations` and `battles` alone, which nothing shows before the vote. Blocks
for as long as the database takes; `Arena` calls it from threads.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row
from sqlalchemy.exc import IntegrityError

from toolmend.base import db
from toolmend.base.errors import BadFile, UnknownName

ROOM = "arena"
WHOLE = -1
"""The turn of a vote on a whole conversation; until 2026-11 there were votes on single turns, too."""

metadata = sa.MetaData()


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=False) for name in names]


def _keys(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, primary_key=True) for name in names]


conversations = sa.Table(
    "conversations",
    metadata,
    *_keys("id"),
    *_texts("desk", "side", "model", "strategy", "toolbox", "setup", "origin", "made"),
    sa.Index("conversations_of_desk", "desk"),
)
events = sa.Table(
    "arena_events",
    metadata,
    sa.Column("conversation", sa.Text, sa.ForeignKey("conversations.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True),
    *_texts("kind", "made", "body"),
)
desks = sa.Table(  # a battle is a desk too: its row has the same id
    "arena_desks",
    metadata,
    *_keys("id"),
    *_texts("person", "kind", "left", "right", "made"),
    sa.Index("desks_of_person", "person", "kind"),
)
battles = sa.Table(
    "battles",
    metadata,
    *_keys("desk"),
    *_texts("person", "left", "right", "prompt", "queue", "item", "status", "made"),
    sa.Index("battles_of_person", "person", "status"),
    sa.Index("battles_of_queue", "queue", "item"),
)
votes = sa.Table(
    "votes",
    metadata,
    sa.Column("battle", sa.Text, sa.ForeignKey("battles.desk", ondelete="CASCADE"), primary_key=True),
    *_keys("person"),
    sa.Column("turn", sa.Integer, primary_key=True),
    *_texts("a", "b", "winner"),
    sa.Column("likert", sa.Integer),
    sa.Column("length_a", sa.Integer, nullable=False),
    sa.Column("length_b", sa.Integer, nullable=False),
    *_texts("prompt", "category", "reason", "tags", "made"),
)
queue_items = sa.Table(
    "arena_queue",
    metadata,
    *_keys("queue", "item"),
    sa.Column("position", sa.Integer, nullable=False),
    *_texts("kind"),
    sa.Column("raters", sa.Integer, nullable=False),
    *_texts("body"),
)
secret_texts = sa.Table("arena_secrets", metadata, *_keys("name"), *_texts("value"))


def m001_conversations_battles_votes(connection: Connection) -> None:
    """The first tables, which are those of today: whoever changes these writes out here what they were."""
    metadata.create_all(connection, checkfirst=False)


MIGRATIONS: list[db.Migration] = [m001_conversations_battles_votes]


def new_id() -> str:
    """An id that tells nothing and cannot be guessed."""
    return secrets.token_urlsafe(12)


class ArenaRecords(db.DatabaseRoom):
    """The arena's tables at a path or URL; made on opening. Raises BadFile for a place that cannot be used."""

    def __init__(self, place: str | os.PathLike[str]) -> None:
        super().__init__(place, ROOM, MIGRATIONS)

    def _rows(self, query: sa.Select[Any]) -> list[Row[Any]]:
        with db.reading(self.engine) as connection:
            return list(connection.execute(query).all())

    def _row(self, query: sa.Select[Any]) -> Row[Any] | None:
        return next(iter(self._rows(query.limit(1))), None)

    def secret(self, name: str) -> str:
        """A secret of this place, made when it is first asked for: cookies outlive a restart."""
        with db.writing(self.engine) as connection:
            made = db.insert_into(self.engine, secret_texts).values(name=name, value=secrets.token_urlsafe(32))
            connection.execute(made.on_conflict_do_nothing())
            query = sa.select(secret_texts.c.value).where(secret_texts.c.name == name)
            return str(connection.execute(query).scalar_one())

    # desks and talks -------------------------------------------------------------------------------------------------

    def add_desk(self, desk: str, person: str, kind: str, talks: Sequence[Mapping[str, Any]]) -> None:
        """A desk with its two talks (rows without `desk` and `side`)."""
        with db.writing(self.engine) as connection:
            for side, talk in zip(("left", "right"), talks, strict=True):
                _add_talk(connection, desk, side, talk)
            row = {"id": desk, "person": person, "kind": kind, "left": talks[0]["id"], "right": talks[1]["id"]}
            connection.execute(sa.insert(desks).values(**row, made=db.utc_now()))

    def replace_talk(self, desk: str, side: str, talk: Mapping[str, Any]) -> None:
        """Put a new talk on a side; the one before keeps its address."""
        with db.writing(self.engine) as connection:
            _add_talk(connection, desk, side, talk)
            connection.execute(sa.update(desks).where(desks.c.id == desk).values({side: talk["id"]}))

    def append(self, conversation: str, position: int, kind: str, body: Mapping[str, Any]) -> None:
        """One more thing that was done in a talk. The position must be free: two processes cannot both write it.

        Raises BadFile where it is not.
        """
        text = json.dumps(body, ensure_ascii=True)
        row = {"conversation": conversation, "position": position, "kind": kind, "made": db.utc_now(), "body": text}
        try:
            with db.writing(self.engine) as connection:
                connection.execute(sa.insert(events).values(**row))
        except IntegrityError as error:
            why = "this talk has gone on elsewhere meanwhile (another window, another process): load the page again"
            raise BadFile(self.place, why) from error

    def desk(self, desk: str) -> Row[Any]:
        """A desk's row. Raises UnknownName."""
        row = self._row(sa.select(desks).where(desks.c.id == desk))
        if row is None:
            raise UnknownName("desk", desk, [])
        return row

    def standing(self, desk: str) -> tuple[Any, ...]:
        """How far a desk is: its talks, the next free position of each, its battle's status (None: no battle)."""

        def free(talk: sa.Column[str]) -> sa.ScalarSelect[Any]:
            next_ = sa.func.coalesce(sa.func.max(events.c.position), -1) + 1
            return sa.select(next_).where(events.c.conversation == talk).scalar_subquery()

        rows = desks.c
        status = sa.select(battles.c.status).where(battles.c.desk == rows.id).scalar_subquery()
        query = sa.select(rows.left, rows.right, free(rows.left), free(rows.right), status)
        [row] = self._rows(query.where(rows.id == desk))
        return tuple(row)

    def last_desk(self, person: str, kind: str) -> str | None:
        """The id of the newest desk of a person, None if there is none."""
        query = sa.select(desks.c.id).where(desks.c.person == person, desks.c.kind == kind)
        row = self._row(query.order_by(desks.c.made.desc(), desks.c.id))
        return row and str(row.id)

    def talk(self, conversation: str) -> tuple[Row[Any], list[tuple[str, dict[str, Any]]], int]:
        """A talk's row, everything that was done in it, in order, and the next free position. Raises UnknownName."""
        row = self._row(sa.select(conversations).where(conversations.c.id == conversation))
        if row is None:
            raise UnknownName("conversation", conversation, [])
        query = sa.select(events).where(events.c.conversation == conversation).order_by(events.c.position)
        done = self._rows(query)
        free = done[-1].position + 1 if done else 0
        return row, [(event.kind, json.loads(event.body)) for event in done], free

    def talks(self, person: str | None, most: int = 200) -> list[Row[Any]]:
        """Talks, of this person where one is given, the newest first, with the kind of their desk.

        Those of a battle without a vote are left out: where they stand names stand beside them.
        """
        query = sa.select(conversations, desks.c.kind).join(desks, desks.c.id == conversations.c.desk)
        query = query.outerjoin(battles, battles.c.desk == desks.c.id)
        query = query.where(sa.or_(battles.c.status.is_(None), battles.c.status == "voted"))
        query = query.where(conversations.c.id.in_(sa.select(events.c.conversation)))
        if person is not None:
            query = query.where(desks.c.person == person)
        return self._rows(query.order_by(conversations.c.made.desc(), conversations.c.id).limit(most))

    def firsts(self, talks: Sequence[str]) -> dict[str, tuple[str, int]]:
        """By talk what was said first, and how many turns were answered; those without an answer are left out."""
        query = sa.select(events.c.conversation, events.c.body).where(events.c.kind == "turn")
        query = query.where(events.c.conversation.in_(talks)).order_by(events.c.position)
        found: dict[str, tuple[str, int]] = {}
        for row in self._rows(query):
            first, count = found.get(row.conversation, ("", 0))
            said = first or str(json.loads(row.body)["events"][0]["text"])
            found[row.conversation] = (said, count + 1)
        return found

    # battles and votes -----------------------------------------------------------------------------------------------

    def add_battle(self, battle: Mapping[str, str]) -> None:
        """A battle of the desk of that id. Another one that its person has open is abandoned."""
        with db.writing(self.engine) as connection:
            _abandon(connection, battle["person"])
            connection.execute(sa.insert(battles).values(**battle, status="open", made=db.utc_now()))

    def abandon(self, person: str) -> None:
        """The battle that a person has open counts for nobody any more."""
        with db.writing(self.engine) as connection:
            _abandon(connection, person)

    def battle(self, desk: str) -> Row[Any] | None:
        """The battle of a desk, None if it is none."""
        return self._row(sa.select(battles).where(battles.c.desk == desk))

    def open_battle(self, person: str) -> str | None:
        """The desk of the battle that a person has open."""
        row = self._row(sa.select(battles.c.desk).where(battles.c.person == person, battles.c.status == "open"))
        return row and str(row.desk)

    def add_vote(self, vote: Mapping[str, Any]) -> str:
        """Keep a vote and close its battle: "kept", "repeated" if this rater voted before, "late" if it is not open."""
        with db.writing(self.engine) as connection:
            this = sa.and_(battles.c.desk == vote["battle"], battles.c.status == "open")
            is_open = connection.execute(sa.update(battles).where(this).values(status="voted")).rowcount == 1
            mine = sa.and_(*(votes.c[name] == vote[name] for name in ("battle", "person", "turn")))
            if connection.execute(sa.select(votes.c.turn).where(mine)).first():
                return "repeated"
            if not is_open:
                return "late"
            connection.execute(sa.insert(votes).values(**vote, made=db.utc_now()))
            return "kept"

    def tallies(self) -> list[tuple[str, str, str, int]]:
        """How often battles of two came to which winner: a, b, winner, votes."""
        query = sa.select(votes.c.a, votes.c.b, votes.c.winner, sa.func.count().label("votes"))
        query = query.where(votes.c.turn == WHOLE).group_by(votes.c.a, votes.c.b, votes.c.winner)
        return [(row.a, row.b, row.winner, row.votes) for row in self._rows(query)]

    def votes(self) -> list[Row[Any]]:
        """Every vote on a whole battle, the oldest first, with queue and item."""
        query = sa.select(votes, battles.c.queue, battles.c.item).join(battles, battles.c.desk == votes.c.battle)
        query = query.where(votes.c.turn == WHOLE, battles.c.status == "voted")
        return self._rows(query.order_by(votes.c.made, votes.c.battle))

    # the queue -------------------------------------------------------------------------------------------------------

    def add_items(self, queue: str, kind: str, raters: int, items: Iterable[tuple[str, Mapping[str, Any]]]) -> int:
        """Put things into a queue, each once; how many are new."""
        rows, new = queue_items, 0
        with db.writing(self.engine) as connection:
            there = connection.execute(sa.select(sa.func.count()).where(rows.c.queue == queue)).scalar_one()
            for item, body in items:
                text = json.dumps(body, ensure_ascii=True)
                values = {"queue": queue, "item": item, "kind": kind, "raters": raters, "body": text}
                made = db.insert_into(self.engine, rows).values(**values, position=there + new)
                new += connection.execute(made.on_conflict_do_nothing()).rowcount
        return new

    def items(self, queue: str | None = None) -> list[Row[Any]]:
        """What stands in a queue, or in all of them, in order."""
        query = sa.select(queue_items).order_by(queue_items.c.queue, queue_items.c.position)
        return self._rows(query if queue is None else query.where(queue_items.c.queue == queue))

    def rated(self) -> list[Row[Any]]:
        """Queue, item, person and status of every battle that came from a queue."""
        rows = battles.c
        return self._rows(sa.select(rows.queue, rows.item, rows.person, rows.status).where(rows.queue != ""))


def _abandon(connection: Connection, person: str) -> None:
    mine = sa.and_(battles.c.person == person, battles.c.status == "open")
    connection.execute(sa.update(battles).where(mine).values(status="abandoned"))


def _add_talk(connection: Connection, desk: str, side: str, talk: Mapping[str, Any]) -> None:
    connection.execute(sa.insert(conversations).values(**talk, desk=desk, side=side, made=db.utc_now()))
