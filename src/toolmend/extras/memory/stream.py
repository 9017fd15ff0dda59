"""The stream of memories in a database: what is remembered, superseded, forgotten, and what was done about it.

One stream is one namespace; no door of it reaches into another. Every change is one transaction with its line in the
history, so that a killed process leaves whole memories only. How memories are ranked and shown is others'.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from toolmend.base import db
from toolmend.base.errors import BadFile, BadOption, UnknownName
from toolmend.extras.memory import tables
from toolmend.extras.memory.contradictions import conflict
from toolmend.extras.memory.memory import (
    RECALLED,
    Kind,
    Memory,
    State,
    importance,
    moment,
    number_of,
    plain,
    refuse_marks,
    tidy,
)
from toolmend.extras.memory.tables import MIGRATIONS, Which, history, links, memories

_SHORT, _NEARLY = 12, 0.8  # signs; the share of them


class Stream(db.DatabaseRoom):
    """The memories of a namespace at a path or URL; tables are made on opening. `clock` gives the moment it is.

    Raises BadFile for a place that cannot be used, BadOption for a namespace without a name.
    """

    def __init__(
        self,
        place: str | os.PathLike[str],
        namespace: str = "default",
        *,
        create: bool = True,
        clock: Callable[[], str] = db.utc_now,
    ) -> None:
        if not namespace.strip() or len(namespace) > 100 or not namespace.isprintable():
            raise BadOption(f"{namespace!r} is no namespace: a name of 1 to 100 characters")
        self.namespace, self.clock = namespace, clock
        super().__init__(place, "memory", MIGRATIONS, create=create)

    def remember(
        self,
        text: str,
        *,
        who: str = "user",
        kind: Kind = "observation",
        at: str = "",
        expires: str = "",
        cites: Iterable[int] = (),
        talk: str = "",
        data: Mapping[str, Any] | None = None,
        state: State = "live",
    ) -> Memory:
        """Keep a memory, and flag those that it contradicts; one that says just this already is returned instead.

        Words of the assistant that are recalled ones are not kept again either. Raises BadOption for text that cannot
        be kept, UnknownName where `cites` are not there.
        """
        line = tidy(text)
        refuse_marks(line)
        values = {
            "namespace": self.namespace,
            "kind": kind,
            "who": tidy(who)[:100],
            "text": line,
            "plain": plain(line),
            "importance": importance(kind, line),
            "at": moment(at) if at else self.clock(),
            "state": state,
            "expires": moment(expires) if expires else "",
            "successor": None,
            "foreign": False,
            "talk": talk,
            "data": json.dumps(data, ensure_ascii=False) if data else "",
        }
        with tables.writing(self.engine) as connection:
            self._sweep(connection)
            twin = self._twin(connection, values)
            return self._one(connection, self._insert(connection, values, set(cites)) if twin is None else twin)

    def set_state(self, name: str | int, state: State, expected: Sequence[State]) -> Memory:
        """Move a memory into another state, if it is in one of those expected. Raises BadOption if it is not."""
        number = number_of(name)
        with tables.writing(self.engine) as connection:
            found = self._one(connection, number)
            if found.state not in expected:
                raise BadOption(f"{found.id} is {found.state}; only what is {' or '.join(expected)} can be {state}")
            connection.execute(sa.update(memories).where(memories.c.number == number).values(state=state))
            self._note(connection, state, number)
            return self._one(connection, number)

    def forget(self, which: Which, *, did: str = "forgotten") -> tuple[int, ...]:
        """Drop memories, the earlier states that they superseded, and whatever was made of them; the numbers of all.

        What is written down is that it was done, never the words. A preference that a person confirmed stays, without
        its evidence.
        """
        with tables.writing(self.engine) as connection:
            wanted = sa.select(memories.c.number).where(*which.conditions(self.namespace))
            chosen = set(connection.execute(wanted).scalars())
            return self._drop(connection, chosen, did)

    def get(self, name: str | int) -> Memory:
        """A memory in whatever state. Raises UnknownName, also for one of another namespace."""
        with db.reading(self.engine) as connection:
            return self._one(connection, number_of(name))

    def memories(self, which: Which | None = None, states: Sequence[State] = RECALLED, *, at: str = "") -> list[Memory]:
        """The memories in these states that have not expired, the oldest first."""
        row, now = memories.c, at or self.clock()
        conditions = (which or Which(everything=True)).conditions(self.namespace)
        there = sa.or_(row.expires == "", row.expires > now)
        query = sa.select(memories).where(*conditions, row.state.in_(states), there).order_by(row.at, row.number)
        with db.reading(self.engine) as connection:
            return self._read(connection, connection.execute(query).all())

    def newest(self) -> int:
        """The number of the memory that came last, 0 where there is none."""
        query = sa.select(sa.func.max(memories.c.number)).where(memories.c.namespace == self.namespace)
        with db.reading(self.engine) as connection:
            return int(connection.execute(query).scalar() or 0)

    def history(self) -> list[tuple[str, str, str, str]]:
        """What was done in this namespace, the oldest first: when, what, to which memory, detail without its words."""
        row = history.c
        query = sa.select(row.at, row.did, row.memory, row.detail).where(row.namespace == self.namespace)
        with db.reading(self.engine) as connection:
            return [
                (entry[0], entry[1], f"m{entry[2]}", entry[3]) for entry in connection.execute(query.order_by(row.id))
            ]

    def namespaces(self) -> dict[str, int]:
        """Every namespace of the database, and how many memories it holds, whatever their state."""
        row = memories.c.namespace
        with db.reading(self.engine) as connection:
            found = connection.execute(sa.select(row, sa.func.count()).group_by(row).order_by(row))
            return {entry[0]: int(entry[1]) for entry in found}

    def _sweep(self, connection: Connection) -> None:
        """Drop what has expired, with what was made of it."""
        row = memories.c
        over = (row.namespace == self.namespace, row.expires != "", row.expires <= self.clock())
        self._drop(connection, set(connection.execute(sa.select(row.number).where(*over)).scalars()), "expired")

    def _twin(self, connection: Connection, values: Mapping[str, Any]) -> int | None:
        """The memory that says just this already, if it would be recalled or waits for an answer."""
        row = memories.c
        said = row.plain == values["plain"]
        same = sa.and_(said, row.who == values["who"], row.kind == values["kind"])
        if values["who"] == "assistant":  # what it was told by recall comes back in its own mouth
            same = sa.or_(said, *_near(values["plain"]))
        if values["kind"] in ("call", "correction"):  # the same done again is another event
            same = sa.and_(same, row.at == values["at"], row.talk == values["talk"], row.data == values["data"])
        now = self.clock()
        there = (row.namespace == self.namespace, row.state.in_((*RECALLED, "proposed")))
        fresh = sa.or_(row.expires == "", row.expires > now)
        found = connection.execute(sa.select(row.number).where(*there, fresh, same).order_by(row.number).limit(1))
        return found.scalar()

    def _insert(self, connection: Connection, values: Mapping[str, Any], cites: set[int]) -> int:
        for cited in cites:
            self._one(connection, cited)
        made_of = sa.insert(memories).values(**values).returning(memories.c.number)
        number = connection.execute(made_of).scalar_one()
        self._note(connection, "remembered", number, f"{values['kind']} by {values['who']}")
        made = [{"memory": number, "other": cited, "kind": "cites"} for cited in sorted(cites)]
        if values["kind"] == "observation":
            for other, reason in self._contradicted(connection, number, values["text"]):
                made.append({"memory": number, "other": other, "kind": "contradicts"})
                self._note(connection, "contradicted", other, f"by m{number}: {reason}")
        if made:
            connection.execute(sa.insert(links), made)
        return int(number)

    def _contradicted(self, connection: Connection, number: int, text: str) -> list[tuple[int, str]]:
        row = memories.c
        alive = (row.namespace == self.namespace, row.state == "live", row.kind == "observation", row.number != number)
        found = connection.execute(sa.select(row.number, row.text).where(*alive).order_by(row.number))
        pairs = [(other, conflict(said, text)) for other, said in found]
        return [(other, reason) for other, reason in pairs if reason]

    def _drop(self, connection: Connection, chosen: set[int], did: str) -> tuple[int, ...]:
        every, derived = tables.cascade(connection, chosen)
        for number in sorted(every):
            why = "" if number in chosen else "made of one that is gone" if number in derived else "an earlier state"
            self._note(connection, did, number, why)
        if every:
            tables.erase(connection, every)
        return tuple(sorted(every))

    def _note(self, connection: Connection, did: str, number: int, detail: str = "") -> None:
        values = {"at": self.clock(), "did": did, "namespace": self.namespace, "memory": number, "detail": detail}
        connection.execute(sa.insert(history).values(**values))

    def _one(self, connection: Connection, number: int) -> Memory:
        query = sa.select(memories).where(memories.c.number == number, memories.c.namespace == self.namespace)
        row = connection.execute(query).first()
        if row is None:
            raise UnknownName(
                "memory", f"m{number}", [], f"namespace {self.namespace}: `toolmend memory list` shows all"
            )
        return self._read(connection, [row])[0]

    def _read(self, connection: Connection, found: Sequence[Any]) -> list[Memory]:
        try:
            return tables.read(connection, found)
        except (ValueError, TypeError) as error:
            raise BadFile(self.place, f"a memory cannot be read ({error}); damaged, or of a newer toolmend") from error


def _near(words: str) -> list[sa.ColumnElement[bool]]:
    """Whether a memory holds all of the words, or is nearly all of them."""
    row, said = memories.c.plain, sa.literal(words)
    whole = [row.contains(words)] if len(words) >= _SHORT else []  # what is plain has no % and no _ in it
    return [*whole, sa.and_(said.like("%" + row + "%"), sa.func.length(row) >= _NEARLY * len(words))]
