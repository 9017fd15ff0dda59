"""The passages of a library as an index has them: stems and full text over them, vectors, and which embedder
made those.

A chunk that goes takes its rows along by cascade; one that came gets them here, some at a time, each time in one
transaction. So the index never holds what the library does not, and what it lacks it knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from toolmend.base import db
from toolmend.base.errors import BadFile
from toolmend.extras.knowledge.chunks import Chunk
from toolmend.extras.knowledge.library import Library
from toolmend.extras.knowledge.search.embedder import Embedder, Vectors
from toolmend.extras.knowledge.search.words import stems

_LOCK = 0x746F  # of writers of an index, among the advisory locks of a PostgreSQL database
_BATCH = 256
_WEIGHTS = "2.0, 1.5, 1.0"  # of title, headings and text
_PASSAGES = """
CREATE TABLE passages (
    id {number}, source TEXT NOT NULL, position INTEGER NOT NULL, {words} UNIQUE (source, position),
    FOREIGN KEY (source, position) REFERENCES chunks (source, position) ON DELETE CASCADE)
"""
_VECTORS = """
CREATE TABLE passage_vectors (
    passage {number} PRIMARY KEY REFERENCES passages (id) ON DELETE CASCADE, vector {blob} NOT NULL)
"""
_EMBEDDER = """
CREATE TABLE passage_embedder (id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL, dimension INTEGER NOT NULL)
"""


def m001_passages_words_vectors(connection: Connection) -> None:
    """Passages with their stems for full text, their vectors, and which embedder made those."""
    run = connection.exec_driver_sql
    if connection.dialect.name == "sqlite":
        # AUTOINCREMENT: a number is never given twice, so that count and greatest tell one state from another.
        run(_PASSAGES.format(number="INTEGER PRIMARY KEY AUTOINCREMENT", words=""))
        run("CREATE VIRTUAL TABLE passage_words USING fts5 (title, heading, body, tokenize = 'unicode61')")
        run("CREATE VIRTUAL TABLE passage_vocabulary USING fts5vocab (passage_words, 'row')")
        run(
            "CREATE TRIGGER passages_gone AFTER DELETE ON passages "
            "BEGIN DELETE FROM passage_words WHERE rowid = old.id; END"
        )
        run(_VECTORS.format(number="INTEGER", blob="BLOB"))
    else:
        number = "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
        texts = "title TEXT NOT NULL, heading TEXT NOT NULL, body TEXT NOT NULL, words TSVECTOR NOT NULL,"
        run(_PASSAGES.format(number=number, words=texts))
        run("CREATE INDEX passages_by_word ON passages USING gin (words)")
        run(_VECTORS.format(number="BIGINT", blob="BYTEA"))
    run(_EMBEDDER)


def m002_vectors_are_bytes(connection: Connection) -> None:
    """On PostgreSQL vectors were pgvector's where the server had it; they are derived, and made anew as bytes."""
    if connection.dialect.name == "sqlite":
        return
    run = connection.exec_driver_sql
    kind = (
        "SELECT atttypid::regtype::text FROM pg_attribute WHERE attrelid = 'passage_vectors'::regclass AND attname = "
    )
    if run(f"{kind}'vector'").scalar() != "bytea":
        run("TRUNCATE passages, passage_vectors, passage_embedder")
        run("ALTER TABLE passage_vectors DROP COLUMN vector, ADD COLUMN vector BYTEA NOT NULL")


MIGRATIONS: list[db.Migration] = [m001_passages_words_vectors, m002_vectors_are_bytes]
"""How the tables came to be. A step that was released is never edited: add another one."""


@dataclass(frozen=True)
class Stems:
    """The stems of a passage as they are in the index, in order."""

    title: tuple[str, ...]
    heading: tuple[str, ...]
    body: tuple[str, ...]


class Shelf:
    """The index of a library; its tables are made on opening."""

    def __init__(self, library: Library, embedder: Embedder) -> None:
        self.library, self.embedder = library, embedder
        self.engine = library.engine
        self._lite = self.engine.dialect.name == "sqlite"
        db.migrate(self.engine, "search", MIGRATIONS)

    def update(self) -> Iterator[int]:
        """Index every chunk that is not; how many were done, after each transaction."""
        self._claim()
        while pending := self._pending():
            rows = self.embedder.embed([_together(chunk) for chunk in pending])
            with db.writing(self.engine) as connection:
                self._lock(connection)
                fresh = [pair for pair in zip(pending, rows, strict=True) if _is_due(connection, pair[0])]
                for passage, row in fresh:
                    _keep(connection, passage, row.astype("<f4").tobytes())
            yield len(fresh)

    def stamp(self) -> tuple[int, int, int]:
        """The greatest numbers in the library's history and among the passages, and how many facts from outside.

        Nothing here or in the library changes without one of them; to read them costs nothing.
        """
        query = (
            "SELECT (SELECT coalesce(max(id), 0) FROM library_history), (SELECT coalesce(max(id), 0) FROM passages), "
            "(SELECT count(*) FROM outside)"
        )
        with db.reading(self.engine) as connection:
            row = connection.exec_driver_sql(query).one()
        return int(row[0]), int(row[1]), int(row[2])

    def vectors(self) -> tuple[NDArray[np.int64], Vectors]:
        """The numbers of all passages, rising, and their vectors as one matrix."""
        with db.reading(self.engine) as connection:
            rows = connection.exec_driver_sql("SELECT passage, vector FROM passage_vectors ORDER BY passage").all()
        width = len(rows[0][1]) // 4 if rows else 0
        if any(len(row[1]) != 4 * width for row in rows):
            raise BadFile(self.library.place, "its index is damaged; without the rows of `passages` it is made anew")
        matrix = np.frombuffer(b"".join(row[1] for row in rows), dtype="<f4").reshape(len(rows), width)
        return np.array([row[0] for row in rows], dtype=np.int64), matrix.astype(np.float32, copy=False)

    def chunks(self, ids: list[int]) -> dict[int, Chunk]:
        """The chunks of the passages with these numbers."""
        which = sa.text(
            'SELECT p.id, c.source, c.position, c.start, c."end", c.heading, c.seconds FROM passages p '
            "JOIN chunks c ON c.source = p.source AND c.position = p.position WHERE p.id IN :ids"
        )
        with db.reading(self.engine) as connection:
            rows = connection.execute(which.bindparams(sa.bindparam("ids", ids, expanding=True)))
            return {row[0]: Chunk(*row[1:]) for row in rows}

    def worded(self, words: Sequence[str], k: int) -> list[int]:
        """The numbers of the `k` best passages that hold any of the stems, the best first.

        By BM25 of SQLite's FTS5, on PostgreSQL by its own full text rank. Rare stems weigh more, and a title's more.
        """
        if not words or k < 1:
            return []
        if self._lite:
            query = (
                "SELECT rowid FROM passage_words WHERE passage_words MATCH :words "
                f"ORDER BY bm25(passage_words, {_WEIGHTS}), rowid LIMIT :k"
            )
            said = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
        else:
            query = (
                "SELECT id FROM passages, CAST(:words AS tsquery) q WHERE words @@ q "
                "ORDER BY ts_rank(words, q, 1) DESC, id LIMIT :k"
            )
            said = " | ".join(f"'{word}'" for word in dict.fromkeys(words))
        with db.reading(self.engine) as connection:
            return list(connection.execute(sa.text(query), {"words": said, "k": k}).scalars())

    def counts(self, words: Sequence[str]) -> dict[str, int]:
        """In how many passages each stem stands."""
        found = dict.fromkeys(words, 0)
        with db.reading(self.engine) as connection:
            if self._lite:
                query = sa.text("SELECT term, doc FROM passage_vocabulary WHERE term IN :terms")
                terms: sa.BindParameter[list[str]] = sa.bindparam("terms", list(found), expanding=True)
                found |= {row[0]: row[1] for row in connection.execute(query.bindparams(terms))}
            else:
                one = sa.text("SELECT count(*) FROM passages WHERE words @@ CAST(:word AS tsquery)")
                for word in found:
                    found[word] = int(connection.execute(one, {"word": f"'{word}'"}).scalar_one())
        return found

    def stems(self, ids: Sequence[int]) -> dict[int, Stems]:
        """The stems of these passages."""
        table, number = ("passage_words", "rowid") if self._lite else ("passages", "id")
        query = sa.text(f"SELECT {number}, title, heading, body FROM {table} WHERE {number} IN :ids")
        with db.reading(self.engine) as connection:
            rows = connection.execute(query.bindparams(sa.bindparam("ids", list(ids), expanding=True)))
            return {row[0]: Stems(*(tuple(part.split()) for part in row[1:])) for row in rows}

    def _claim(self) -> None:
        """See that the vectors are by this embedder: another's do not mix with them, and are made anew."""
        with db.reading(self.engine) as connection:
            if self._is_ours(connection):
                return
        with db.writing(self.engine) as connection:
            self._lock(connection)
            if not self._is_ours(connection):  # by now
                for table in ("passages", "passage_embedder"):
                    connection.exec_driver_sql(f"DELETE FROM {table}")
                insert = sa.text("INSERT INTO passage_embedder (id, name, dimension) VALUES (1, :name, :width)")
                width = self.embedder.embed([""]).shape[1]
                connection.execute(insert, {"name": self.embedder.name, "width": width})

    def _is_ours(self, connection: Connection) -> bool:
        return connection.exec_driver_sql("SELECT name FROM passage_embedder").scalar() == self.embedder.name

    def _lock(self, connection: Connection) -> None:
        if connection.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))

    def _pending(self) -> list[_Passage]:
        """Some chunks without a row."""
        missing = sa.text(
            'SELECT c.source, s.revision, c.position, c.start, c."end", c.heading FROM chunks c '
            "JOIN sources s ON s.id = c.source "
            "LEFT JOIN passages p ON p.source = c.source AND p.position = c.position "
            f"WHERE p.id IS NULL ORDER BY c.source, c.position LIMIT {_BATCH}"
        )
        with db.reading(self.engine) as connection:
            found = connection.execute(missing).all()
        states = {(row.source, row.revision) for row in found}
        sources = {state: self.library.source(*state) for state in states}
        return [
            _Passage(row.source, row.revision, row.position, kept.title, row.heading, kept.text[row.start : row.end])
            for row in found
            for kept in [sources[row.source, row.revision]]
        ]


@dataclass(frozen=True)
class _Passage:
    """A chunk with its words, of one state of its source."""

    source: str
    revision: int
    position: int
    title: str
    heading: str
    body: str


def _together(passage: _Passage) -> str:
    """What the embedder reads: the passage under its title and headings."""
    title, heading = passage.title, passage.heading
    above = heading if heading.startswith(title) else " › ".join(filter(None, [title, heading]))
    return f"{above}\n{passage.body}" if above else passage.body


def _is_due(connection: Connection, passage: _Passage) -> bool:
    """Whether the chunk is still there, in that state and without a row: it was read in another transaction."""
    which = sa.text(
        "SELECT s.revision, p.id FROM chunks c JOIN sources s ON s.id = c.source LEFT JOIN passages p "
        "ON p.source = c.source AND p.position = c.position WHERE c.source = :source AND c.position = :position"
    )
    row = connection.execute(which, {"source": passage.source, "position": passage.position}).first()
    return row is not None and (row[0], row[1]) == (passage.revision, None)


def _keep(connection: Connection, passage: _Passage, vector: bytes) -> None:
    """Write a passage's rows."""
    said = {name: " ".join(stems(getattr(passage, name))) for name in ("title", "heading", "body")}
    place = {"source": passage.source, "position": passage.position}
    if connection.dialect.name == "sqlite":
        made = sa.text("INSERT INTO passages (source, position) VALUES (:source, :position) RETURNING id")
        number = connection.execute(made, place).scalar_one()
        words = sa.text("INSERT INTO passage_words (rowid, title, heading, body) VALUES (:id, :title, :heading, :body)")
        connection.execute(words, {"id": number, **said})
    else:
        made = sa.text(
            "INSERT INTO passages (source, position, title, heading, body, words) VALUES (:source, :position, :title, "
            ":heading, :body, setweight(to_tsvector('simple', :title), 'A') || "
            "setweight(to_tsvector('simple', :heading), 'B') || to_tsvector('simple', :body)) RETURNING id"
        )
        number = connection.execute(made, {**place, **said}).scalar_one()
    insert = sa.text("INSERT INTO passage_vectors (passage, vector) VALUES (:id, :vector)")
    connection.execute(insert, {"id": number, "vector": vector})
