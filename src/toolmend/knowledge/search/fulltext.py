"""Passages by their words: BM25 of SQLite's FTS5; on PostgreSQL its own full text rank. Knows no vectors.

A question is the stems that say something, any of which may be found; rare ones weigh more, and a title's more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from toolmend import db

_WEIGHTS = "2.0, 1.5, 1.0"  # of title, headings and text


@dataclass(frozen=True)
class Stems:
    """The stems of a passage as they are in the index, in order."""

    title: tuple[str, ...]
    heading: tuple[str, ...]
    body: tuple[str, ...]


class FullText:
    """The words of the passages of a database."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._lite = engine.dialect.name == "sqlite"

    def search(self, stems: Sequence[str], k: int, among: Sequence[int] | None = None) -> list[int]:
        """The numbers of the `k` best passages that hold any of the stems, the best first."""
        if not stems or k < 1:
            return []
        some = " AND {} IN :among" if among is not None else ""
        if self._lite:
            query = (
                "SELECT rowid FROM passage_words WHERE passage_words MATCH :words" + some.format("rowid") + " "
                f"ORDER BY bm25(passage_words, {_WEIGHTS}), rowid LIMIT :k"
            )
            words = " OR ".join(f'"{each}"' for each in dict.fromkeys(stems))
        else:
            query = (
                "SELECT id FROM passages, CAST(:words AS tsquery) q WHERE words @@ q" + some.format("id") + " "
                "ORDER BY ts_rank(words, q, 1) DESC, id LIMIT :k"
            )
            words = " | ".join(f"'{each}'" for each in dict.fromkeys(stems))
        statement = sa.text(query)
        if among is not None:
            statement = statement.bindparams(sa.bindparam("among", list(among), expanding=True))
        with db.reading(self._engine) as connection:
            return list(connection.execute(statement, {"words": words, "k": k}).scalars())

    def counts(self, stems: Sequence[str]) -> dict[str, int]:
        """In how many passages each stem stands."""
        found = dict.fromkeys(stems, 0)
        with db.reading(self._engine) as connection:
            if self._lite:
                query = sa.text("SELECT term, doc FROM passage_vocabulary WHERE term IN :terms")
                terms: sa.BindParameter[list[str]] = sa.bindparam("terms", list(found), expanding=True)
                found |= {row[0]: row[1] for row in connection.execute(query.bindparams(terms))}
            else:
                one = sa.text("SELECT count(*) FROM passages WHERE words @@ CAST(:word AS tsquery)")
                for each in found:
                    found[each] = int(connection.execute(one, {"word": f"'{each}'"}).scalar_one())
        return found

    def stems(self, ids: Sequence[int]) -> dict[int, Stems]:
        """The stems of these passages."""
        table, number = ("passage_words", "rowid") if self._lite else ("passages", "id")
        query = sa.text(f"SELECT {number}, title, heading, body FROM {table} WHERE {number} IN :ids")
        with db.reading(self._engine) as connection:
            rows = connection.execute(query.bindparams(sa.bindparam("ids", list(ids), expanding=True)))
            return {row[0]: Stems(*(tuple(part.split()) for part in row[1:])) for row in rows}
