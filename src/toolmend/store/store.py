"""The store: runs and samples in a database, each finished sample in a transaction of its own.

Knows nothing of how samples come to be or what is made of them. Safe under kill -9 and for several processes and
threads at once; everything the database refuses is one BadFile line. May be used from async code as it is: a commit
takes a tenth of a millisecond.
"""

from __future__ import annotations

import os
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import sqlalchemy as sa

from toolmend import db
from toolmend.errors import BadFile, BadOption, UnknownName
from toolmend.store import queries
from toolmend.store.migrations import MIGRATIONS, ROOM
from toolmend.store.place import default_place
from toolmend.store.replies import COLUMNS, derive
from toolmend.store.rows import run_values, sample_values, to_events, to_reply, to_run, to_sample
from toolmend.store.tables import replies, runs, samples
from toolmend.store.values import ReplyRow, Run, RunConfig, Sample, Status

T = TypeVar("T")


class Store:
    """Runs and samples at a path or URL (default: `default_place()`); tables are made or migrated on opening.

    Raises BadFile for a place that cannot be used, is damaged or was written by a newer toolmend: it stays untouched.
    With `create=False` a store that is not there is a BadFile, too.
    """

    def __init__(self, place: str | os.PathLike[str] | None = None, *, create: bool = True) -> None:
        self._engine = db.open_engine(default_place() if place is None else place, create=create)
        self.place = db.place(self._engine)
        try:
            db.migrate(self._engine, ROOM, MIGRATIONS)
        except BaseException:
            self._engine.dispose()
            raise
        self._lock = threading.Lock()
        self._writer: db.Writer | None = None
        self._put = db.Prepared(self._engine, self._put_statement(), [c.name for c in samples.c if c.name != "id"])
        self._find = db.Prepared(
            self._engine,
            sa.select(samples.c.id).where(samples.c.run == sa.bindparam("run"), samples.c.key == sa.bindparam("key")),
        )
        self._derive = db.Prepared(self._engine, sa.insert(replies).inline(), ["sample", *COLUMNS])
        self._forget = db.Prepared(self._engine, sa.delete(replies).where(replies.c.sample == sa.bindparam("sample")))

    def close(self) -> None:
        """Give back every connection; on SQLite the last process to close tidies the log away."""
        with self._lock:
            if self._writer is not None:
                self._writer.close()
                self._writer = None
            self._engine.dispose()

    def __enter__(self) -> Store:
        """The store itself."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close."""
        self.close()

    # -- writing -----------------------------------------------------------------------------------------------------

    def open_run(self, config: RunConfig) -> str:
        """The id of the unfinished run of this configuration, which goes on, else of a new one."""
        new = Run(uuid.uuid4().hex[:12], config, created=db.utc_now())
        unfinished = sa.and_(runs.c.config_key == config.key, runs.c.status != "finished")
        with db.writing(self._engine) as connection:
            connection.execute(db.insert_into(self._engine, runs).on_conflict_do_nothing().values(**run_values(new)))
            connection.execute(sa.update(runs).where(unfinished).values(status="open", finished=None))
            return str(connection.execute(sa.select(runs.c.id).where(unfinished)).scalar_one())

    def commit(self, run_id: str, sample: Sample) -> bool:
        """Keep a finished sample, at once and for good. False if a good one of the same key was there first.

        An `error` sample gives way to any later one of its key; an `ok` one to none.
        """
        values = sample_values(run_id, sample)
        rows = derive(sample.events) if sample.status == "ok" else []
        try:
            with self._writing() as cursor:
                if self._put.run(cursor, values).rowcount < 1:
                    return False
                if rows:
                    (number,) = self._find.run(cursor, values).fetchone()
                    self._derive.run_many(cursor, [{**row, "sample": number} for row in rows])
        except self._integrity_error:
            self.run(run_id)  # raises UnknownName if the run is not there (any more)
            raise
        return True

    def finish(self, run_id: str) -> Run:
        """Mark a run as gone through: "finished", or "errors" while samples of it could not be run.

        A run with errors is found again by `open_run`, so that the same command tries those again.
        """
        with db.writing(self._engine) as connection:
            failed = connection.execute(sa.select(samples.c.id).where(samples.c.run == run_id, queries.FAILED).limit(1))
            status = "errors" if failed.first() else "finished"
            connection.execute(
                sa.update(runs)
                .where(runs.c.id == run_id, runs.c.status != "finished")
                .values(status=status, finished=db.utc_now())
            )
        return self.run(run_id)

    def set_aside(self, run_id: str) -> None:
        """Leave an unfinished run as it is: it keeps its samples, counts as finished, and is never gone on with."""
        self.run(run_id)
        with db.writing(self._engine) as connection:
            connection.execute(
                sa.update(runs)
                .where(runs.c.id == run_id, runs.c.status != "finished")
                .values(status="finished", finished=db.utc_now())
            )

    def delete_run(self, run_id: str) -> None:
        """Delete a run with all its samples."""
        self.run(run_id)
        with db.writing(self._engine) as connection:
            connection.execute(sa.delete(runs).where(runs.c.id == run_id))

    def rebuild(self, run_id: str | None = None) -> int:
        """Derive the replies of a run, or of all, from the samples' events anew; how many samples were good."""
        return sum(self._rebuild_run(run.id) for run in (self.runs() if run_id is None else [self.run(run_id)]))

    # -- reading -----------------------------------------------------------------------------------------------------

    def run(self, run_id: str) -> Run:
        """The run with exactly this id. Raises UnknownName."""
        row = self._first(sa.select(*runs.c).where(runs.c.id == run_id))
        if row is None:
            raise UnknownName("run", run_id, [run.id for run in self.runs()[:5]])
        return self._read(to_run, row)

    def runs(self, suite: str | None = None) -> list[Run]:
        """All runs, or those of a suite, the newest first."""
        with db.reading(self._engine) as connection:
            return [self._read(to_run, row) for row in connection.execute(queries.run_rows(suite))]

    def last_run(self, suite: str | None = None) -> Run | None:
        """The newest run, of a suite if one is named; None if there is none."""
        row = self._first(queries.run_rows(suite).limit(1))
        return None if row is None else self._read(to_run, row)

    def find_run(self, prefix: str) -> Run:
        """The run whose id begins so. Raises UnknownName for none, BadOption for several."""
        with db.reading(self._engine) as connection:
            query = sa.select(runs.c.id).where(runs.c.id.startswith(prefix, autoescape=True)).order_by(runs.c.id)
            found = list(connection.execute(query.limit(4)).scalars()) if prefix else []
        if len(found) > 1 and prefix not in found:
            shown = ", ".join(found[:3]) + (", …" if found[3:] else "")
            raise BadOption(f"run {prefix!r} may be any of {shown}; give more of its id")
        return self.run(prefix if prefix in found else found[0] if found else prefix)

    def done_keys(self, run_id: str) -> set[str]:
        """The keys of a run's good samples: what need not be run again."""
        self.run(run_id)
        every = sa.select(samples.c.key).where(samples.c.run == run_id)
        with db.reading(self._engine) as connection:
            failed = connection.execute(every.where(queries.FAILED)).scalars().all()
            return set(connection.execute(every).scalars()) - set(failed)

    def counts(self, run_id: str) -> dict[Status, int]:
        """How many samples of a run are good and how many could not be run: `{"ok": 96, "error": 4}`."""
        self.run(run_id)
        every = sa.select(sa.func.count()).select_from(samples).where(samples.c.run == run_id)
        with db.reading(self._engine) as connection:
            failed = connection.execute(every.where(queries.FAILED)).scalar_one()
            return {"ok": connection.execute(every).scalar_one() - failed, "error": failed}

    def samples(
        self,
        run_id: str,
        *,
        model: str | None = None,
        case: str | None = None,
        mark: str | None = None,
        mistake: str | None = None,
        status: Status | None = None,
    ) -> Iterator[Sample]:
        """A run's samples in the order in which they came, a few hundred in memory at a time.

        `mark` ("fixed") and `mistake` ("wrong_value", "wrong_value(time)") keep those with such a reply; samples that
        could not be run have none.
        """
        which = queries.Filter(self.run(run_id).id, model, case, status, mark, mistake)
        chunks = self._chunks(lambda after: queries.sample_rows(which, after))
        return (self._read(to_sample, row) for rows in chunks for row in rows)

    def replies(
        self,
        run_id: str,
        *,
        model: str | None = None,
        case: str | None = None,
        mark: str | None = None,
        mistake: str | None = None,
    ) -> Iterator[ReplyRow]:
        """The replies of a run's good samples, flat, sample by sample; the filters are those of `samples`."""
        which = queries.Filter(self.run(run_id).id, model, case, None, mark, mistake)
        return (self._read(to_reply, row) for rows in self._reply_chunks(which) for row in rows)

    # -- inside ------------------------------------------------------------------------------------------------------

    def _put_statement(self) -> sa.Executable:
        insert = db.insert_into(self._engine, samples)
        fresh = {c.name: insert.excluded[c.name] for c in samples.c if c.name not in ("id", "run", "key")}
        return insert.on_conflict_do_update(
            index_elements=["run", "key"], set_=fresh, where=samples.c.status == sa.literal_column("'error'")
        ).inline()

    @contextmanager
    def _writing(self) -> Iterator[Any]:
        """A raw cursor in a transaction of the one writing connection."""
        with self._lock:
            if self._writer is None:
                self._writer = db.Writer(self._engine)
            with self._writer.transaction() as cursor:
                yield cursor

    @property
    def _integrity_error(self) -> type[Exception]:
        error: type[Exception] = self._engine.dialect.dbapi.IntegrityError  # type: ignore[union-attr]
        return error

    def _chunks(self, query: Callable[[int], sa.Select[Any]]) -> Iterator[list[Any]]:
        """Rows in lists of `CHUNK`, each list a short read of its own: no reader holds back the log for long."""
        after = -1
        while True:
            with db.reading(self._engine) as connection:
                rows = list(connection.execute(query(after)))
            if rows:
                yield rows
                after = rows[-1].id
            if len(rows) < queries.CHUNK:
                return

    def _reply_chunks(self, which: queries.Filter) -> Iterator[list[Any]]:
        for ids in self._chunks(lambda after: queries.sample_ids(which, after)):
            with db.reading(self._engine) as connection:
                rows = list(connection.execute(queries.reply_rows(which, ids[0].id, ids[-1].id)))
            yield rows

    def _rebuild_run(self, run_id: str) -> int:
        count = 0
        for rows in self._chunks(lambda after: queries.sample_rows(queries.Filter(run_id), after)):
            with self._writing() as cursor:
                for row in rows:
                    self._forget.run(cursor, {"sample": row.id})
                    if row.status == "ok":
                        found = derive(self._read(to_events, row))
                        self._derive.run_many(cursor, [{**reply, "sample": row.id} for reply in found])
                        count += 1
        return count

    def _first(self, query: sa.Select[Any]) -> Any:
        with db.reading(self._engine) as connection:
            return connection.execute(query).first()

    def _read(self, convert: Callable[[Any], T], row: Any) -> T:
        try:
            return convert(row)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise BadFile(self.place, f"a row cannot be read ({error}); damaged, or of a newer toolmend") from error
