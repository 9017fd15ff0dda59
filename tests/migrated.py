"""The tables of a room as its migrations make them, and as its tables.py declares them, for a test to compare."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sqlalchemy as sa

from toolmend.base import db

Shape = dict[str, object]


def both_ways(place: str | Path, room: str, migrations: Any, metadata: sa.MetaData) -> tuple[Shape, Shape]:
    """Columns, foreign keys and names of indexes of every table at a new place: migrated, and declared."""
    engine = db.open_engine(place)
    db.migrate(engine, room, migrations)
    migrated = _shape(engine, metadata)
    with engine.begin() as connection:
        metadata.drop_all(connection)
        metadata.create_all(connection)
    declared = _shape(engine, metadata)
    engine.dispose()
    return migrated, declared


def _shape(engine: sa.Engine, metadata: sa.MetaData) -> Shape:
    found = sa.inspect(engine)
    return {
        name: (
            [(c["name"], str(c["type"]), c["nullable"]) for c in found.get_columns(name)],
            found.get_foreign_keys(name),
            sorted(str(index["name"]) for index in found.get_indexes(name)),
        )
        for name in sorted(metadata.tables)
    }
