"""SQLite's own part: which files may be a store, pragmas, write-ahead logging, reading versions without writing."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from sqlalchemy.engine import Connection, Engine

from toolmend.base.atomic import private_file, private_folder
from toolmend.base.db import refusals
from toolmend.base.errors import BadFile

_MAGIC = b"SQLite format 3\0"


def check_place(path: Path, create: bool) -> None:
    """Raise BadFile unless `path` holds a SQLite file, an empty one, or may come to hold one."""
    try:
        if create:
            private_folder(path.parent)
        head = _head(path)
    except OSError as error:
        raise BadFile(path, f"{error.strerror or error}; check the file and its folder, or name another") from error
    if head is None and not create:
        raise BadFile(path, "no such store; `toolmend run` makes one, and so do `know add` and `chat --memory`")
    if head is None and not os.access(path.parent, os.W_OK | os.X_OK):
        raise BadFile(path, f"the folder {path.parent} cannot be written; name another")
    if head and head != _MAGIC:
        raise BadFile(path, refusals.NO_DATABASE)


def _head(path: Path) -> bytes | None:
    """The first bytes of a file, None if there is none."""
    if not path.exists():
        return None
    with path.open("rb") as file:
        return file.read(len(_MAGIC))


def keep_private(_dialect: Any, _record: Any, given: Any, _options: Any) -> None:
    """Before SQLite makes a file: its owner alone reads it, and what SQLite puts beside it is as the file is."""
    path = Path(given[0])
    if not path.exists():
        with suppress(OSError):  # SQLite says what is wrong with the place
            private_file(path)


def set_pragmas(connection: Any, _record: Any) -> None:
    """Prepare a new connection."""
    connection.isolation_level = None  # we say BEGIN ourselves (`begin`), so that DDL is inside transactions too
    connection.execute(f"PRAGMA busy_timeout={refusals.BUSY_SECONDS * 1000:.0f}")
    connection.execute("PRAGMA foreign_keys=ON")
    # With WAL this is safe under kill -9; a power cut may cost the last moments, never the file.
    connection.execute("PRAGMA synchronous=NORMAL")


def begin(connection: Connection) -> None:
    """Begin a transaction: a writer takes the lock at once, a reader waits for nobody."""
    deferred = connection.get_execution_options().get("toolmend_reading")
    connection.exec_driver_sql("BEGIN" if deferred else "BEGIN IMMEDIATE")


def use_wal(engine: Engine) -> None:
    """Switch a SQLite file to write-ahead logging, once for good.

    SQLite answers "locked" at once, whatever the busy timeout, when two processes switch at the same time.
    """
    until = time.monotonic() + refusals.BUSY_SECONDS
    with closing(engine.raw_connection()) as connection:
        cursor = connection.cursor()
        while cursor.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            try:
                cursor.execute("PRAGMA journal_mode=WAL").fetchall()
            except sqlite3.OperationalError as error:
                if (error.sqlite_errorcode & 0xFF) != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
                time.sleep(0.01)


def file_versions(path: Path, table: str) -> dict[str, int]:
    """The versions in a file's table of versions, {} where there is no table at all. Writes nothing."""
    if not path.exists():
        return {}
    # The last read-write connection that closes moves a log left by a killed process into the file; a read-only one
    # leaves an empty log behind where there was none. So: read-only exactly where there is a log.
    mode = "ro" if Path(f"{path}-wal").exists() else "rw"
    with refusals.explained(str(path)):
        connection = sqlite3.connect(f"{path.as_uri()}?mode={mode}", uri=True, timeout=refusals.BUSY_SECONDS)
        with closing(connection):
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not tables:
                return {}
            if table not in tables:
                raise BadFile(path, "a SQLite database of something else; name another file")
            found = dict(connection.execute(f"SELECT room, version FROM {table}").fetchall())
            if not all(isinstance(version, int) for version in found.values()):
                raise BadFile(path, refusals.DAMAGED)
            return found
