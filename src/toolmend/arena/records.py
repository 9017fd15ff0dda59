"""What an arena keeps: desks, talks as append-only rows, battles, votes. One transaction for each thing that happens.

Blocks for as long as the database takes; `Arena` calls it from threads. Knows rows, and nothing of models or screens.
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

from toolmend import db
from toolmend.arena import tables
from toolmend.arena.tables import MIGRATIONS, ROOM
from toolmend.errors import BadFile, UnknownName

WHOLE = -1
"""The turn of a vote on a whole conversation."""


def new_id() -> str:
    """An id that tells nothing and cannot be guessed."""
    return secrets.token_urlsafe(12)


class Records:
    """The arena's tables at a path or URL; made on opening. Raises BadFile for a place that cannot be used."""

    def __init__(self, place: str | os.PathLike[str]) -> None:
        self._engine = db.open_engine(place)
        self.place = db.place(self._engine)
        try:
            db.migrate(self._engine, ROOM, MIGRATIONS)
        except BaseException:
            self._engine.dispose()
            raise

    def close(self) -> None:
        """Give back every connection."""
        self._engine.dispose()

    def secret(self, name: str) -> str:
        """A secret of this place, made when it is first asked for: cookies outlive a restart."""
        rows = tables.secrets
        with db.writing(self._engine) as connection:
            made = db.insert_into(self._engine, rows).values(name=name, value=secrets.token_urlsafe(32))
            connection.execute(made.on_conflict_do_nothing())
            return str(connection.execute(sa.select(rows.c.value).where(rows.c.name == name)).scalar_one())

    # desks and talks -------------------------------------------------------------------------------------------------

    def add_desk(self, desk: str, person: str, kind: str, talks: Sequence[Mapping[str, Any]]) -> None:
        """A desk with its two talks (rows without `desk` and `side`)."""
        with db.writing(self._engine) as connection:
            for side, talk in zip(("left", "right"), talks, strict=True):
                _add_talk(connection, desk, side, talk)
            row = {"id": desk, "person": person, "kind": kind, "left": talks[0]["id"], "right": talks[1]["id"]}
            connection.execute(sa.insert(tables.desks).values(**row, made=db.utc_now()))

    def add_talk(self, desk: str, side: str, talk: Mapping[str, Any]) -> None:
        """One more talk that was held on a side, beside the one that stands there."""
        with db.writing(self._engine) as connection:
            _add_talk(connection, desk, side, talk)

    def replace_talk(self, desk: str, side: str, talk: Mapping[str, Any]) -> None:
        """Put a new talk on a side; the one before keeps its address."""
        with db.writing(self._engine) as connection:
            _add_talk(connection, desk, side, talk)
            changed = sa.update(tables.desks).where(tables.desks.c.id == desk)
            connection.execute(changed.values({side: talk["id"]}))

    def append(self, conversation: str, position: int, kind: str, body: Mapping[str, Any]) -> None:
        """One more thing that was done in a talk. The position must be free: two processes cannot both write it.

        Raises BadFile where it is not.
        """
        text = json.dumps(body, ensure_ascii=True)
        row = {"conversation": conversation, "position": position, "kind": kind, "made": db.utc_now(), "body": text}
        try:
            with db.writing(self._engine) as connection:
                connection.execute(sa.insert(tables.events).values(**row))
        except IntegrityError as error:
            why = "this talk has gone on elsewhere meanwhile (another window, another process): load the page again"
            raise BadFile(self.place, why) from error

    def desk(self, desk: str) -> Row[Any]:
        """A desk's row. Raises UnknownName."""
        with db.reading(self._engine) as connection:
            row = connection.execute(sa.select(tables.desks).where(tables.desks.c.id == desk)).first()
        if row is None:
            raise UnknownName("desk", desk, [])
        return row

    def standing(self, desk: str) -> tuple[Any, ...]:
        """How far a desk is: its talks, the next free position of each, its battle's status (None: no battle), how many
        of its single turns its person voted on."""
        rows, battles, votes = tables.desks.c, tables.battles.c, tables.votes.c

        def free(talk: sa.Column[str]) -> sa.ScalarSelect[Any]:
            last = sa.func.max(tables.events.c.position)
            return (
                sa.select(sa.func.coalesce(last, -1) + 1).where(tables.events.c.conversation == talk).scalar_subquery()
            )

        status = sa.select(battles.status).where(battles.desk == rows.id).scalar_subquery()
        voted = sa.select(sa.func.count()).where(votes.battle == rows.id, votes.person == rows.person, votes.turn >= 0)
        query = sa.select(rows.left, rows.right, free(rows.left), free(rows.right), status, voted.scalar_subquery())
        with db.reading(self._engine) as connection:
            return tuple(connection.execute(query.where(rows.id == desk)).one())

    def last_desk(self, person: str, kind: str) -> str | None:
        """The id of the newest desk of a person, None if there is none."""
        rows = tables.desks.c
        query = sa.select(rows.id).where(rows.person == person, rows.kind == kind)
        with db.reading(self._engine) as connection:
            return connection.execute(query.order_by(rows.made.desc(), rows.id).limit(1)).scalar()

    def talk(self, conversation: str) -> tuple[Row[Any], list[tuple[str, dict[str, Any]]], int]:
        """A talk's row, everything that was done in it, in order, and the next free position. Raises UnknownName."""
        rows = tables.events.c
        with db.reading(self._engine) as connection:
            row = connection.execute(
                sa.select(tables.conversations).where(tables.conversations.c.id == conversation)
            ).first()
            found = connection.execute(
                sa.select(rows.kind, rows.body, rows.position)
                .where(rows.conversation == conversation)
                .order_by(rows.position)
            ).all()
        if row is None:
            raise UnknownName("conversation", conversation, [])
        free = found[-1].position + 1 if found else 0
        return row, [(each.kind, json.loads(each.body)) for each in found], free

    def talks(self, where: Mapping[str, str], most: int = 200) -> list[Row[Any]]:
        """Talks in which something was done, the newest first, with kind of desk and number of rows.

        Those of a battle without a vote are left out: where they stand names stand beside them.
        """
        talks, desks, battles = tables.conversations, tables.desks, tables.battles
        count = sa.select(tables.events.c.conversation, sa.func.count().label("rows"))
        counted = count.group_by(tables.events.c.conversation).subquery()
        query = sa.select(talks, desks.c.kind, counted.c.rows)
        query = query.join(counted, counted.c.conversation == talks.c.id).join(desks, desks.c.id == talks.c.desk)
        query = query.outerjoin(battles, battles.c.desk == desks.c.id)
        query = query.where(sa.or_(battles.c.status.is_(None), battles.c.status == "voted"))
        for name, value in where.items():
            query = query.where((talks.c if name in talks.c else desks.c)[name] == value)
        with db.reading(self._engine) as connection:
            return list(connection.execute(query.order_by(talks.c.made.desc(), talks.c.id).limit(most)).all())

    def firsts(self, conversations: Sequence[str]) -> dict[str, tuple[str, int]]:
        """By talk what was said first, and how many turns were answered; those without an answer are left out."""
        rows = tables.events.c
        query = sa.select(rows.conversation, rows.body).where(rows.kind == "turn")
        found: dict[str, tuple[str, int]] = {}
        with db.reading(self._engine) as connection:
            for at in range(0, len(conversations), 100):
                page = query.where(rows.conversation.in_(conversations[at : at + 100])).order_by(rows.position)
                for row in connection.execute(page):
                    first, count = found.get(row.conversation, ("", 0))
                    said = first or str(json.loads(row.body)["events"][0]["text"])
                    found[row.conversation] = (said, count + 1)
        return found

    # battles and votes -----------------------------------------------------------------------------------------------

    def add_battle(self, battle: Mapping[str, str]) -> None:
        """A battle of the desk of that id. Another one that its person has open is abandoned."""
        with db.writing(self._engine) as connection:
            _abandon(connection, battle["person"])
            connection.execute(sa.insert(tables.battles).values(**battle, status="open", made=db.utc_now()))

    def abandon(self, person: str) -> None:
        """The battle that a person has open counts for nobody any more."""
        with db.writing(self._engine) as connection:
            _abandon(connection, person)

    def battle(self, desk: str) -> Row[Any] | None:
        """The battle of a desk, None if it is none."""
        with db.reading(self._engine) as connection:
            return connection.execute(sa.select(tables.battles).where(tables.battles.c.desk == desk)).first()

    def open_battle(self, person: str) -> str | None:
        """The desk of the battle that a person has open."""
        rows = tables.battles.c
        with db.reading(self._engine) as connection:
            return connection.execute(
                sa.select(rows.desk).where(rows.person == person, rows.status == "open").limit(1)
            ).scalar()

    def add_vote(self, vote: Mapping[str, Any]) -> str:
        """Keep a vote: "kept", "repeated" if this rater voted on this turn before, "late" if the battle is not open.

        A vote on the whole closes the battle in the same transaction.
        """
        rows, battles = tables.votes, tables.battles
        this = battles.c.desk == vote["battle"]
        with db.writing(self._engine) as connection:
            if vote["turn"] == WHOLE:
                closing = sa.update(battles).where(this, battles.c.status == "open").values(status="voted")
                is_open = connection.execute(closing).rowcount == 1
            else:
                # FOR UPDATE holds the battle open on PostgreSQL; on SQLite this transaction is the only writer.
                asked = sa.select(battles.c.status).where(this).with_for_update()
                is_open = connection.execute(asked).scalar() == "open"
            mine = sa.and_(*(rows.c[name] == vote[name] for name in ("battle", "person", "turn")))
            if connection.execute(sa.select(rows.c.turn).where(mine)).first():
                return "repeated"
            if not is_open:
                return "late"
            connection.execute(sa.insert(rows).values(**vote, made=db.utc_now()))
            return "kept"

    def tallies(self) -> list[tuple[str, str, str, int]]:
        """How often battles of two came to which winner: a, b, winner, votes."""
        rows = tables.votes.c
        query = sa.select(rows.a, rows.b, rows.winner, sa.func.count().label("votes")).where(rows.turn == WHOLE)
        with db.reading(self._engine) as connection:
            found = connection.execute(query.group_by(rows.a, rows.b, rows.winner))
            return [(row.a, row.b, row.winner, row.votes) for row in found]

    def voted_turns(self, desk: str, person: str) -> tuple[int, ...]:
        """The turns of a battle that a rater voted on."""
        rows = tables.votes.c
        with db.reading(self._engine) as connection:
            query = sa.select(rows.turn).where(rows.battle == desk, rows.person == person).order_by(rows.turn)
            return tuple(connection.execute(query).scalars())

    def votes(self) -> list[Row[Any]]:
        """Every vote of battles that were voted on as a whole, the oldest first, with queue and item."""
        rows, battles = tables.votes, tables.battles
        query = sa.select(rows, battles.c.queue, battles.c.item, battles.c.status)
        query = query.join(battles, battles.c.desk == rows.c.battle).where(battles.c.status == "voted")
        with db.reading(self._engine) as connection:
            return list(connection.execute(query.order_by(rows.c.made, rows.c.battle, rows.c.turn)).all())

    # the queue -------------------------------------------------------------------------------------------------------

    def add_items(self, queue: str, kind: str, raters: int, items: Iterable[tuple[str, Mapping[str, Any]]]) -> int:
        """Put things into a queue, each once; how many are new."""
        rows, new = tables.queue_items, 0
        with db.writing(self._engine) as connection:
            there = connection.execute(sa.select(sa.func.count()).where(rows.c.queue == queue)).scalar_one()
            for item, body in items:
                text = json.dumps(body, ensure_ascii=True)
                values = {"queue": queue, "item": item, "kind": kind, "raters": raters, "body": text}
                made = db.insert_into(self._engine, rows).values(**values, position=there + new)
                new += connection.execute(made.on_conflict_do_nothing()).rowcount
        return new

    def items(self, queue: str | None = None) -> list[Row[Any]]:
        """What stands in a queue, or in all of them, in order."""
        rows = tables.queue_items
        query = sa.select(rows) if queue is None else sa.select(rows).where(rows.c.queue == queue)
        with db.reading(self._engine) as connection:
            return list(connection.execute(query.order_by(rows.c.queue, rows.c.position)).all())

    def rated(self) -> list[Row[Any]]:
        """Queue, item, person and status of every battle that came from a queue."""
        rows = tables.battles.c
        query = sa.select(rows.queue, rows.item, rows.person, rows.status).where(rows.queue != "")
        with db.reading(self._engine) as connection:
            found: list[Row[Any]] = list(connection.execute(query))
            return found


def _abandon(connection: Connection, person: str) -> None:
    rows = tables.battles
    mine = sa.and_(rows.c.person == person, rows.c.status == "open")
    connection.execute(sa.update(rows).where(mine).values(status="abandoned"))


def _add_talk(connection: Connection, desk: str, side: str, talk: Mapping[str, Any]) -> None:
    connection.execute(sa.insert(tables.conversations).values(**talk, desk=desk, side=side, made=db.utc_now()))
