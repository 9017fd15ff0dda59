"""Reading and writing: one view for a reader, all or nothing for a writer, and statements compiled once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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


class Prepared:
    """A Core statement compiled once, for a raw cursor: an execution costs a few microseconds instead of a hundred.

    Values go to the driver as they are (no type processing): only text, bytes, numbers, booleans and None may be bound.
    """

    def __init__(self, engine: Engine, statement: sa.Executable, columns: Sequence[str] | None = None) -> None:
        compiled: Any = statement.compile(dialect=engine.dialect, column_keys=columns)  # type: ignore[attr-defined]
        self.text = str(compiled)
        self._names: tuple[str, ...] | None = tuple(compiled.positiontup) if compiled.positional else None
        self._constants = {name: value for name, value in compiled.params.items() if value is not None}

    def bind(self, values: Mapping[str, Any]) -> Any:
        """`values` by name as the driver wants them."""
        full = {**self._constants, **values}
        return full if self._names is None else [full[name] for name in self._names]

    def run(self, cursor: Any, values: Mapping[str, Any]) -> Any:
        """Execute once; the cursor is returned for its rows and row count."""
        cursor.execute(self.text, self.bind(values))
        return cursor

    def run_many(self, cursor: Any, rows: Iterable[Mapping[str, Any]]) -> None:
        """Execute for each of the rows."""
        cursor.executemany(self.text, [self.bind(row) for row in rows])


class Writer:
    """One connection kept for writing with `Prepared` statements. Not thread-safe: its owner holds a lock.

    A connection that was lost is an error once; the next transaction makes a new one.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._where = place(engine)
        self._begin = "BEGIN IMMEDIATE" if engine.dialect.name == "sqlite" else None
        self._held: Any = None
        self._cursor: Any = None

    @contextmanager
    def transaction(self) -> Iterator[Any]:
        """A raw cursor inside one transaction: committed at the end, rolled back on any error."""
        with explained(self._where):
            if self._held is None:
                self._held = self._engine.raw_connection()
                self._cursor = self._held.cursor()
            try:
                if self._begin:
                    self._cursor.execute(self._begin)
                yield self._cursor
                self._held.commit()
            except BaseException:
                self._roll_back()
                raise

    def close(self) -> None:
        """Give the connection back."""
        if self._held is not None:
            self._cursor.close()
            self._held.close()
            self._held = self._cursor = None

    def _roll_back(self) -> None:
        try:
            self._held.rollback()
        except self._engine.dialect.dbapi.Error:  # type: ignore[union-attr]
            # The connection is gone, and with it the transaction. What went wrong first is what the caller hears.
            self._held.invalidate()
            self._held = self._cursor = None
