"""How the index's tables came to be, beside the library's. A step that was released is never edited: add another one.

Everything here is derived: rows go with their chunks by cascade, and what is missing is made anew.
"""

from __future__ import annotations

from sqlalchemy.engine import Connection

from toolmend.db import Migration

ROOM = "search"

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


MIGRATIONS: list[Migration] = [m001_passages_words_vectors]
