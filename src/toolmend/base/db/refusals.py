"""What a database says against us, as one BadFile line: what is wrong, and what to do next. Opens nothing."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy.exc import DBAPIError

from toolmend.base.errors import BadFile

BUSY_SECONDS = 30.0
DAMAGED = "the database is damaged; restore a copy, or move the file away to start a new one"
NO_DATABASE = "not a SQLite database; name another file"
BUSY = f"another process has been writing for {BUSY_SECONDS:.0f} s; try again when it is done"
_FULL = "the disk is full; free some space and give the same command again, it goes on"
_TAMPERED = "its tables are not as toolmend made them ({error}); restore a copy, or name another {kind}"
_LOST = "the connection was lost ({error}); give the same command again, it goes on"

_SQLITE_SAYS = {
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_LOCKED: "locked by another use of the same connection; try again",
    sqlite3.SQLITE_PERM: "no permission; check the file and its folder",
    sqlite3.SQLITE_READONLY: "cannot be written; check the permissions of the file and its folder",
    sqlite3.SQLITE_IOERR: "the disk could not read or write it; check its free space and the folder",
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; check the permissions of the file and its folder",
    sqlite3.SQLITE_NOTADB: NO_DATABASE,
}

# By the beginning of the SQLSTATE (PostgreSQL documentation, appendix A); the longest that fits counts.
_POSTGRESQL_SAYS = {
    "08": _LOST,
    "22021": "its encoding cannot hold every text ({error}); make one with createdb -E UTF8",
    "22P05": "its encoding cannot hold every text ({error}); make one with createdb -E UTF8",
    "25006": "cannot be written ({error}); name the server that takes writes",
    "40": "two processes got in each other's way ({error}); give the same command again, it goes on",
    "42501": "no permission ({error}); the owner of the database may GRANT it",
    "42703": _TAMPERED,
    "42P01": _TAMPERED,
    "53": "the server has run out of something ({error}); try again when it has more",
    "53100": _FULL,
    "54": "more than the server takes ({error})",
    "55P03": BUSY,
    "57P": _LOST,
    "58": "the server could not read or write its files ({error}); ask whoever runs it",
    "XX": "the server found its files damaged ({error}); ask whoever runs it",
}


@contextmanager
def explained(where: str) -> Iterator[None]:
    """Turn what the database says into one BadFile line about `where`."""
    try:
        yield
    except Exception as error:
        told = explain(where, error)
        if told is None:
            raise
        raise told from error


def explain(where: str, error: BaseException) -> BadFile | None:
    """The one line that a driver's error comes to; None when it is a mistake of the program, not of the place."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    # UnicodeDecodeError is the sqlite3 module's way of passing on names or messages that are spoilt.
    if isinstance(cause, UnicodeDecodeError):
        says: str | None = DAMAGED
    elif isinstance(cause, sqlite3.Error):
        says = _of_sqlite(cause)
    elif type(cause).__module__.startswith("psycopg"):
        says = _of_postgresql(cause)
    else:
        return None
    return BadFile(where, says) if says else None


def _of_sqlite(error: sqlite3.Error) -> str | None:
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return DAMAGED if "decode to UTF-8" in str(error) else None
    if code == sqlite3.SQLITE_ERROR and isinstance(error, sqlite3.OperationalError):
        return _TAMPERED.format(error=error, kind="file")
    return _SQLITE_SAYS.get(code & 0xFF)


def _of_postgresql(error: Any) -> str | None:
    """By SQLSTATE; an error without one is about the connection itself."""
    text = next(iter(str(error).strip().splitlines()), type(error).__name__)
    state = getattr(error, "sqlstate", None)
    if state is not None:
        says = next((_POSTGRESQL_SAYS[state[:n]] for n in (5, 3, 2) if state[:n] in _POSTGRESQL_SAYS), None)
        return says.format(error=text, kind="database") if says else None
    if type(error).__name__ not in ("OperationalError", "InterfaceError", "ConnectionTimeout", "PoolTimeout"):
        return None
    if not re.match(r"connection (failed|is bad|timeout)|failed to resolve|\[Errno|could not", text, re.IGNORECASE):
        return _LOST.format(error=text)
    told = text.partition("FATAL: ")[2].strip() or text
    if re.search(r"database .* does not exist", told):
        return f"{told}; make it first: createdb NAME"
    return f"{told}; check the URL, and that the server runs and lets you in"
