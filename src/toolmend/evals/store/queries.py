"""What can be asked of the tables, as Core statements; runs none of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from toolmend.evals.store.tables import cached_replies, counted, exchanges, runs, samples
from toolmend.evals.store.values import storable

# Written out, not bound: only so can the database see that the partial index serves.
FAILED = samples.c.status == sa.literal_column("'error'")
UNFINISHED = runs.c.status != sa.literal_column("'finished'")
CHUNK = 500
PAGE = 20_000  # rows of a few hundred bytes


@dataclass(frozen=True, slots=True)
class Filter:
    """Which samples of a run: each criterion that is not None must hold.

    `attempts` are the first so many, by what was counted; `uncounted` those without a row of that version."""

    run: str
    model: str | None = None
    case: str | None = None
    status: str | None = None
    attempts: int | None = None
    uncounted: str | None = None

    def conditions(self) -> list[sa.ColumnElement[bool]]:
        """Conditions on `samples`."""
        found: list[sa.ColumnElement[bool]] = [samples.c.run == self.run]
        if self.model is not None:
            found.append(samples.c.model == storable(self.model))
        if self.case is not None:
            found.append(samples.c.case == storable(self.case))
        if self.status is not None:
            found.append(FAILED if self.status == "error" else samples.c.status == self.status)
        if self.attempts is not None:
            early = counted.c.run == self.run, counted.c.attempt < self.attempts
            found.append(samples.c.id.in_(sa.select(counted.c.sample).where(*early)))
        if self.uncounted is not None:
            known = counted.c.sample == samples.c.id, counted.c.version == self.uncounted
            found.append(~sa.exists().where(*known))
        return found


def counted_rows(run: str, version: str, after: int) -> sa.Select[tuple[object, ...]]:
    """What the next samples of a run count for, in the order in which they were first committed."""
    columns = (counted.c.sample, counted.c.attempt, counted.c.kind, counted.c.numbers)
    which = counted.c.run == run, counted.c.version == version, counted.c.sample > after
    return sa.select(*columns).where(*which).order_by(counted.c.sample).limit(PAGE)


def sample_rows(which: Filter, after: int) -> sa.Select[tuple[object, ...]]:
    """The next `CHUNK` samples, in the order in which they were first committed."""
    return sa.select(*samples.c).where(*which.conditions(), samples.c.id > after).order_by(samples.c.id).limit(CHUNK)


def ids_by_case(which: Filter, collation: str) -> sa.Select[tuple[int]]:
    """The ids of all its samples by model, strategy, case and attempt; names in the order of their code points."""
    names = [sa.collate(samples.c[name], collation) for name in ("model", "strategy", "case")]
    order = [*names, samples.c.attempt, samples.c.id]
    return sa.select(samples.c.id).where(*which.conditions()).order_by(*order)


def samples_of(ids: Sequence[int]) -> sa.Select[tuple[object, ...]]:
    """The samples with these ids, in no order."""
    return sa.select(*samples.c).where(samples.c.id.in_(ids))


def run_rows(suite: str | None) -> sa.Select[tuple[object, ...]]:
    """Runs, the newest first."""
    found = sa.select(*runs.c).order_by(runs.c.created.desc(), runs.c.id)
    return found if suite is None else found.where(runs.c.suite == storable(suite))


def run_of(config_key: str) -> sa.Select[tuple[str, str]]:
    """The run of a configuration: the unfinished one, else the newest."""
    order = (sa.case((UNFINISHED, 0), else_=1), runs.c.created.desc(), runs.c.id)
    return sa.select(runs.c.id, runs.c.status).where(runs.c.config_key == config_key).order_by(*order).limit(1)


def exchange_row(key: str) -> sa.Select[tuple[object, ...]]:
    """What went over the wire under this key."""
    return sa.select(exchanges.c.request, exchanges.c.reply).where(exchanges.c.key == storable(key))


def cached_row(key: str) -> sa.Select[tuple[object, ...]]:
    """A cached reply (`cached`) with what went over the wire for it, None where that was not kept."""
    return (
        sa.select(cached_replies.c.reply.label("cached"), exchanges.c.request, exchanges.c.reply)
        .join_from(cached_replies, exchanges, exchanges.c.key == cached_replies.c.exchange, isouter=True)
        .where(cached_replies.c.key == storable(key))
    )
