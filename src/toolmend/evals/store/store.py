"""The store: runs and samples in a database, finished samples in transactions of one or several.

Knows nothing of how samples come to be or what is made of them. Safe under kill -9 and for several processes and
threads at once; everything the database refuses is one BadFile line. May be used from async code as it is: a commit
takes a third of a millisecond, on a server what its disk takes. docs/stores.md.
"""

from __future__ import annotations

import os
import threading
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from toolmend.base import db
from toolmend.base.errors import BadFile, BadOption, UnknownName
from toolmend.base.events import Event
from toolmend.base.messages import Reply, Wire
from toolmend.evals.store import merging, queries, rows, tables
from toolmend.evals.store.merging import MergedStores
from toolmend.evals.store.migrations import MIGRATIONS, ROOM
from toolmend.evals.store.place import default_place
from toolmend.evals.store.tables import runs, samples
from toolmend.evals.store.values import Counted, Run, RunConfig, Sample, Status

T = TypeVar("T")


class Store(db.DatabaseRoom):
    """Runs and samples at a path or URL (default: `default_place()`); tables are made or migrated on opening.

    Raises BadFile for a place that cannot be used, is damaged or was written by a newer toolmend: it stays untouched.
    With `create=False` a store that is not there, or a database without one, is a BadFile, too.
    """

    def __init__(self, place: str | os.PathLike[str] | None = None, *, create: bool = True) -> None:
        at = default_place() if place is None else place
        super().__init__(at, ROOM, MIGRATIONS, create=create, absent="no store in there yet; `toolmend run` makes one")
        self._lock = threading.Lock()
        self._put, self._put_counted = self._put_statement(), self._put_counted_statement()

    # -- writing -----------------------------------------------------------------------------------------------------

    def open_run(self, config: RunConfig, *, again: bool = True) -> str:
        """The id of the unfinished run of this configuration, which goes on, else of a new one.

        With `again=False` a finished one, the newest, comes before a new one, and stays finished.
        """
        with db.writing(self.engine) as connection:
            return self._open(connection, config, again)

    def _open(self, connection: Connection, config: RunConfig, again: bool) -> str:
        kept = None if again else connection.execute(queries.run_of(config.key)).first()
        if kept is not None and kept.status == "finished":
            return str(kept.id)
        new = Run(uuid.uuid4().hex[:12], config, created=db.utc_now())
        insert = db.insert_into(self.engine, runs).values(**rows.run_values(new))
        # One statement, so that a process which finishes that run at this moment comes before it or after it.
        opened = insert.on_conflict_do_update(
            index_elements=["config_key"], index_where=queries.UNFINISHED, set_={"status": "open", "finished": None}
        )
        return str(connection.execute(opened.returning(runs.c.id)).scalar_one())

    def commit(self, run_id: str, sample: Sample, count: Counted | None = None) -> bool:
        """Keep a finished sample, at once and for good. False if a good one of the same key was there first.

        An `error` sample gives way to any later one of its key; an `ok` one to none. `count` is what it counts for.
        """
        return self.commit_all(run_id, [(sample, count)]) == 1

    def commit_all(self, run_id: str, finished: Sequence[tuple[Sample, Counted | None]]) -> int:
        """`commit` of samples with different keys, in one transaction: all of them or, on an error, none; how many
        were kept."""
        # In the order in which any process locks them: none waits in a circle.
        pairs = [(rows.sample_values(run_id, sample), count) for sample, count in finished]
        pairs.sort(key=lambda pair: str(pair[0]["key"]))
        try:
            with self._lock, db.writing(self.engine) as connection:
                new = {row.key: row.id for row in connection.execute(self._put, [row for row, _ in pairs])}
                mine = [(new[row["key"]], row["attempt"], count) for row, count in pairs if row["key"] in new]
                if bare := [number for number, _, count in mine if count is None]:
                    connection.execute(sa.delete(tables.counted).where(tables.counted.c.sample.in_(bare)))
                if counts := [rows.counted_values(run_id, number, nth, count) for number, nth, count in mine if count]:
                    connection.execute(self._put_counted, counts)
                return len(new)
        except sa.exc.IntegrityError:
            self.run(run_id)  # raises UnknownName if the run is not there (any more)
            raise

    def finish(self, run_id: str) -> Run:
        """Mark a run as gone through: "finished", or "errors" while samples of it could not be run.

        A run with errors is found again by `open_run`, so that the same command tries those again.
        """
        with db.writing(self.engine) as connection:
            failed = connection.execute(sa.select(samples.c.id).where(samples.c.run == run_id, queries.FAILED).limit(1))
            status = "errors" if failed.first() else "finished"
            connection.execute(
                sa.update(runs)
                .where(runs.c.id == run_id, runs.c.status != "finished")
                .values(status=status, finished=db.utc_now())
            )
        return self.run(run_id)

    def delete_run(self, run_id: str) -> None:
        """Delete a run with all its samples. Exchanges stay, for other runs may share them."""
        self.run(run_id)
        with db.writing(self.engine) as connection:
            connection.execute(sa.delete(runs).where(runs.c.id == run_id))

    def merge(self, parts: Sequence[Store]) -> MergedStores:
        """Bring the parts of one run, each in a store of its own, into this store: all of them, or on an error none.

        Done again it changes nothing. The run is finished once none of its samples is missing. Raises BadOption for
        parts of different runs, for two runs of one configuration, and for a store that is among its parts.
        """
        if any(part.place == self.place for part in parts):
            raise BadOption(f"{self.place} cannot be merged into itself")
        config = merging.one_run([(part.place, part.runs()) for part in parts])
        new = there = 0
        with db.writing(self.engine) as connection:
            run_id = self._open(connection, config, again=False)
            for part in parts:
                counts = merging.copy_run(part.engine, part.runs()[0].id, self.engine, connection, run_id)
                new, there = new + counts[0], there + counts[1]
                merging.copy_keyed(part.engine, self.engine, connection)
        whole = self.is_whole(run_id)
        return MergedStores(self.finish(run_id) if whole else self.run(run_id), new, there, whole)

    def keep_exchange(self, model: str, wire: Wire) -> None:
        """Keep what went over the wire, compressed, once per content: whoever comes first."""
        self._add(tables.exchanges, rows.exchange_values(model, wire, db.utc_now()))

    def cache_reply(self, key: str, reply: Reply) -> None:
        """Keep a reply under the key of its whole request, unless there is one already."""
        self._add(tables.cached_replies, rows.cached_values(key, reply, db.utc_now()))

    def keep_counted(self, run_id: str, counted: Sequence[tuple[int, int, Counted]]) -> None:
        """Keep what samples count for, by id and attempt, in place of what was kept of them."""
        with db.writing(self.engine) as connection:
            connection.execute(self._put_counted, [rows.counted_values(run_id, *row) for row in counted])

    def keep_report(self, run_id: str, key: str, report: Mapping[str, Any]) -> None:
        """Keep a run's report, JSON-able, in place of the one before. `key` says what it was made from and by what."""
        self.run(run_id)
        values = rows.report_values(run_id, key, report)
        insert = db.insert_into(self.engine, tables.reports).values(**values)
        with db.writing(self.engine) as connection:
            connection.execute(insert.on_conflict_do_update(index_elements=["run"], set_=values))

    # -- reading -----------------------------------------------------------------------------------------------------

    def run(self, run_id: str) -> Run:
        """The run with exactly this id. Raises UnknownName."""
        row = self._first(sa.select(*runs.c).where(runs.c.id == run_id))
        if row is None:
            raise UnknownName("run", run_id, [run.id for run in self.runs()[:5]])
        return self._read(rows.to_run, row)

    def runs(self, suite: str | None = None) -> list[Run]:
        """All runs, or those of a suite, the newest first."""
        with db.reading(self.engine) as connection:
            return [self._read(rows.to_run, row) for row in connection.execute(queries.run_rows(suite))]

    def last_run(self) -> Run | None:
        """The newest run with a sample that could be run, else the newest; None if there is none."""
        every = self.runs()
        return next((run for run in every if self.counts(run.id)["ok"]), every[0] if every else None)

    def find_run(self, prefix: str) -> Run:
        """The run whose id begins so. Raises UnknownName for none, BadOption for several."""
        with db.reading(self.engine) as connection:
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
        with db.reading(self.engine) as connection:
            failed = connection.execute(every.where(queries.FAILED)).scalars().all()
            return set(connection.execute(every).scalars()) - set(failed)

    def counts(self, run_id: str) -> dict[Status, int]:
        """How many samples of a run are good and how many could not be run: `{"ok": 96, "error": 4}`."""
        self.run(run_id)
        every = sa.select(sa.func.count()).select_from(samples).where(samples.c.run == run_id)
        with db.reading(self.engine) as connection:
            failed = connection.execute(every.where(queries.FAILED)).scalar_one()
            return {"ok": connection.execute(every).scalar_one() - failed, "error": failed}

    def is_whole(self, run_id: str) -> bool:
        """Whether it has as many samples as its configuration plans (`settings["samples"]`), good ones or errors."""
        planned = self.run(run_id).config.settings.get("samples", 0)
        return sum(self.counts(run_id).values()) >= int(planned)

    def state(self, run_id: str) -> str:
        """Text that is another one as soon as a sample came, a failed one was replaced, or the run ended anew."""
        run, counts = self.run(run_id), self.counts(run_id)
        return f"{run.status} {run.finished} {counts['ok']} {counts['error']}"

    def samples(
        self,
        run_id: str,
        *,
        model: str | None = None,
        case: str | None = None,
        status: Status | None = None,
        attempts: int | None = None,
        only: Collection[type[Event]] | None = None,
        by_case: bool = False,
    ) -> Iterator[Sample]:
        """A run's samples in the order in which they came, a few hundred in memory at a time.

        With `only`, events of other types are left out, which is faster; `by_case` orders by model, strategy, case and
        attempt. `attempts` takes the first so many of samples that are counted.
        """
        which = queries.Filter(self.run(run_id).id, model, case, status, attempts)
        kinds = None if only is None else {kind.__name__.lower() for kind in only}
        chunks = self._by_case(which) if by_case else self._chunks(lambda after: queries.sample_rows(which, after))
        return (self._read(lambda row: rows.to_sample(row, kinds), row) for chunk in chunks for row in chunk)

    def counted(self, run_id: str, version: str) -> Iterator[list[tuple[int, str, bytes]]]:
        """What the samples of a run count for, as far as it was kept by this version: attempt, kind and numbers, in the
        order in which they came, some thousands at a time."""
        after = -1
        while True:
            with db.reading(self.engine) as connection:
                cursor = connection.execute(queries.counted_rows(run_id, version, after)).cursor
                found = cursor.fetchall() if cursor else []  # bare tuples: making rows of them takes as long again
            if found:
                yield [row[1:] for row in found]
                after = found[-1][0]
            if len(found) < queries.PAGE:
                return

    def uncounted(self, run_id: str, version: str, only: Collection[type[Event]]) -> Iterator[list[tuple[int, Sample]]]:
        """The other samples of a run with their ids, some hundreds at a time, which may be counted meanwhile."""
        mine = tables.counted.c.run == run_id, tables.counted.c.version == version
        with db.reading(self.engine) as connection:
            known = connection.execute(sa.select(sa.func.count()).where(*mine)).scalar_one()
        if known == sum(self.counts(run_id).values()):
            return
        which = queries.Filter(run_id, uncounted=version)
        kinds = {kind.__name__.lower() for kind in only}
        for chunk in self._chunks(lambda after: queries.sample_rows(which, after)):
            yield [(row.id, self._read(lambda row: rows.to_sample(row, kinds), row)) for row in chunk]

    def exchange(self, key: str) -> Wire | None:
        """What went over the wire, by the key in the events; None if it was not kept."""
        row = self._first(queries.exchange_row(key))
        return None if row is None else self._read(rows.to_wire, row)

    def cached_reply(self, key: str) -> Reply | None:
        """The reply kept under this key, with what went over the wire for it if that was kept; else None."""
        row = self._first(queries.cached_row(key))
        return None if row is None else self._read(rows.to_cached, row)

    def kept_report(self, run_id: str, key: str) -> dict[str, Any] | None:
        """The run's report that was kept under exactly this key, else None."""
        wanted = sa.and_(tables.reports.c.run == run_id, tables.reports.c.key == key)
        row = self._first(sa.select(tables.reports.c.report).where(wanted))
        return None if row is None else self._read(rows.to_report, row)

    # -- inside ------------------------------------------------------------------------------------------------------

    def _put_statement(self) -> sa.Executable:
        insert = db.insert_into(self.engine, samples)
        fresh = {c.name: insert.excluded[c.name] for c in samples.c if c.name not in ("id", "run", "key")}
        return insert.on_conflict_do_update(
            index_elements=["run", "key"], set_=fresh, where=samples.c.status == sa.literal_column("'error'")
        ).returning(samples.c.id, samples.c.key)

    def _put_counted_statement(self) -> sa.Executable:
        insert = db.insert_into(self.engine, tables.counted)
        fresh = {name: insert.excluded[name] for name in ("version", "attempt", "kind", "numbers")}
        return insert.on_conflict_do_update(index_elements=["sample"], set_=fresh)

    def _chunks(self, query: Callable[[int], sa.Select[Any]]) -> Iterator[list[Any]]:
        """Rows in lists of `CHUNK`, each list a short read of its own: no reader holds back the log for long."""
        after = -1
        while True:
            with db.reading(self.engine) as connection:
                found = list(connection.execute(query(after)))
            if found:
                yield found
                after = found[-1].id
            if len(found) < queries.CHUNK:
                return

    def _by_case(self, which: queries.Filter) -> Iterator[list[Any]]:
        """Rows in lists of `CHUNK` by model, strategy, case and attempt."""
        collation = "BINARY" if self.engine.dialect.name == "sqlite" else "C"
        with db.reading(self.engine) as connection:
            ids = [row.id for row in connection.execute(queries.ids_by_case(which, collation))]
        for start in range(0, len(ids), queries.CHUNK):
            page = ids[start : start + queries.CHUNK]
            with db.reading(self.engine) as connection:
                found = {row.id: row for row in connection.execute(queries.samples_of(page))}
            yield [found[number] for number in page if number in found]

    def _add(self, table: sa.Table, values: Mapping[str, Any]) -> None:
        """Insert a row unless there is one of its key."""
        with db.writing(self.engine) as connection:
            connection.execute(db.insert_into(self.engine, table).on_conflict_do_nothing().values(**values))

    def _first(self, query: sa.Select[Any]) -> Any:
        with db.reading(self.engine) as connection:
            return connection.execute(query).first()

    def _read(self, convert: Callable[[Any], T], row: Any) -> T:
        try:
            return convert(row)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise BadFile(self.place, f"a row cannot be read ({error}); damaged, or of a newer toolmend") from error
