"""An engine from a path or URL, and what to call its place in a message: never with a password.

Reading and writing: one view for a reader, all or nothing for a writer.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite as sqlite_dialect
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError

from toolmend.base.db import refusals, sqlite
from toolmend.base.db.refusals import explained
from toolmend.base.errors import BadOption, MissingExtra
from toolmend.registry import stores

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

POSTGRESQL = "postgresql+psycopg"
_KINDS = f"give a file or {POSTGRESQL}://…"
_CONNECT_SECONDS = 10


def open_engine(url_or_path: str | os.PathLike[str], *, create: bool = True) -> Engine:
    """An engine on a SQLite file (a path or `sqlite:///path`), on a database of PostgreSQL, or of a registered kind.

    Folders are made when `create`; the file itself is first written by `migrate`, and a server is first asked when the
    engine is used. Raises BadFile for anything that is not ours or cannot be used, BadOption for a URL that means
    nothing, MissingExtra for a driver that is not there.
    """
    text = os.fspath(url_or_path)
    scheme, sign, _ = text.partition("://")
    if sign and scheme in stores.names():
        engine: Engine = stores.get(scheme)(text, create)
        return engine
    url = _url(text) if "://" in text else _file_url(text)
    return _open_file(url, create) if url.get_backend_name() == "sqlite" else _open_server(url)


def place(engine: Engine) -> str:
    """What to call this database in a message: the file, or the URL without its password."""
    return engine.url.database or "" if engine.dialect.name == "sqlite" else _shown(engine.url)


def _open_file(url: URL, create: bool) -> Engine:
    path = Path(url.database or "")
    sqlite.check_place(path, create)
    engine = sa.create_engine(url)
    sa.event.listen(engine, "do_connect", sqlite.keep_private)
    sa.event.listen(engine, "connect", sqlite.set_pragmas)
    sa.event.listen(engine, "begin", sqlite.begin)
    sqlite.file_versions(path, "schema_versions")
    return engine


def _open_server(url: URL) -> Engine:
    # A store uses one connection for writing and one per thread that reads: the pool's own limits do. A connection
    # that the server dropped in the meantime is replaced unseen (pre_ping: a tenth of a millisecond).
    given = {
        "application_name": "toolmend",
        "connect_timeout": _CONNECT_SECONDS,
        **url.query,
        "client_encoding": "utf8",
    }
    try:
        engine = sa.create_engine(url, pool_pre_ping=True, connect_args=given)
    except ImportError as error:
        raise MissingExtra(f"the store {_shown(url)}", "postgres") from error
    sa.event.listen(engine, "connect", _wait_for_locks)
    return engine


def _wait_for_locks(connection: Any, _record: Any) -> None:
    """Wait for another writer as long as on SQLite, not for ever."""
    connection.execute(f"SET lock_timeout = {refusals.BUSY_SECONDS * 1000:.0f}")
    connection.commit()


def _url(text: str) -> URL:
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as error:
        raise BadOption(f"not a database URL: {_masked(text)!r}; {_KINDS}") from error
    backend = url.drivername.partition("+")[0]
    if backend == "sqlite":
        if url.query or url.database in (None, "", ":memory:"):
            raise BadOption(f"{text!r}: a store is a file without options, as in sqlite:///runs.db")
        return _file_url(url.database or "")
    if url.drivername not in ("postgresql", POSTGRESQL):
        raise BadOption(f"unknown kind of store {url.drivername!r}; {_KINDS}")
    return url.set(drivername=POSTGRESQL)


def _file_url(path: str) -> URL:
    if not path or path == ":memory:" or "\0" in path:
        raise BadOption(f"{path!r} is no file name for a store")
    return URL.create("sqlite", database=str(Path(path).expanduser().absolute()))


def _shown(url: URL) -> str:
    """A URL without what is secret in it: libpq takes a password among the options, too."""
    secret = {name: "***" for name in url.query if "password" in name.lower()}
    return url.update_query_dict(secret).render_as_string().replace("%2A%2A%2A", "***")


def _masked(text: str) -> str:
    """What may be shown of a URL that cannot be read."""
    return re.sub(r"(password=)[^&]*", r"\1***", re.sub(r"(?<=://).*@", "***@", text), flags=re.IGNORECASE)


# reading and writing -------------------------------------------------------------------------------------------------


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


def insert_into(engine: Engine, table: sa.Table) -> sqlite_dialect.Insert | postgresql.Insert:
    """The dialect's own INSERT, which knows ON CONFLICT."""
    if engine.dialect.name == "sqlite":
        return sqlite_dialect.insert(table)
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(table)
