"""A database engine from a path or URL, SQLite's pragmas, transactions, and the migration runner.

Knows one table, its own `schema_versions` (room -> version), and none of what the rooms keep. Whatever the database
says against us becomes one BadFile line (`explained`); a file that is refused is never written to.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError

from toolmend.errors import BadFile, BadOption, MissingExtra

Migration = Callable[[Connection], None]

BUSY_SECONDS = 30.0
_MAGIC = b"SQLite format 3\0"
_DAMAGED = "the database is damaged; restore a copy, or move the file away to start a new one"
_SQLITE_SAYS = {
    sqlite3.SQLITE_BUSY: f"another process has been writing for {BUSY_SECONDS:.0f} s; try again when it is done",
    sqlite3.SQLITE_LOCKED: "locked by another use of the same connection; try again",
    sqlite3.SQLITE_PERM: "no permission; check the file and its folder",
    sqlite3.SQLITE_READONLY: "cannot be written; check the permissions of the file and its folder",
    sqlite3.SQLITE_IOERR: "the disk could not read or write it; check its free space and the folder",
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_FULL: "the disk is full; free some space and give the same command again, it goes on",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; check the permissions of the file and its folder",
    sqlite3.SQLITE_NOTADB: "not a SQLite database; name another file",
}

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


def open_engine(url_or_path: str | os.PathLike[str], *, create: bool = True) -> Engine:
    """An engine on a SQLite file (a path or `sqlite:///path`) or on the database of any other URL.

    Folders are made when `create`; the file itself is first written by `migrate`. Raises BadFile for anything that is
    not ours or cannot be used, BadOption for a URL that means nothing, MissingExtra for a driver that is not there.
    """
    text = os.fspath(url_or_path)
    url = _url(text) if "://" in text else _file_url(text)
    if url.get_backend_name() == "sqlite":
        url = _file_url(url.database or "")
        _check_place(Path(url.database or ""), create)
    try:
        engine = sa.create_engine(url)
    except ModuleNotFoundError as error:
        raise MissingExtra(f"the store {url.render_as_string()}", "postgres") from error
    except NoSuchModuleError as error:
        raise BadOption(f"unknown kind of store {url.drivername!r}; give a file or postgresql+psycopg://…") from error
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _set_pragmas)
        sa.event.listen(engine, "begin", _begin)
        room_versions(engine)
    return engine


def place(engine: Engine) -> str:
    """What to call this database in a message: the file, or the URL without its password."""
    return engine.url.database or "" if engine.dialect.name == "sqlite" else engine.url.render_as_string()


def _url(text: str) -> URL:
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as error:
        raise BadOption(f"not a database URL: {text!r}; give a file or postgresql+psycopg://…") from error
    if url.get_backend_name() == "sqlite" and (url.query or url.database in (None, "", ":memory:")):
        raise BadOption(f"{text!r}: a store is a file without options, as in sqlite:///runs.db")
    return url


def _file_url(path: str) -> URL:
    if not path or path == ":memory:" or "\0" in path:
        raise BadOption(f"{path!r} is no file name for a store")
    return URL.create("sqlite", database=str(Path(path).expanduser().absolute()))


def _check_place(path: Path, create: bool) -> None:
    """Raise BadFile unless `path` holds a SQLite file, an empty one, or may come to hold one."""
    try:
        if create:
            path.parent.mkdir(parents=True, exist_ok=True)
        head = _head(path)
    except OSError as error:
        raise BadFile(path, f"{error.strerror or error}; check the file and its folder, or name another") from error
    if head is None and not create:
        raise BadFile(path, "no such store; `toolmend run` makes one")
    if head is None and not os.access(path.parent, os.W_OK | os.X_OK):
        raise BadFile(path, f"the folder {path.parent} cannot be written; name another")
    if head and head != _MAGIC:
        raise BadFile(path, _SQLITE_SAYS[sqlite3.SQLITE_NOTADB])


def _head(path: Path) -> bytes | None:
    """The first bytes of a file, None if there is none."""
    if not path.exists():
        return None
    with path.open("rb") as file:
        return file.read(len(_MAGIC))


# -- what the database says ------------------------------------------------------------------------------------------


def explain(where: str, error: BaseException) -> BadFile | None:
    """The one line that a driver's error comes to; None when it is a mistake of the program, not of the place."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(
        cause, UnicodeDecodeError
    ):  # the sqlite3 module's way of passing on names or messages that are spoilt
        return BadFile(where, _DAMAGED)
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", None)
        if code is None:
            return BadFile(where, _DAMAGED) if "decode to UTF-8" in str(cause) else None
        says = _SQLITE_SAYS.get(code & 0xFF)
        if code == sqlite3.SQLITE_ERROR and isinstance(cause, sqlite3.OperationalError):
            says = f"its tables are not as toolmend made them ({cause}); restore a copy, or name another file"
        return BadFile(where, says) if says else None
    if isinstance(error, OperationalError):
        return BadFile(where, str(cause).strip().splitlines()[0])
    return None


@contextmanager
def explained(where: str) -> Iterator[None]:
    """Turn what the database says into one BadFile line about `where`."""
    try:
        yield
    except (sqlite3.Error, DBAPIError, UnicodeDecodeError) as error:
        told = explain(where, error)
        if told is None:
            raise
        raise told from error


# -- transactions ----------------------------------------------------------------------------------------------------


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A connection with one consistent view that keeps no writer waiting; BadFile when the database refuses."""
    with explained(place(engine)), engine.connect() as connection:
        yield connection.execution_options(toolmend_reading=True)


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """One transaction that takes the write lock at once, committed at the end; BadFile when the database refuses."""
    with explained(place(engine)), engine.begin() as connection:
        yield connection


def insert_into(engine: Engine, table: sa.Table) -> sqlite.Insert | postgresql.Insert:
    """The dialect's own INSERT, which knows ON CONFLICT."""
    return postgresql.insert(table) if engine.dialect.name == "postgresql" else sqlite.insert(table)


class Prepared:
    """A Core statement compiled once, for a raw cursor: an execution costs a few microseconds instead of a hundred.

    Values go to the driver as they are (no type processing), so only text, numbers, booleans and None may be bound.
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
    """One connection kept for writing with `Prepared` statements. Not thread-safe: its owner holds a lock."""

    def __init__(self, engine: Engine) -> None:
        self._where = place(engine)
        self._begin = "BEGIN IMMEDIATE" if engine.dialect.name == "sqlite" else None
        with explained(self._where):
            self._held = engine.raw_connection()
            self._cursor = self._held.cursor()

    @contextmanager
    def transaction(self) -> Iterator[Any]:
        """A raw cursor inside one transaction: committed at the end, rolled back on any error."""
        with explained(self._where):
            try:
                if self._begin:
                    self._cursor.execute(self._begin)
                yield self._cursor
                self._held.commit()
            except BaseException:
                self._held.rollback()
                raise

    def close(self) -> None:
        """Give the connection back."""
        self._cursor.close()
        self._held.close()


# -- SQLite ----------------------------------------------------------------------------------------------------------


def _set_pragmas(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # we say BEGIN ourselves (`_begin`), so that DDL is inside transactions too
    connection.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000:.0f}")
    connection.execute("PRAGMA foreign_keys=ON")
    # With WAL this is safe under kill -9; a power cut may cost the last moments, never the file.
    connection.execute("PRAGMA synchronous=NORMAL")


def _begin(connection: Connection) -> None:
    deferred = connection.get_execution_options().get("toolmend_reading")
    connection.exec_driver_sql("BEGIN" if deferred else "BEGIN IMMEDIATE")


def _use_wal(engine: Engine) -> None:
    """Switch a SQLite file to write-ahead logging, once for good.

    SQLite answers "locked" at once, whatever the busy timeout, when two processes switch at the same time.
    """
    until = time.monotonic() + BUSY_SECONDS
    with closing(engine.raw_connection()) as connection:
        cursor = connection.cursor()
        while cursor.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            try:
                cursor.execute("PRAGMA journal_mode=WAL").fetchall()
            except sqlite3.OperationalError as error:
                if (error.sqlite_errorcode & 0xFF) != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
                time.sleep(0.01)


# -- versions and migrations -----------------------------------------------------------------------------------------


def room_versions(engine: Engine) -> dict[str, int]:
    """The version of each room's tables, {} where nothing was made yet. Writes nothing whatever it finds.

    Raises BadFile for a SQLite file that cannot be read or is somebody else's.
    """
    if engine.dialect.name != "sqlite":
        with reading(engine) as connection:
            return _read_versions(connection) if sa.inspect(connection).has_table(_versions.name) else {}
    return _sqlite_versions(Path(place(engine)))


def _sqlite_versions(path: Path) -> dict[str, int]:
    if not path.exists():
        return {}
    # The last read-write connection that closes moves a log left by a killed process into the file; a read-only one
    # leaves an empty log behind where there was none. So: read-only exactly where there is a log.
    mode = "ro" if Path(f"{path}-wal").exists() else "rw"
    with explained(str(path)):
        connection = sqlite3.connect(f"{path.as_uri()}?mode={mode}", uri=True, timeout=BUSY_SECONDS)
        with closing(connection):
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not tables:
                return {}
            if _versions.name not in tables:
                raise BadFile(path, "a SQLite database of something else; name another file")
            found = dict(connection.execute("SELECT room, version FROM schema_versions").fetchall())
            if not all(isinstance(version, int) for version in found.values()):
                raise BadFile(path, _DAMAGED)
            return found


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
            _use_wal(engine)
        with engine.begin() as connection:
            _lock(connection)
            _versions.create(connection, checkfirst=True)
        for number, migration in enumerate(migrations, start=1):
            _step(engine, room, number, migration, known=len(migrations))


def _refuse_newer(where: str, room: str, found: int, known: int) -> None:
    if found > known:
        raise BadFile(
            where, f"written by a newer toolmend ({room} version {found}, known here: {known}); upgrade toolmend"
        )


def _lock(connection: Connection) -> None:
    """On PostgreSQL, let one process migrate at a time; SQLite's BEGIN IMMEDIATE does so by itself."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(0x746D)))


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
