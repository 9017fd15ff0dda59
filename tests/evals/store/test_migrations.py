"""Every past version of the store opens, becomes the present one, and has lost nothing, on SQLite and PostgreSQL."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from toolmend.base import db
from toolmend.base.events import Corrected, Refused, Replied, Undone
from toolmend.base.messages import Call, Reply, Usage, Wire
from toolmend.evals.store import Sample, Store, tables
from toolmend.evals.store.migrations import MIGRATIONS, ROOM

FIXTURES = Path(__file__).parent / "fixtures"
VERSIONS = [1, 2, 3]
UNUSED = ("replies_pkey", "sqlite_autoindex_replies_1")  # of a table that nothing reads or writes now
TABLES = ("runs", "samples", "replies", "exchanges", "cached_replies", "reports", "counted")


@pytest.fixture(params=VERSIONS)
def version(request: pytest.FixtureRequest) -> int:
    """Which past version."""
    return int(request.param)


@pytest.fixture
def old(kind: str, version: int, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The store that this version left: a copy of the file, or its rows in tables that its own migrations made."""
    file = FIXTURES / f"store_v{version}.db"
    if kind == "sqlite":
        yield shutil.copy(file, str(tmp_path / "old.db"))
        return
    with request.getfixturevalue("server").database() as url:
        engine = db.open_engine(url)
        db.migrate(engine, ROOM, MIGRATIONS[:version])
        copy_rows(Path(shutil.copy(file, tmp_path / "old.db")), engine)
        engine.dispose()
        yield url


def copy_rows(file: Path, engine: sa.Engine) -> None:
    """Every row of a SQLite store, into the same tables elsewhere."""
    metadata = sa.MetaData()
    metadata.reflect(engine)
    with closing(sqlite3.connect(file)) as source, engine.begin() as connection:
        source.row_factory = sqlite3.Row
        for name in TABLES:
            if name in metadata.tables:
                table = metadata.tables[name]
                rows = [dict(row) for row in source.execute(f"SELECT * FROM {name}")]
                for row in rows:
                    if isinstance(row.get("valid_call"), int):
                        row["valid_call"] = bool(row["valid_call"])
                connection.execute(sa.insert(table), rows)
        connection.exec_driver_sql("SELECT setval('samples_id_seq', (SELECT max(id) FROM samples))")


def shape(engine: sa.Engine) -> dict[str, object]:
    """Columns, keys and indexes of every table, as the database tells them."""
    inspector = sa.inspect(engine)
    indexes = "SELECT name, sql FROM sqlite_master WHERE type = 'index'"
    if engine.dialect.name == "postgresql":
        indexes = "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'"
    with engine.connect() as connection:
        found: dict[str, object] = {
            name: " ".join((sql or "").split()) for name, sql in connection.exec_driver_sql(indexes)
        }
    for table in tables.metadata.tables:
        columns = [(c["name"], str(c["type"]), c["nullable"]) for c in inspector.get_columns(table)]
        primary = inspector.get_pk_constraint(table)
        found[table] = [columns, primary, inspector.get_foreign_keys(table), inspector.get_unique_constraints(table)]
    return {name: each for name, each in found.items() if name not in UNUSED}


def test_there_is_a_fixture_of_every_version() -> None:
    assert list(range(1, len(MIGRATIONS) + 1)) == VERSIONS


def test_the_migrations_end_in_the_tables_as_they_are(
    new_place: str, request: pytest.FixtureRequest, kind: str
) -> None:
    migrated = db.open_engine(new_place)
    db.migrate(migrated, ROOM, MIGRATIONS)
    found = shape(migrated)
    if kind == "sqlite":
        made = db.open_engine(f"{new_place}.made")
    else:
        with migrated.begin() as connection:
            connection.exec_driver_sql("DROP SCHEMA public CASCADE")
            connection.exec_driver_sql("CREATE SCHEMA public")
        made = migrated
    db.migrate(made, ROOM, [tables.metadata.create_all])
    assert found == shape(made)
    migrated.dispose()
    made.dispose()


def test_old_runs_are_there(old: str) -> None:
    with Store(old) as store:
        assert [(run.config.suite, run.status) for run in store.runs()] == [
            ("recap", "errors"),
            ("calendar", "finished"),
        ]
        config = store.runs("calendar")[0].config
        assert (config.contestants[0].options, config.settings) == ({"max_tokens": 64}, {"corrections": 3})
        assert db.room_versions(store.engine) == {ROOM: len(MIGRATIONS)}


def test_old_samples_are_there_with_every_event(old: str) -> None:
    with Store(old) as store:
        concert, lunch, *_ = store.samples(store.runs("calendar")[0].id)
        assert concert.key == "concert|builtin/small|oneline|1|corrected"
        assert (concert.seed, concert.started, concert.seconds) == (7, "2024-11-11T17:00:00.000000Z", 0.75)
        kinds = " ".join(type(event).__name__ for event in concert.events)
        assert kinds == ("Asked Replied Read Called Marked Asked Corrected Undone Replied Read Refused Marked Finished")
        correction, undone, refused = (concert.events[index] for index in (6, 7, 10))
        assert isinstance(correction, Corrected) and str(correction.correction.mistake) == "wrong_value(time)"
        assert isinstance(undone, Undone) and undone.call_ids == ("c1",)
        assert isinstance(refused, Refused) and refused.call.amends == "c1"
        assert lunch.events[1].text == "Sure! 🥦"  # type: ignore[union-attr]


def test_an_old_run_goes_on(old: str) -> None:
    with Store(old) as store:
        recap = store.runs("recap")[0]
        assert store.open_run(recap.config) == recap.id
        assert store.commit(recap.id, Sample("recap", "builtin/small", "oneline"))
        assert store.finish(recap.id).status == "finished"


@pytest.mark.parametrize("version", [3], indirect=True)
def test_what_version_3_brought_is_there(old: str) -> None:
    with Store(old) as store:
        counted = store.counted(store.runs("calendar")[0].id, "code")
        assert list(counted) == [[(1, '["builtin/small","oneline","concert",null]', b"12345678")]]


@pytest.mark.parametrize("version", [2], indirect=True)
def test_what_version_2_brought_is_there(old: str) -> None:
    wire = Wire(
        '{"model": "m", "messages": [{"role": "user", "content": "Add lunch 🥦"}]}', '{"text": "add(\'Lunch\')"}'
    )
    calls = (Call("action.add_calendar_entry", {"title": "Lunch"}, "c1"),)
    reply = Reply("Done.", calls, "because", Usage(90, 9, 0.5), "length", "m", True, ("seed: 7 asked",), wire)
    with Store(old) as store:
        run = store.runs("calendar")[0].id
        *_, sample = store.samples(run)
        assert isinstance(sample.events[1], Replied)
        assert store.exchange(sample.events[1].exchange) == wire
        assert store.cached_reply("whole request") == reply
        assert store.kept_report(run, "made by") == {"schema": 1, "value": 0.5, "text": "🥦"}
