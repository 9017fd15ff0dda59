"""The versions of each room's tables, and the steps that bring them to the present one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from toolmend.base.db import sqlite
from toolmend.base.db.engine import place, reading
from toolmend.base.db.refusals import explained
from toolmend.base.errors import BadFile

Migration = Callable[[Connection], None]

_LOCK = 0x746D  # of toolmend's migrations, among all advisory locks of a PostgreSQL database

_versions = sa.Table(
    "schema_versions",
    sa.MetaData(),
    sa.Column("room", sa.Text, primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("changed", sa.Text, nullable=False),
)


def utc_now() -> str:
    """This moment as ISO 8601 text in UTC with microseconds: `2024-11-11T17:00:00.000000Z`."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def room_versions(engine: Engine) -> dict[str, int]:
    """The version of each room's tables, {} where nothing was made yet. Writes nothing whatever it finds.

    Raises BadFile for a database that cannot be read, and for a SQLite file that is somebody else's.
    """
    if engine.dialect.name == "sqlite":
        return sqlite.file_versions(Path(place(engine)), _versions.name)
    with reading(engine) as connection:
        return _read_versions(connection) if sa.inspect(connection).has_table(_versions.name) else {}


def _read_versions(connection: Connection) -> dict[str, int]:
    return {row.room: row.version for row in connection.execute(sa.select(_versions))}


def migrate(engine: Engine, room: str, migrations: Sequence[Migration]) -> None:
    """Bring a room's tables to the version `len(migrations)`, each migration in a transaction of its own.

    Raises BadFile, with the database untouched, when it was written by a newer toolmend. Two processes may do this at
    once. Foreign keys are not enforced while a migration runs (rebuilding a table would cascade) but checked after.
    """
    where = place(engine)
    found = room_versions(engine).get(room, 0)
    _refuse_newer(where, room, found, len(migrations))
    if found == len(migrations):
        return
    with explained(where):
        if engine.dialect.name == "sqlite":
            sqlite.use_wal(engine)
        with engine.begin() as connection:
            _lock(connection)
            _refuse_narrow(where, connection)
            _versions.create(connection, checkfirst=True)
        for number, migration in enumerate(migrations, start=1):
            _step(engine, room, number, migration, known=len(migrations))


def _refuse_newer(where: str, room: str, found: int, known: int) -> None:
    if found > known:
        raise BadFile(
            where, f"written by a newer toolmend ({room} version {found}, known here: {known}); upgrade toolmend"
        )


def _refuse_narrow(where: str, connection: Connection) -> None:
    """A PostgreSQL database of another encoding would take most texts, and refuse one in the middle of a run."""
    if connection.dialect.name == "postgresql":
        encoding = connection.exec_driver_sql("SHOW server_encoding").scalar()
        if encoding != "UTF8":
            raise BadFile(where, f"its encoding is {encoding}; a store needs UTF8: createdb -E UTF8 -T template0 NAME")


def _lock(connection: Connection) -> None:
    """On PostgreSQL, let one process migrate at a time; SQLite's BEGIN IMMEDIATE does so by itself."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))


def _step(engine: Engine, room: str, number: int, migration: Migration, known: int) -> None:
    with engine.connect() as connection, _unenforced(connection), connection.begin():
        _lock(connection)
        found = _read_versions(connection).get(room, 0)
        _refuse_newer(place(engine), room, found, known)
        if found >= number:
            return
        migration(connection)
        connection.execute(sa.delete(_versions).where(_versions.c.room == room))
        connection.execute(sa.insert(_versions).values(room=room, version=number, changed=utc_now()))
        if connection.dialect.name == "sqlite":
            broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
            if broken:
                raise BadFile(place(engine), f"migration {number} of {room} leaves {len(broken)} rows without parents")


@contextmanager
def _unenforced(connection: Connection) -> Iterator[None]:
    raw: Any = connection.connection.driver_connection
    if connection.dialect.name != "sqlite":
        yield
        return
    raw.execute("PRAGMA foreign_keys=OFF")
    try:
        yield
    finally:
        raw.execute("PRAGMA foreign_keys=ON")
