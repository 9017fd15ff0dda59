"""What the stream asks of its tables: rows to memories, the cascade of forgetting, erasing. Opens nothing."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from toolmend import db
from toolmend.memory.memory import Memory
from toolmend.memory.tables import links, memories

_MANY = 500


@contextmanager
def writing(engine: Engine, lock: int) -> Iterator[Connection]:
    """One transaction of one writer at a time. On SQLite what is erased is overwritten, not only let go."""
    with db.writing(engine) as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(lock)))
        else:
            connection.exec_driver_sql("PRAGMA secure_delete=ON")
        yield connection


def read(connection: Connection, found: Sequence[Any]) -> list[Memory]:
    """Rows of the table as memories, with what they cite and contradict. Raises ValueError for what cannot be read."""
    cites, against = _linked(connection, [row.number for row in found])
    made = []
    for row in found:
        data = json.loads(row.data) if row.data else {}
        if not isinstance(data, dict):
            raise ValueError(f"m{row.number}: its data are no mapping")
        values = {name: value for name, value in row._mapping.items() if name != "plain"}
        links_of = {"cites": tuple(sorted(cites[row.number])), "contradicts": tuple(sorted(against[row.number]))}
        made.append(Memory(**{**values, **links_of, "data": data}))
    return made


def cascade(connection: Connection, chosen: set[int]) -> tuple[set[int], set[int]]:
    """All that goes with the chosen ones, and which of it was made of others; confirmed preferences stay."""
    every, derived, fresh = set(chosen), set[int](), set(chosen)
    while fresh:
        before = earlier(connection, fresh) - every
        made = set[int]()
        for some in _parts(fresh):
            citing = (
                sa.select(links.c.memory)
                .join(memories, memories.c.number == links.c.memory)
                .where(links.c.kind == "cites", links.c.other.in_(some), memories.c.state != "confirmed")
            )
            made |= set(connection.execute(citing).scalars())
        derived |= made - every
        fresh = (before | made) - every
        every |= fresh
    return every, derived


def earlier(connection: Connection, numbers: set[int]) -> set[int]:
    """What these superseded, and what that superseded, and so on."""
    found, fresh = set[int](), set(numbers)
    while fresh:
        step = set[int]()
        for some in _parts(fresh):
            query = sa.select(memories.c.number).where(memories.c.successor.in_(some))
            step |= set(connection.execute(query).scalars())
        fresh = step - found - numbers
        found |= fresh
    return found


def erase(connection: Connection, numbers: set[int]) -> None:
    """Take the rows out, and with them every link; nobody's successor is one of them any more."""
    for some in _parts(numbers):
        gone = sa.update(memories).where(memories.c.successor.in_(some)).values(successor=None)
        connection.execute(gone)
        connection.execute(sa.delete(memories).where(memories.c.number.in_(some)))


def _linked(
    connection: Connection, numbers: list[int]
) -> tuple[defaultdict[int, set[int]], defaultdict[int, set[int]]]:
    """By memory: what it cites, and what it contradicts, said from either side."""
    cites, against = defaultdict[int, set[int]](set), defaultdict[int, set[int]](set)
    for some in _parts(set(numbers)):
        query = sa.select(links).where(sa.or_(links.c.memory.in_(some), links.c.other.in_(some)))
        for row in connection.execute(query):
            if row.kind == "cites":
                cites[row.memory].add(row.other)
            else:
                against[row.memory].add(row.other)
                against[row.other].add(row.memory)
    return cites, against


def _parts(numbers: set[int]) -> Iterator[list[int]]:
    ordered = sorted(numbers)
    return (ordered[at : at + _MANY] for at in range(0, len(ordered), _MANY))
