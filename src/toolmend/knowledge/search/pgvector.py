"""Passages by their vectors on PostgreSQL with the extension pgvector: in SQL, exact, or HNSW in large libraries.

The column of vectors is bytes, or vector(n) where the extension is there or may be created. A filter is answered
exactly on what it lets through: a graph under a filter that keeps little loses answers. Knows no passage's words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from toolmend import db
from toolmend.knowledge.search.embedder import Vectors

FROM = 50_000
WIDEST = 2_000  # numbers in a vector that pgvector indexes, and that stays in its row
_LOOKED = 200  # hnsw.ef_search: neighbours kept in sight
_AT_ONCE = 1_000
_DENIED = "42501"

_KIND = (
    "SELECT format_type(atttypid, atttypmod) FROM pg_attribute "
    "WHERE attrelid = 'passage_vectors'::regclass AND attname = 'vector' AND NOT attisdropped"
)
_THERE = "SELECT to_regtype('vector') IS NOT NULL AND EXISTS (SELECT 1 FROM pg_am WHERE amname = 'hnsw')"
_OURS = "SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'passage_vectors'::regclass"
_OFFERED = (
    "SELECT EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'vector') "
    "AND NOT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'vector')"
)
_GRAPHED = "SELECT to_regclass('passage_vectors_near') IS NOT NULL"
# The sum keeps the plan from the graph.
_EXACT = (
    "SELECT passage, -(vector <#> CAST(:asked AS vector)) FROM passage_vectors{some} "
    "ORDER BY (vector <#> CAST(:asked AS vector)) + 0, passage LIMIT :k"
)
_GRAPH = (
    "SELECT passage, -(vector <#> CAST(:asked AS vector)) FROM passage_vectors "
    "ORDER BY vector <#> CAST(:asked AS vector) LIMIT :k"
)


class PgVector:
    """The vectors in the database. `graph`: ask the HNSW index, which may miss some; else every one is compared."""

    def __init__(self, engine: sa.Engine, *, graph: bool, looked: int = _LOOKED) -> None:
        self._engine, self._graph, self._looked = engine, graph, looked
        self.way = "pgvector, HNSW" if graph else "pgvector, exact"

    def search(self, vector: Vectors, k: int, among: Sequence[int] | None = None) -> list[tuple[int, float]]:
        """The `k` nearest."""
        given = {"asked": literal(vector), "k": max(k, 0)}
        graph = self._graph and among is None
        some = ""
        if among is not None:
            some, given["among"] = " WHERE passage = ANY(:among)", list(among)
        statement = sa.text(_GRAPH if graph else _EXACT.format(some=some))
        with db.reading(self._engine) as connection:
            if graph:
                connection.exec_driver_sql(f"SET LOCAL hnsw.ef_search = {self._looked}")
            rows = [(int(row[0]), float(row[1])) for row in connection.execute(statement, given)]
        return sorted(rows, key=lambda row: (-row[1], row[0]))


def literal(vector: Vectors) -> str:
    """A vector as pgvector reads it; nine digits tell one float32 from every other."""
    return "[" + ",".join(f"{number:.9g}" for number in vector.tolist()) + "]"


def width(connection: Connection) -> int:
    """How many numbers a vector has in the column; 0 where the vectors are bytes, as on SQLite always."""
    if connection.dialect.name != "postgresql":
        return 0
    kind = str(connection.exec_driver_sql(_KIND).scalar_one())
    return int(kind[len("vector(") : -1]) if kind.startswith("vector(") else 0


def graphed(connection: Connection) -> bool:
    """Whether the HNSW index is there."""
    return bool(connection.exec_driver_sql(_GRAPHED).scalar_one())


def wanted(connection: Connection, numbers: int) -> bool:
    """Whether vectors of so many numbers, which are bytes, could be the extension's."""
    there = numbers <= WIDEST and any(connection.exec_driver_sql(each).scalar_one() for each in (_THERE, _OFFERED))
    return there and ours(connection)


def ours(connection: Connection) -> bool:
    """Whether we may change the table: PostgreSQL lets its owner alone."""
    return bool(connection.exec_driver_sql(_OURS).scalar_one())


def allowed(connection: Connection) -> bool:
    """Whether the extension may be used; it is created if the server has it and lets us."""
    if connection.exec_driver_sql(_OFFERED).scalar_one():
        try:
            with connection.begin_nested():
                connection.exec_driver_sql("CREATE EXTENSION vector")
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) != _DENIED:
                raise
            return False
    return bool(connection.exec_driver_sql(_THERE).scalar_one()) and ours(connection)


def retype(connection: Connection, numbers: int) -> None:
    """Make the column vector(numbers), or bytes for more than WIDEST; vectors that are there as bytes are kept."""
    run = connection.exec_driver_sql
    vectors = numbers <= WIDEST
    if not vectors and not width(connection):
        return
    run(f"ALTER TABLE passage_vectors ADD COLUMN fresh {f'vector({numbers})' if vectors else 'BYTEA'}")
    _move(connection)
    run("ALTER TABLE passage_vectors DROP COLUMN vector")  # and with it the graph
    run("ALTER TABLE passage_vectors RENAME COLUMN fresh TO vector")
    run("ALTER TABLE passage_vectors ALTER COLUMN vector SET NOT NULL")
    if vectors:
        run("ALTER TABLE passage_vectors ALTER COLUMN vector SET STORAGE PLAIN")


def _move(connection: Connection) -> None:
    """Vectors from bytes to the new column, some at a time."""
    some = sa.text("SELECT passage, vector FROM passage_vectors WHERE passage > :last ORDER BY passage LIMIT :most")
    put = sa.text("UPDATE passage_vectors SET fresh = CAST(:vector AS vector) WHERE passage = :id")
    last = -1
    while rows := connection.execute(some, {"last": last, "most": _AT_ONCE}).all():
        connection.execute(put, _literals((row[0], row[1]) for row in rows))
        last = rows[-1][0]


def _literals(rows: Iterable[tuple[int, bytes]]) -> list[dict[str, object]]:
    return [{"id": number, "vector": literal(np.frombuffer(kept, dtype="<f4"))} for number, kept in rows]


def build(connection: Connection) -> None:
    """Make the HNSW index; writers wait meanwhile."""
    connection.exec_driver_sql("SET LOCAL maintenance_work_mem = '512MB'")
    connection.exec_driver_sql(
        "CREATE INDEX IF NOT EXISTS passage_vectors_near ON passage_vectors USING hnsw (vector vector_ip_ops)"
    )
