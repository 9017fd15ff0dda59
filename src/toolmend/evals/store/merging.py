"""Parts of one run, each in a store of its own, brought together: nothing twice, nothing lost, all of it or nothing.

Knows the tables, and what may not be brought together; opens no store and no run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from toolmend.base import db
from toolmend.base.errors import BadOption
from toolmend.evals.store import queries, tables
from toolmend.evals.store.tables import samples
from toolmend.evals.store.values import Run, RunConfig


@dataclass(frozen=True, slots=True)
class MergedStores:
    """The run that parts were brought into: how many samples came, how many were there, whether none is missing."""

    run: Run
    new: int
    there: int
    whole: bool


def one_run(found: Sequence[tuple[str, Sequence[Run]]]) -> RunConfig:
    """The configuration that all parts share; each is its place and its runs.

    Raises BadOption for a part with no run or several, and for one of another suite, version, contestant or setting.
    """
    for place, runs in found:
        if len(runs) != 1:
            names = ", ".join(run.id for run in runs[:3])
            what = f"holds {len(runs)} runs ({names}, …): which is the part?" if runs else "holds no run"
            raise BadOption(f"{place} {what} Give each part of a run a store of its own")
    (first, (run,)), *others = found
    for place, (other,) in others:
        if other.config.key != run.config.key:
            raise BadOption(f"{place} is no part of the run in {first}: {run.config.apart(other.config)}")
    return run.config


def copy_run(source: Engine, origin: str, target: Engine, connection: Connection, run: str) -> tuple[int, int]:
    """Copy the samples of the run `origin`; how many came, and how many good ones were there already.

    Raises BadOption for a good sample that is there as another one: two runs of one name.
    """
    new = there = 0
    for chunk in _pages(source, lambda after: queries.sample_rows(queries.Filter(origin), after), "id"):
        rows = {row["key"]: row for row in chunk}
        mine = samples.c.run == run, samples.c.key.in_(rows)
        kept = {row.key: row for row in connection.execute(sa.select(*samples.c).where(*mine))}
        for key, row in kept.items():
            mine_too = (rows[key]["events"], rows[key]["started"]) == (row.events, row.started)
            if row.status == rows[key]["status"] == "ok" and not mine_too:
                raise BadOption(
                    f"{db.place(source)} and {db.place(target)} both hold {key!r}, played at two times: these are two "
                    "runs of one name. Merge either into another store"
                )
        good = {key for key, row in kept.items() if row.status == "ok" or rows[key]["status"] == "error"}
        fresh = [row for key, row in rows.items() if key not in good]
        there, new = there + len(good), new + len(fresh)
        if fresh:
            _put(connection, run, fresh)
    return new, there


def copy_keyed(source: Engine, target: Engine, connection: Connection) -> None:
    """Copy what went over the wire and the cached replies, whoever comes first."""
    for table in (tables.exchanges, tables.cached_replies):
        key = table.c.key
        pages = _pages(
            source,
            lambda after, table=table, key=key: (
                sa.select(*table.c).where(key > ("" if after == -1 else after)).order_by(key).limit(queries.CHUNK)
            ),
            "key",
        )
        for chunk in pages:
            connection.execute(db.insert_into(target, table).on_conflict_do_nothing(), chunk)


def _put(connection: Connection, run: str, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows in place of failed ones of their keys."""
    connection.execute(sa.delete(samples).where(samples.c.run == run, samples.c.key.in_([row["key"] for row in rows])))
    connection.execute(
        sa.insert(samples), [{**{k: v for k, v in row.items() if k != "id"}, "run": run} for row in rows]
    )


def _pages(source: Engine, query: Any, column: str) -> Iterator[list[dict[str, Any]]]:
    """Rows in lists of `CHUNK`, each list a short read of its own."""
    after: Any = -1
    while True:
        with db.reading(source) as reader:
            rows = [dict(row._mapping) for row in reader.execute(query(after))]
        if rows:
            yield rows
            after = rows[-1][column]
        if len(rows) < queries.CHUNK:
            return
