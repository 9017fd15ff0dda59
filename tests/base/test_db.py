"""Engines, transactions, refusals and the migration runner, with a room made up for the purpose."""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from toolmend.base import db
from toolmend.base.db import refusals
from toolmend.base.errors import BadFile, BadOption, MissingExtra, ToolmendError

PETS = sa.Table(
    "pets", sa.MetaData(), sa.Column("name", sa.Text, primary_key=True), sa.Column("legs", sa.Integer, nullable=False)
)


def make_pets(connection: Connection) -> None:
    PETS.create(connection)


def add_tail(connection: Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE pets ADD COLUMN tail TEXT")


def fail_half_way(connection: Connection) -> None:
    connection.exec_driver_sql("CREATE TABLE half (a TEXT)")
    raise RuntimeError("half way")


@contextmanager
def not_as_root() -> Iterator[None]:
    """Root becomes nobody for this time."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


def refusal(path: str | Path, *, create: bool = True) -> str:
    with pytest.raises(ToolmendError) as caught:
        db.open_engine(path, create=create)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def pets_file(path: Path) -> Path:
    engine = db.open_engine(path)
    db.migrate(engine, "pets", [make_pets])
    engine.dispose()
    return path


# -- opening ---------------------------------------------------------------------------------------------------------


def test_a_path_and_its_url_are_the_same_place(tmp_path: Path) -> None:
    assert db.place(db.open_engine(tmp_path / "a.db")) == db.place(db.open_engine(f"sqlite:///{tmp_path}/a.db"))


def test_opening_alone_makes_folders_but_no_file(tmp_path: Path) -> None:
    db.open_engine(tmp_path / "x" / "y" / "a.db")
    assert [path.name for path in (tmp_path / "x").rglob("*")] == ["y"]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such permissions")
@pytest.mark.parametrize("umask", [0, 0o022, 0o077])
def test_a_store_is_its_owners_alone_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        engine = db.open_engine(tmp_path / "a" / "b" / "x.db")
        db.migrate(engine, "pets", [make_pets])
    finally:
        os.umask(before)
    made = {path.relative_to(tmp_path).as_posix(): path.stat().st_mode & 0o777 for path in tmp_path.rglob("*")}
    engine.dispose()
    assert {"a", "a/b", "a/b/x.db", "a/b/x.db-wal"} <= set(made)
    assert {made[name] for name in made if "x" in name} == {0o600} and {made["a"], made["a/b"]} == {0o700}


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such permissions")
def test_a_store_that_is_there_keeps_the_permissions_it_was_given(tmp_path: Path) -> None:
    (tmp_path / "x.db").touch()
    (tmp_path / "x.db").chmod(0o640)
    db.migrate(db.open_engine(tmp_path / "x.db"), "pets", [make_pets])
    assert (tmp_path / "x.db").stat().st_mode & 0o777 == 0o640


def test_names_that_a_uri_would_misread_are_file_names(tmp_path: Path) -> None:
    path = pets_file(tmp_path / "50% ? #1 ü.db")
    assert db.room_versions(db.open_engine(path)) == {"pets": 1}


def test_an_empty_file_may_become_a_store(tmp_path: Path) -> None:
    (tmp_path / "a.db").touch()
    assert db.room_versions(db.open_engine(pets_file(tmp_path / "a.db"))) == {"pets": 1}


def test_sqlite_is_set_to_wal_with_foreign_keys_and_patience(tmp_path: Path) -> None:
    engine = db.open_engine(pets_file(tmp_path / "a.db"))
    with db.reading(engine) as connection:
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        assert [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names] == ["wal", 1, 1, 30000]
    engine.dispose()


def test_without_create_a_missing_file_is_refused_and_not_made(tmp_path: Path) -> None:
    assert "no such store" in refusal(tmp_path / "x" / "a.db", create=False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"hello", b"case: a\n" * 400, b"\0" * 5000, b"SQLite format 2\0" + b"\0" * 5000])
def test_a_file_that_is_no_database_is_refused_untouched(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(content)
    assert refusal(path) == f"{path}: not a SQLite database; name another file"
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_somebody_elses_database_is_refused_untouched(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.close()
    before = path.read_bytes()
    assert refusal(path) == f"{path}: a SQLite database of something else; name another file"
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_truncated_database_is_refused_untouched(tmp_path: Path) -> None:
    path = pets_file(tmp_path / "a.db")
    path.write_bytes(path.read_bytes()[:5000])
    before = path.read_bytes()
    assert "the database is damaged" in refusal(path)
    assert path.read_bytes() == before


def test_versions_that_are_no_numbers_are_damage(tmp_path: Path) -> None:
    path = pets_file(tmp_path / "a.db")
    connection = sqlite3.connect(path)
    connection.execute("UPDATE schema_versions SET version = 'one'")
    connection.commit()
    connection.close()
    assert "damaged" in refusal(path)


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    assert refusal(tmp_path).startswith(f"{tmp_path}: Is a directory")


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "file" in refusal(tmp_path / "file" / "a.db")


def test_a_folder_without_permission_is_refused(tmp_path: Path) -> None:
    (locked := tmp_path / "locked").mkdir(mode=0o500)
    with not_as_root():
        assert str(locked) in refusal(locked / "a.db")


MEANINGLESS = [
    *("sqlite://", "sqlite:///:memory:", "sqlite:///a.db?mode=ro", "what://ever", "://", "", "mysql://h/db"),
    *("postgresql+asyncpg://h/db", "postgres://h/db", "postgresql+psycopg://h:port/db"),
]


@pytest.mark.parametrize("url", MEANINGLESS)
def test_urls_that_mean_nothing_are_bad_options(url: str) -> None:
    with pytest.raises(BadOption):
        db.open_engine(url)


@pytest.mark.parametrize(
    "url",
    [
        "nothing+such://me:secret@host/db",
        "postgresql+psycopg://me:secret@host:port/db",
        "postgresql+psycopg://me:a/secret@b@host:port/db?password=secret",
        "postgresql+psycopg://host:port/db?password=secret&x=y",
    ],
)
def test_the_password_of_a_url_that_means_nothing_is_not_shown(url: str) -> None:
    assert "secret" not in refusal(url)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://me:secret@host/db", "postgresql+psycopg://me:***@host/db"),
        ("postgresql+psycopg://me@host/db?password=secret", "postgresql+psycopg://me@host/db?password=***"),
        ("postgresql://me@host/db?sslpassword=secret", "postgresql+psycopg://me@host/db?sslpassword=***"),
    ],
)
def test_a_place_is_called_without_its_password(url: str, shown: str) -> None:
    pytest.importorskip("psycopg")
    assert db.place(db.open_engine(url)) == shown


def test_without_its_driver_a_server_is_a_missing_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r"postgresql\+psycopg://me:\*\*\*@host/db needs the extra 'postgres'"):
        db.open_engine("postgresql://me:secret@host/db")


# -- migrations ------------------------------------------------------------------------------------------------------


def test_each_migration_runs_once_and_in_order(tmp_path: Path) -> None:
    engine = db.open_engine(tmp_path / "a.db")
    db.migrate(engine, "pets", [make_pets])
    db.migrate(engine, "pets", [make_pets, add_tail])
    db.migrate(engine, "pets", [make_pets, add_tail])
    assert db.room_versions(engine) == {"pets": 2}
    assert [column["name"] for column in sa.inspect(engine).get_columns("pets")] == ["name", "legs", "tail"]
    engine.dispose()


def test_rooms_have_versions_of_their_own(tmp_path: Path) -> None:
    engine = db.open_engine(pets_file(tmp_path / "a.db"))
    db.migrate(engine, "other", [lambda connection: None, lambda connection: None])
    assert db.room_versions(engine) == {"pets": 1, "other": 2}
    engine.dispose()


def test_a_failing_migration_leaves_the_version_before_it(tmp_path: Path) -> None:
    engine = db.open_engine(tmp_path / "a.db")
    with pytest.raises(RuntimeError, match="half way"):
        db.migrate(engine, "pets", [make_pets, fail_half_way])
    assert db.room_versions(engine) == {"pets": 1}
    assert sorted(sa.inspect(engine).get_table_names()) == ["pets", "schema_versions"]
    engine.dispose()


def test_a_newer_version_is_refused_untouched(tmp_path: Path) -> None:
    path = pets_file(tmp_path / "a.db")
    before = path.read_bytes()
    engine = db.open_engine(path)
    with pytest.raises(BadFile, match=r"newer toolmend \(pets version 1, known here: 0\); upgrade toolmend"):
        db.migrate(engine, "pets", [])
    engine.dispose()
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_newer_version_left_by_a_killed_process_is_refused_untouched(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    engine = db.open_engine(path)
    db.migrate(engine, "pets", [make_pets])
    copy = tmp_path / "copy" / "a.db"
    copy.parent.mkdir()
    for suffix in ("", "-wal"):
        Path(f"{copy}{suffix}").write_bytes(Path(f"{path}{suffix}").read_bytes())
    engine.dispose()
    before = copy.read_bytes()
    with pytest.raises(BadFile, match="newer toolmend"):
        db.migrate(db.open_engine(copy), "pets", [])
    assert copy.read_bytes() == before


def test_two_at_once_migrate_once(tmp_path: Path) -> None:
    made: list[int] = []
    failures: list[BaseException] = []

    def note(connection: Connection) -> None:
        made.append(1)

    def work() -> None:
        try:
            engine = db.open_engine(tmp_path / "a.db")
            db.migrate(engine, "pets", [make_pets, note])
            engine.dispose()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (failures, made) == ([], [1])


def test_rebuilding_a_table_in_a_migration_does_not_cascade(tmp_path: Path) -> None:
    def parents(connection: Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE parent (id INTEGER PRIMARY KEY)")
        connection.exec_driver_sql("CREATE TABLE child (p INTEGER REFERENCES parent (id) ON DELETE CASCADE)")
        connection.exec_driver_sql("INSERT INTO parent VALUES (1)")
        connection.exec_driver_sql("INSERT INTO child VALUES (1)")

    def rebuild(connection: Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE fresh (id INTEGER PRIMARY KEY, more TEXT)")
        connection.exec_driver_sql("INSERT INTO fresh (id) SELECT id FROM parent")
        connection.exec_driver_sql("DROP TABLE parent")
        connection.exec_driver_sql("ALTER TABLE fresh RENAME TO parent")

    engine = db.open_engine(tmp_path / "a.db")
    db.migrate(engine, "family", [parents, rebuild])
    with db.reading(engine) as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM child").scalar() == 1
    engine.dispose()


def test_a_migration_that_orphans_rows_is_undone(tmp_path: Path) -> None:
    def orphan(connection: Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE parent (id INTEGER PRIMARY KEY)")
        connection.exec_driver_sql("CREATE TABLE child (p INTEGER REFERENCES parent (id))")
        connection.exec_driver_sql("INSERT INTO child VALUES (7)")

    engine = db.open_engine(tmp_path / "a.db")
    with pytest.raises(BadFile, match="migration 1 of family leaves 1 rows without parents"):
        db.migrate(engine, "family", [orphan])
    assert db.room_versions(engine) == {}
    engine.dispose()


# -- transactions ----------------------------------------------------------------------------------------------------


def test_an_error_inside_writing_undoes_all_of_it(tmp_path: Path) -> None:
    engine = db.open_engine(pets_file(tmp_path / "a.db"))
    with pytest.raises(KeyError), db.writing(engine) as connection:
        connection.execute(sa.insert(PETS).values(name="cat", legs=4))
        raise KeyError
    with db.reading(engine) as connection:
        assert connection.execute(sa.select(PETS)).all() == []
    engine.dispose()


def test_a_reader_neither_waits_for_a_writer_nor_sees_its_unfinished_work(tmp_path: Path) -> None:
    engine = db.open_engine(pets_file(tmp_path / "a.db"))
    with db.writing(engine) as connection:
        connection.execute(sa.insert(PETS).values(name="cat", legs=4))
        with db.reading(engine) as other:
            assert other.execute(sa.select(PETS)).all() == []
    engine.dispose()


def test_a_writer_that_waits_too_long_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusals, "BUSY_SECONDS", 0.0)
    engine = db.open_engine(pets_file(tmp_path / "a.db"))
    with db.writing(engine), pytest.raises(BadFile, match="another process has been writing"), db.writing(engine):
        pass
    engine.dispose()


def test_a_mistake_of_the_program_is_not_explained_away() -> None:
    assert db.explain("here", sqlite3.ProgrammingError("closed")) is None


def test_what_a_server_says_is_told_by_its_code() -> None:
    psycopg = pytest.importorskip("psycopg")
    error = psycopg.errors.UndefinedTable('relation "samples" does not exist\nLINE 1: SELECT * FROM samples')
    assert str(db.explain("here", error)) == (
        'here: its tables are not as toolmend made them (relation "samples" does not exist); '
        "restore a copy, or name another database"
    )
