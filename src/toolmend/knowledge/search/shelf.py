"""The passages of a library as an index has them: stems for full text, vectors, and which embedder made those.

A chunk that goes takes its rows along; one that came gets them here, some at a time, each time in one transaction. So
the index never holds what the library does not, and what it lacks it knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from toolmend import db
from toolmend.errors import BadFile, BadOption
from toolmend.knowledge import tables
from toolmend.knowledge.library import Library
from toolmend.knowledge.search.embedder import Embedder, Vectors
from toolmend.knowledge.search.migrations import MIGRATIONS, ROOM
from toolmend.knowledge.search.words import stems
from toolmend.knowledge.source import Source

_LOCK = 0x746F  # of writers of an index, among the advisory locks of a PostgreSQL database
_BATCH = 256
_AGAIN = "`toolmend know index --embedder NAME --again` makes all vectors anew"


@dataclass(frozen=True)
class Place:
    """Where a passage is: the number of its row, its source and its position there."""

    id: int
    source: str
    position: int


class Shelf:
    """The index of a library; its tables are made on opening."""

    def __init__(self, library: Library, embedder: Embedder) -> None:
        self.library, self.embedder = library, embedder
        self._engine = library.engine
        db.migrate(self._engine, ROOM, MIGRATIONS)

    @property
    def engine(self) -> sa.Engine:
        """The database."""
        return self._engine

    def update(self) -> Iterator[int]:
        """Index every chunk that is not; how many were done, after each transaction.

        Raises BadOption where the vectors there are another embedder's.
        """
        self._check()
        while pending := self._pending():
            texts = [(source, position, title, heading, body) for source, position, title, heading, body in pending]
            rows = self.embedder.embed([_together(*each[2:]) for each in texts])
            with db.writing(self._engine) as connection:
                self._lock(connection)
                self._claim(connection, rows.shape[1])
                fresh = [
                    _kept(connection, each, row)
                    for each, row in zip(texts, rows, strict=True)
                    if _is_there(connection, each[0], each[1], each[4])
                ]
            yield sum(fresh)

    def clear(self) -> None:
        """Drop the whole index, its embedder's name included; the library stays as it is."""
        with db.writing(self._engine) as connection:
            self._lock(connection)
            for table in ("passages", "passage_embedder"):
                connection.exec_driver_sql(f"DELETE FROM {table}")

    def state(self) -> tuple[int, int]:
        """Passages and the greatest number among them: together they tell one state from every other."""
        with db.reading(self._engine) as connection:
            found = connection.exec_driver_sql("SELECT count(*), coalesce(max(id), 0) FROM passages").one()
        return int(found[0]), int(found[1])

    def made_by(self) -> tuple[str, int] | None:
        """Name and dimension of the embedder whose vectors are here, None where there are none."""
        with db.reading(self._engine) as connection:
            return _made_by(connection)

    def vectors(self) -> tuple[NDArray[np.int64], Vectors]:
        """The numbers of all passages, rising, and their vectors as one matrix."""
        made = self.made_by()
        with db.reading(self._engine) as connection:
            rows = connection.exec_driver_sql("SELECT passage, vector FROM passage_vectors ORDER BY passage").all()
        width = made[1] if made else 0
        if any(len(row[1]) != 4 * width for row in rows):
            raise BadFile(self.library.place, f"a vector is not of {width} numbers; {_AGAIN}")
        matrix = np.frombuffer(b"".join(row[1] for row in rows), dtype="<f4").reshape(len(rows), width)
        return np.array([row[0] for row in rows], dtype=np.int64), matrix.astype(np.float32, copy=False)

    def places(self, ids: list[int]) -> dict[int, Place]:
        """Where the passages with these numbers are."""
        which = sa.text("SELECT id, source, position FROM passages WHERE id IN :ids")
        with db.reading(self._engine) as connection:
            rows = connection.execute(which.bindparams(sa.bindparam("ids", ids, expanding=True)))
            return {row[0]: Place(row[0], row[1], row[2]) for row in rows}

    def ids_of(self, sources: list[str]) -> list[int]:
        """The numbers of the passages of these sources, rising."""
        which = sa.text("SELECT id FROM passages WHERE source IN :sources ORDER BY id")
        with db.reading(self._engine) as connection:
            rows = connection.execute(which.bindparams(sa.bindparam("sources", sources, expanding=True)))
            return [row[0] for row in rows]

    def _check(self) -> None:
        made = self.made_by()
        if made and made[0] != self.embedder.name:
            raise BadOption(
                f"{self.library.place}: its vectors are by {made[0]} ({made[1]} numbers), asked is {self.embedder.name}; "
                f"vectors of two embedders do not mix: {_AGAIN}"
            )

    def _claim(self, connection: Connection, width: int) -> None:
        """Write down whose vectors these are, or see that it is said already."""
        made = _made_by(connection)
        if made is None:
            insert = sa.text("INSERT INTO passage_embedder (only, name, dimension) VALUES (1, :name, :width)")
            connection.execute(insert, {"name": self.embedder.name, "width": width})
        elif made != (self.embedder.name, width):
            raise BadOption(
                f"{self.library.place}: its vectors are by {made[0]} ({made[1]} numbers), these by "
                f"{self.embedder.name} ({width} numbers); vectors of two embedders do not mix: {_AGAIN}"
            )

    def _lock(self, connection: Connection) -> None:
        if connection.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))

    def _pending(self) -> list[tuple[str, int, str, str, str]]:
        """Some chunks without a row: source, position, title, heading, text."""
        rows = tables.chunks.c
        missing = sa.text(
            'SELECT c.source, c.position, c.start, c."end", c.heading FROM chunks c '
            "LEFT JOIN passages p ON p.source = c.source AND p.position = c.position "
            f"WHERE p.id IS NULL ORDER BY c.source, c.position LIMIT {_BATCH}"
        ).columns(rows.source, rows.position, rows.start, rows.end, rows.heading)
        with db.reading(self._engine) as connection:
            found = connection.execute(missing).all()
        sources: dict[str, Source] = {}
        made = []
        for source, position, start, end, heading in found:
            if source not in sources:
                sources[source] = self.library.source(source)
            kept = sources[source]
            made.append((source, position, kept.title, heading, kept.text[start:end]))
        return made


def _together(title: str, heading: str, body: str) -> str:
    """What the embedder reads: the passage under its title and headings."""
    above = heading if heading.startswith(title) else " › ".join(filter(None, [title, heading]))
    return f"{above}\n{body}" if above else body


def _made_by(connection: Connection) -> tuple[str, int] | None:
    row = connection.exec_driver_sql("SELECT name, dimension FROM passage_embedder").first()
    return (row[0], row[1]) if row else None


def _is_there(connection: Connection, source: str, position: int, body: str) -> bool:
    """Whether the chunk is still there, of the same length, and without a row: it was read in another transaction."""
    which = sa.text(
        'SELECT c."end" - c.start, p.id FROM chunks c LEFT JOIN passages p '
        "ON p.source = c.source AND p.position = c.position WHERE c.source = :source AND c.position = :position"
    )
    row = connection.execute(which, {"source": source, "position": position}).first()
    return row is not None and row[1] is None and row[0] == len(body)


def _kept(connection: Connection, passage: tuple[str, int, str, str, str], vector: Any) -> int:
    source, position, title, heading, body = passage
    said = {"title": _stemmed(title), "heading": _stemmed(heading), "body": _stemmed(body)}
    place = {"source": source, "position": position}
    if connection.dialect.name == "sqlite":
        made = sa.text("INSERT INTO passages (source, position) VALUES (:source, :position) RETURNING id")
        number = connection.execute(made, place).scalar_one()
        words = sa.text("INSERT INTO passage_words (rowid, title, heading, body) VALUES (:id, :title, :heading, :body)")
        connection.execute(words, {"id": number, **said})
    else:
        made = sa.text(
            "INSERT INTO passages (source, position, title, heading, body, words) VALUES (:source, :position, :title, "
            ":heading, :body, setweight(array_to_tsvector(:t), 'A') || setweight(array_to_tsvector(:h), 'B') || "
            "to_tsvector('simple', :body)) RETURNING id"
        )
        lists = {"t": _distinct(said["title"]), "h": _distinct(said["heading"])}
        number = connection.execute(made, {**place, **said, **lists}).scalar_one()
    bytes_ = np.asarray(vector, dtype="<f4").tobytes()
    insert = sa.text("INSERT INTO passage_vectors (passage, vector) VALUES (:id, :vector)")
    connection.execute(insert, {"id": number, "vector": bytes_})
    return 1


def _stemmed(text: str) -> str:
    return " ".join(stems(text)).replace("\0", " ")


def _distinct(text: str) -> list[str]:
    return sorted(set(text.split()))
