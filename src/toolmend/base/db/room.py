"""A room in a database: its tables, brought up to date on opening."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Self

from toolmend.base.db.engine import open_engine, place
from toolmend.base.db.migrate import Migration, migrate, room_versions
from toolmend.base.errors import BadFile


class DatabaseRoom:
    """The tables of a name at a path or URL, made or migrated on opening; a context manager.

    `engine` is the database, for rooms that keep tables beside these. Raises BadFile for a place that cannot be used;
    with `create=False` and a text for `absent`, also, in its words, for a database without the room.
    """

    def __init__(
        self,
        at: str | os.PathLike[str],
        name: str,
        migrations: Sequence[Migration],
        *,
        create: bool = True,
        absent: str = "",
    ) -> None:
        self.engine = open_engine(at, create=create)
        self.place = place(self.engine)
        try:
            if absent and not create and name not in room_versions(self.engine):
                raise BadFile(self.place, absent)
            migrate(self.engine, name, migrations)
        except BaseException:
            self.engine.dispose()
            raise

    def close(self) -> None:
        """Give back every connection."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        """The room itself."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close."""
        self.close()
