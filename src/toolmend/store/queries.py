"""What can be asked of the tables, as Core statements; runs none of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from toolmend.errors import UnknownName
from toolmend.mistakes import Kind, Mark
from toolmend.store.tables import cached_replies, exchanges, replies, runs, samples
from toolmend.store.values import storable

# Written out, not bound: only so can the database see that the partial index serves.
FAILED = samples.c.status == sa.literal_column("'error'")
UNFINISHED = runs.c.status != sa.literal_column("'finished'")
CHUNK = 500


@dataclass(frozen=True, slots=True)
class Filter:
    """Which samples or replies of a run: each criterion that is not None must hold.

    `mark` is a word ("fixed"); `mistake` a kind ("wrong_value") or a kind with its argument ("wrong_value(time)").
    """

    run: str
    model: str | None = None
    case: str | None = None
    status: str | None = None
    mark: str | None = None
    mistake: str | None = None

    def __post_init__(self) -> None:
        """Raise UnknownName for a mark or mistake that cannot be."""
        if self.mark is not None and self.mark not in list(Mark):
            raise UnknownName("mark", self.mark, list(Mark))
        if self.mistake is not None and self.mistake.partition("(")[0] not in list(Kind):
            raise UnknownName("mistake", self.mistake, list(Kind))

    def of_samples(self) -> list[sa.ColumnElement[bool]]:
        """Conditions on `samples`: one of its replies has the mark, one has the mistake."""
        found = self.of_identity()
        for condition in self.of_replies():
            found.append(sa.exists().where(replies.c.sample == samples.c.id, condition))
        return found

    def of_identity(self) -> list[sa.ColumnElement[bool]]:
        """Conditions on what a sample is, not on what happened in it."""
        found: list[sa.ColumnElement[bool]] = [samples.c.run == self.run]
        if self.model is not None:
            found.append(samples.c.model == storable(self.model))
        if self.case is not None:
            found.append(samples.c.case == storable(self.case))
        if self.status is not None:
            found.append(FAILED if self.status == "error" else samples.c.status == self.status)
        return found

    def of_replies(self) -> list[sa.ColumnElement[bool]]:
        """Conditions on a row of `replies`."""
        found: list[sa.ColumnElement[bool]] = []
        if self.mark is not None:
            found.append(_holds(replies.c.marks, self.mark))
        if self.mistake is not None:
            found.append(_holds(replies.c.mistakes, self.mistake))
        return found


def _holds(column: sa.Column[str], word: str) -> sa.ColumnElement[bool]:
    """A JSON list of words holds `word`, or `word` with an argument."""
    quoted = json.dumps(word)
    return sa.or_(
        column.contains(quoted, autoescape=True), column.contains(quoted.removesuffix('"') + "(", autoescape=True)
    )


def sample_rows(which: Filter, after: int) -> sa.Select[tuple[object, ...]]:
    """The next `CHUNK` samples, in the order in which they were first committed."""
    return sa.select(*samples.c).where(*which.of_samples(), samples.c.id > after).order_by(samples.c.id).limit(CHUNK)


def sample_ids(which: Filter, after: int) -> sa.Select[tuple[int]]:
    """The ids of the next `CHUNK` samples, whatever happened in them."""
    return sa.select(samples.c.id).where(*which.of_identity(), samples.c.id > after).order_by(samples.c.id).limit(CHUNK)


def ids_by_case(which: Filter, collation: str) -> sa.Select[tuple[int]]:
    """The ids of all its samples by model, strategy, case and attempt; names in the order of their code points."""
    names = [sa.collate(samples.c[name], collation) for name in ("model", "strategy", "case")]
    order = [*names, samples.c.attempt, samples.c.id]
    return sa.select(samples.c.id).where(*which.of_samples()).order_by(*order)


def samples_of(ids: Sequence[int]) -> sa.Select[tuple[object, ...]]:
    """The samples with these ids, in no order."""
    return sa.select(*samples.c).where(samples.c.id.in_(ids))


def reply_rows(which: Filter, first: int, last: int) -> sa.Select[tuple[object, ...]]:
    """The replies of the samples with ids from `first` to `last`, each with what its sample is."""
    identity = [samples.c[name] for name in ("key", "case", "model", "strategy", "attempt", "arm")]
    flat = [column for column in replies.c if column.name not in ("sample", "position")]
    return (
        sa.select(*identity, *flat)
        .join_from(samples, replies, replies.c.sample == samples.c.id)
        .where(*which.of_identity(), *which.of_replies(), samples.c.id.between(first, last))
        .order_by(samples.c.id, replies.c.position)
    )


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
