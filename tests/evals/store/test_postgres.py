"""What is PostgreSQL's alone: servers and databases that cannot be used, and a connection that is lost on the way."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from toolmend.base import db
from toolmend.base.db import refusals
from toolmend.base.errors import BadFile
from toolmend.evals.store import RunConfig, Sample, Store
from toolmend.evals.store.migrations import MIGRATIONS, ROOM


@pytest.fixture
def kind() -> str:
    """Not SQLite."""
    return "postgresql"


TABLES = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"


def refusal(place: str, *, create: bool = True) -> str:
    """The one line with which a store does not open."""
    with pytest.raises(BadFile) as caught:
        Store(place, create=create)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.fixture
def free_port() -> Iterator[int]:
    """A port on which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


def name(place: str) -> str:
    """The database of a URL."""
    return place.rpartition("/")[2]


# -- opening ---------------------------------------------------------------------------------------------------------


def test_a_server_that_is_down(free_port: int) -> None:
    pytest.importorskip("psycopg")
    said = refusal(f"postgresql+psycopg://me:secret@127.0.0.1:{free_port}/db")
    assert said.startswith(f"postgresql+psycopg://me:***@127.0.0.1:{free_port}/db: connection failed: ")
    assert said.endswith("Connection refused; check the URL, and that the server runs and lets you in")


def test_a_host_that_is_nowhere() -> None:
    pytest.importorskip("psycopg")
    said = refusal("postgresql+psycopg://me:secret@nowhere.invalid/db")
    assert said.startswith("postgresql+psycopg://me:***@nowhere.invalid/db: ")
    assert said.endswith("; check the URL, and that the server runs and lets you in")


def test_a_wrong_password(server: Any) -> None:
    place = f"postgresql+psycopg://guarded:opensesame@127.0.0.1:{server.port}/kept"
    said = refusal(place)
    assert 'password authentication failed for user "guarded"; check the URL' in said
    assert "sesame" not in said


def test_the_right_password(server: Any) -> None:
    engine = db.open_engine(f"postgresql://guarded:sesame@127.0.0.1:{server.port}/postgres")
    assert db.room_versions(engine) == {}
    engine.dispose()


def test_a_database_that_is_not_there(server: Any) -> None:
    assert refusal(server.url("nowhere")).endswith('database "nowhere" does not exist; make it first: createdb NAME')


def test_a_user_who_may_not_make_tables(server: Any, new_place: str) -> None:
    place = new_place.replace("postgres@", "guarded:sesame@")
    assert "no permission (permission denied for schema public); the owner of the database may GRANT it" in refusal(
        place
    )


def test_a_database_that_is_no_store_is_refused_for_reading_and_left_empty(new_place: str, server: Any) -> None:
    assert refusal(new_place, create=False).endswith("no store in there yet; `toolmend run` makes one")
    assert server.run(TABLES, name(new_place)) == [(0,)]


def test_a_database_of_another_encoding_is_refused_untouched(server: Any) -> None:
    with server.database("template0", "SQL_ASCII") as place:
        assert "its encoding is SQL_ASCII; a store needs UTF8: createdb -E UTF8" in refusal(place)
        assert server.run(TABLES, name(place)) == [(0,)]


def test_a_newer_store_is_refused_untouched(place: str, server: Any) -> None:
    server.run("UPDATE schema_versions SET version = 999", name(place))
    assert refusal(place).endswith("written by a newer toolmend (store version 999, known here: 3); upgrade toolmend")
    assert server.run("SELECT version FROM schema_versions", name(place)) == [(999,)]


def test_tables_that_were_tampered_with_are_one_line(place: str, server: Any) -> None:
    with Store(place) as store:
        run = store.open_run(RunConfig("calendar"))
        server.run("DROP TABLE samples CASCADE", name(place))
        for use in (lambda: store.counts(run), lambda: store.commit(run, Sample("a", "m", "s"))):
            with pytest.raises(BadFile, match=r'not as toolmend made them \(relation "samples" does not exist\)'):
                use()


def test_other_tables_beside_the_stores_are_left_alone(new_place: str, server: Any) -> None:
    server.run("CREATE TABLE bookmarks (url TEXT)", name(new_place))
    Store(new_place).close()
    assert server.run("SELECT count(*) FROM bookmarks", name(new_place)) == [(0,)]


# -- migrations ------------------------------------------------------------------------------------------------------


def test_threads_that_open_a_new_database_at_once_migrate_once(new_place: str) -> None:
    made: list[int] = []
    failures: list[BaseException] = []

    def work() -> None:
        try:
            engine = db.open_engine(new_place)
            db.migrate(engine, ROOM, [*MIGRATIONS, lambda connection: made.append(1)])
            engine.dispose()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (failures, made) == ([], [1])


def test_a_failing_migration_leaves_the_version_before_it(new_place: str, server: Any) -> None:
    def fail_half_way(connection: Any) -> None:
        connection.exec_driver_sql("CREATE TABLE half (a TEXT)")
        raise RuntimeError("half way")

    engine = db.open_engine(new_place)
    with pytest.raises(RuntimeError, match="half way"):
        db.migrate(engine, ROOM, [MIGRATIONS[0], fail_half_way])
    assert db.room_versions(engine) == {ROOM: 1}
    assert server.run("SELECT to_regclass('half')", name(new_place)) == [(None,)]
    engine.dispose()


# -- at once, and not at all -----------------------------------------------------------------------------------------


def cut(server: Any, place: str) -> None:
    """End every connection to a database, as a server that restarts does."""
    server.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name(place)}'")


def test_a_connection_lost_between_two_commits_is_not_noticed(place: str, server: Any) -> None:
    with Store(place) as store:
        run = store.open_run(RunConfig("calendar"))
        assert store.commit(run, Sample("a", "m", "s"))
        cut(server, place)
        assert store.commit(run, Sample("b", "m", "s"))
        assert store.counts(run) == {"ok": 2, "error": 0}


def test_a_connection_lost_inside_a_transaction_undoes_it(place: str, server: Any) -> None:
    with Store(place) as store:
        run = store.open_run(RunConfig("calendar"))
        lost = r"the connection was lost \(.*\); give the same command again, it goes on$"
        with pytest.raises(BadFile, match=lost), db.writing(store.engine) as connection:
            connection.exec_driver_sql("UPDATE runs SET status = 'spoilt'")
            cut(server, place)
            connection.exec_driver_sql("SELECT 1")
        assert store.run(run).status == "open"


def test_a_connection_dropped_while_idle_is_not_noticed_by_who_reads(place: str, server: Any) -> None:
    with Store(place) as store:
        run = store.open_run(RunConfig("calendar"))
        cut(server, place)
        assert store.counts(run) == {"ok": 0, "error": 0}


def test_a_writer_that_waits_too_long_says_so(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusals, "BUSY_SECONDS", 0.05)
    with Store(place) as store, Store(place) as other:
        run = store.open_run(RunConfig("calendar"))
        sample = Sample("a", "m", "s")
        with db.writing(store.engine) as connection:
            connection.execute(store._put, store_values(run, sample))
            with pytest.raises(BadFile, match="another process has been writing"):
                other.commit(run, sample)
        assert not other.commit(run, sample)


def store_values(run: str, sample: Sample) -> dict[str, Any]:
    """The row of a sample, for a transaction that is held open."""
    from toolmend.evals.store.rows import sample_values

    return sample_values(run, sample)


def test_who_reads_while_another_writes_neither_waits_nor_sees_it(place: str) -> None:
    with Store(place) as store:
        run = store.open_run(RunConfig("calendar"))
        with db.writing(store.engine) as connection:
            connection.execute(store._put, store_values(run, Sample("a", "m", "s")))
            assert store.counts(run) == {"ok": 0, "error": 0}
        assert store.counts(run) == {"ok": 1, "error": 0}


def test_several_reads_of_one_transaction_see_the_same(place: str) -> None:
    import sqlalchemy as sa

    count = sa.text("SELECT count(*) FROM samples")
    with Store(place) as store:
        run = store.open_run(RunConfig("calendar"))
        with db.reading(store.engine) as connection:
            before = connection.execute(count).scalar()
            store.commit(run, Sample("a", "m", "s"))
            assert connection.execute(count).scalar() == before == 0
