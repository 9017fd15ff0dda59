"""Reading and writing: one view for a reader, all or nothing for a writer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import Connection, Engine

from toolmend.db.engine import place
from toolmend.db.refusals import explained

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

_READING = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A connection with one consistent view that keeps no writer waiting; BadFile when the database refuses."""
    options: dict[str, Any] = {"toolmend_reading": True} if engine.dialect.name == "sqlite" else _READING
    with explained(place(engine)), engine.connect() as connection:
        yield connection.execution_options(**options)


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """One transaction, committed at the end; BadFile when the database refuses. On SQLite it takes the lock at once."""
    with explained(place(engine)), engine.begin() as connection:
        yield connection


def insert_into(engine: Engine, table: sa.Table) -> sqlite.Insert | postgresql.Insert:
    """The dialect's own INSERT, which knows ON CONFLICT."""
    if engine.dialect.name == "sqlite":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(table)
