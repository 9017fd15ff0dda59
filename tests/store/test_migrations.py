"""Every past version of the store opens, becomes the present one, and has lost nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import sqlalchemy as sa

from toolmend import db
from toolmend.events import Corrected, Refused, Undone
from toolmend.mistakes import Mark
from toolmend.store import Sample, Store, tables
from toolmend.store.migrations import MIGRATIONS, ROOM

FIXTURES = Path(__file__).parent / "fixtures"
VERSIONS = [1]


@pytest.fixture(params=VERSIONS)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of the store that version N left."""
    return Path(shutil.copy(FIXTURES / f"store_v{request.param}.db", tmp_path / "old.db"))


def shape(engine: sa.Engine) -> dict[str, object]:
    """Columns, keys and indexes of every table, as the database tells them."""
    inspector = sa.inspect(engine)
    with engine.connect() as connection:
        indexes = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'index'").all()
    found: dict[str, object] = {name: " ".join((sql or "").split()) for name, sql in indexes}
    for table in tables.metadata.tables:
        columns = [(c["name"], str(c["type"]), c["nullable"]) for c in inspector.get_columns(table)]
        primary = inspector.get_pk_constraint(table)
        found[table] = [columns, primary, inspector.get_foreign_keys(table), inspector.get_unique_constraints(table)]
    return found


def test_there_is_a_fixture_of_every_version() -> None:
    assert list(range(1, len(MIGRATIONS) + 1)) == VERSIONS


def test_the_migrations_end_in_the_tables_as_they_are(tmp_path: Path) -> None:
    migrated, made = db.open_engine(tmp_path / "migrated.db"), db.open_engine(tmp_path / "made.db")
    db.migrate(migrated, ROOM, MIGRATIONS)
    db.migrate(made, ROOM, [tables.metadata.create_all])
    assert shape(migrated) == shape(made)
    migrated.dispose()
    made.dispose()


def test_old_runs_are_there(old: Path) -> None:
    with Store(old) as store:
        assert [(run.config.suite, run.status) for run in store.runs()] == [
            ("recap", "errors"),
            ("calendar", "finished"),
        ]
        config = store.runs("calendar")[0].config
        assert (config.contestants[0].options, config.settings) == ({"max_tokens": 64}, {"corrections": 3})
        assert db.room_versions(db.open_engine(old)) == {ROOM: len(MIGRATIONS)}


def test_old_samples_are_there_with_every_event(old: Path) -> None:
    with Store(old) as store:
        concert, lunch = store.samples(store.runs("calendar")[0].id)
        assert concert.key == "concert|builtin/small|oneline|1|corrected"
        assert (concert.seed, concert.started, concert.seconds) == (7, "2024-11-11T17:00:00.000000Z", 0.75)
        kinds = " ".join(type(event).__name__ for event in concert.events)
        assert kinds == ("Asked Replied Read Called Marked Asked Corrected Undone Replied Read Refused Marked Finished")
        correction, undone, refused = (concert.events[index] for index in (6, 7, 10))
        assert isinstance(correction, Corrected) and str(correction.correction.mistake) == "wrong_value(time)"
        assert isinstance(undone, Undone) and undone.call_ids == ("c1",)
        assert isinstance(refused, Refused) and refused.call.amends == "c1"
        assert lunch.events[1].text == "Sure! 🥦"  # type: ignore[union-attr]


def test_old_replies_are_there_and_can_be_derived_anew(old: Path) -> None:
    with Store(old) as store:
        run = store.runs("calendar")[0].id
        before = list(store.replies(run))
        assert [reply.marks for reply in before] == [(Mark.MISTAKE,), (Mark.FIXED,), (Mark.GARBAGE, Mark.GARBAGE)]
        assert [(reply.level, reply.named) for reply in before] == [(None, ""), (2, "wrong_value(time)"), (None, "")]
        store.rebuild()
        assert list(store.replies(run)) == before


def test_an_old_run_goes_on(old: Path) -> None:
    with Store(old) as store:
        recap = store.runs("recap")[0]
        assert store.open_run(recap.config) == recap.id
        assert store.commit(recap.id, Sample("recap", "builtin/small", "oneline"))
        assert store.finish(recap.id).status == "finished"
