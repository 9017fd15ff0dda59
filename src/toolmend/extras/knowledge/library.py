"""The library: sources with all their states in a database, each kept in one transaction with its chunks.

Knows how to keep, find by id and forget; collecting, judging and searching are others'. The same database as the
store's, in tables of its own. Safe under kill -9 and for several processes at once; docs/knowledge.md.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from toolmend.base import db
from toolmend.base.errors import BadFile, BadOption, UnknownName
from toolmend.extras.knowledge import collect, tables
from toolmend.extras.knowledge.chunks import Chunk, chunks_of
from toolmend.extras.knowledge.outcome import Name, Outcome
from toolmend.extras.knowledge.outside import Outside
from toolmend.extras.knowledge.source import Source, source_of

_LOCK = 0x746E  # of writers of a library, among the advisory locks of a PostgreSQL database


class Library(db.DatabaseRoom):
    """Sources at a path or URL; tables are made on opening. Raises BadFile for a place that cannot be used."""

    def __init__(self, place: str | os.PathLike[str], *, create: bool = True) -> None:
        super().__init__(place, "knowledge", tables.MIGRATIONS, create=create)

    def add(self, place: str, *, url: str = "") -> Iterator[Outcome]:
        """Read a file, a folder or an address and keep what is in it; one outcome for each thing, as it is done."""
        for item in collect.items_at(place, url=url, seen=db.utc_now()):
            for found in [item] if isinstance(item, Outcome) else collect.read_apart(item):
                name = place if isinstance(item, Outcome) else item.name
                yield found if isinstance(found, Outcome) else self.keep(found, name)

    def keep(self, thing: Source | Outside, place: str = "") -> Outcome:
        """Keep a source, or a fact from outside. Again the same: nothing is written, and the outcome is `unchanged`."""
        with db.writing(self.engine) as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
            return self._outside(connection, thing) if isinstance(thing, Outside) else _source(connection, thing, place)

    def forget(self, source_id: str) -> str:
        """Drop a source with all its states and chunks; its id. What is written down is that it was, and when.

        Raises UnknownName for none, BadOption for several whose id begins so.
        """
        found = self.find(source_id)
        with db.writing(self.engine) as connection:
            connection.execute(sa.delete(tables.sources).where(tables.sources.c.id == found))
            _write_down(connection, "forgotten", found, "")
        return found

    def find(self, prefix: str) -> str:
        """The id that begins so. Raises UnknownName for none, BadOption for several."""
        column = tables.sources.c.id
        with db.reading(self.engine) as connection:
            query = sa.select(column).where(column.startswith(prefix, autoescape=True)).order_by(column).limit(4)
            found = list(connection.execute(query).scalars()) if prefix else []
            known = list(connection.execute(sa.select(column).order_by(column).limit(5)).scalars())
        if len(found) > 1 and prefix not in found:
            raise BadOption(f"source {prefix!r} may be any of {', '.join(found[:3])}; give more of its id")
        if not found:
            raise UnknownName("source", prefix, known, "`toolmend know list` shows all")
        return str(prefix if prefix in found else found[0])

    def source(self, source_id: str, revision: int | None = None) -> Source:
        """A source in its present or an earlier state. Raises UnknownName."""
        rows = tables.revisions
        which = sa.select(rows.c.record, rows.c.text).where(rows.c.source == source_id)
        which = which.where(rows.c.revision == revision) if revision else which.order_by(rows.c.revision.desc())
        with db.reading(self.engine) as connection:
            row = connection.execute(which.limit(1)).first()
        if row is None:
            state = f" in state {revision}" if revision else ""
            raise UnknownName("source", f"{source_id}{state}", [])
        return self._read(row)

    @property
    def empty(self) -> bool:
        """Whether no source is kept."""
        with db.reading(self.engine) as connection:
            return connection.execute(sa.select(tables.sources.c.id).limit(1)).first() is None

    def sources(self) -> Iterator[Source]:
        """All sources in their present state, in the order in which they came."""
        rows, states = tables.sources.c, tables.revisions.c
        now = sa.and_(states.source == rows.id, states.revision == rows.revision)
        with db.reading(self.engine) as connection:
            ids = list(connection.execute(sa.select(rows.id).order_by(rows.added, rows.id)).scalars())
        for at in range(0, len(ids), 100):
            query = sa.select(rows.id, states.record, states.text).join_from(tables.sources, tables.revisions, now)
            with db.reading(self.engine) as connection:
                found = {row.id: row for row in connection.execute(query.where(rows.id.in_(ids[at : at + 100])))}
            yield from (self._read(found[id_]) for id_ in ids[at : at + 100] if id_ in found)

    def revisions(self, source_id: str) -> list[tuple[int, str, str]]:
        """The states of a source, the oldest first: number, when it was added, SHA-256 of its text."""
        rows = tables.revisions.c
        query = sa.select(rows.revision, rows.added, rows.content_hash).where(rows.source == source_id)
        with db.reading(self.engine) as connection:
            return [(row[0], row[1], row[2]) for row in connection.execute(query.order_by(rows.revision))]

    def chunks(self, source_id: str) -> list[Chunk]:
        """The chunks of a source's present text, in order."""
        rows = tables.chunks
        query = sa.select(rows).where(rows.c.source == source_id).order_by(rows.c.position)
        with db.reading(self.engine) as connection:
            return [Chunk(*row) for row in connection.execute(query)]

    def outside(self) -> list[Outside]:
        """All facts from outside."""
        rows = tables.outside
        with db.reading(self.engine) as connection:
            found = connection.execute(sa.select(rows).order_by(rows.c.about, rows.c.date))
            return [Outside(row[0], row[1], row[2], row[3], row[4], row[5]) for row in found]

    def history(self) -> list[tuple[str, str, str, str]]:
        """What was done, the oldest first: when, what (`added`, `revised`, `forgotten`), to which source, detail."""
        rows = tables.history.c
        query = sa.select(rows.at, rows.did, rows.source, rows.detail).order_by(rows.id)
        with db.reading(self.engine) as connection:
            return [(row[0], row[1], row[2], row[3]) for row in connection.execute(query)]

    def _outside(self, connection: Connection, fact: Outside) -> Outcome:
        same = sa.and_(*(tables.outside.c[name] == getattr(fact, name) for name in ("about", "says", "by", "date")))
        fresh = connection.execute(sa.select(tables.outside.c.about).where(same)).first() is None
        if fresh:
            connection.execute(sa.insert(tables.outside).values(**asdict(fact)))
        return Outcome("added" if fresh else "unchanged", fact.about, f"{fact.says}, by {fact.by}, {fact.date}")

    def _read(self, row: Any) -> Source:
        try:
            return source_of(json.loads(row.record), row.text)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadFile(self.place, f"a source cannot be read ({error}); damaged, or of a newer toolmend") from error


def _source(connection: Connection, source: Source, place: str) -> Outcome:
    """Keep a source in the transaction at hand."""
    rows = tables.sources
    now = connection.execute(sa.select(rows).where(rows.c.id == source.id)).first()
    if now is None:
        twin = sa.select(rows.c.id, rows.c.url).where(rows.c.content_hash == source.content_hash)
        if same := connection.execute(twin.limit(1)).first():
            return Outcome("duplicate", place, f"the same text as {same.url}", same.id, source.notes)
        values = {"id": source.id, "url": source.url, "content_hash": source.content_hash, "added": db.utc_now()}
        connection.execute(sa.insert(rows).values(**values, revision=1))
        return _state(connection, source, 1, place)
    last = sa.and_(tables.revisions.c.source == source.id, tables.revisions.c.revision == now.revision)
    if connection.execute(sa.select(tables.revisions.c.record_hash).where(last)).scalar() == source.record_hash:
        return Outcome("unchanged", place, "", source.id, source.notes)
    number = now.revision + 1
    changed = sa.update(rows).where(rows.c.id == source.id)
    connection.execute(changed.values(revision=number, content_hash=source.content_hash))
    return _state(connection, source, number, place)


def _state(connection: Connection, source: Source, number: int, place: str) -> Outcome:
    """Write a new state with its chunks, in place of the chunks before."""
    connection.execute(
        sa.insert(tables.revisions).values(
            source=source.id,
            revision=number,
            record_hash=source.record_hash,
            content_hash=source.content_hash,
            added=db.utc_now(),
            record=json.dumps(source.record(), ensure_ascii=False),
            text=source.text,
        )
    )
    connection.execute(sa.delete(tables.chunks).where(tables.chunks.c.source == source.id))
    names = ("source", "position", "start", "end", "heading", "seconds")
    if rows := [{name: getattr(chunk, name) for name in names} for chunk in chunks_of(source)]:
        connection.execute(sa.insert(tables.chunks), rows)
    did: Name = "added" if number == 1 else "revised"
    _write_down(connection, did, source.id, f"state {number}")
    says = source.title if number == 1 else f"state {number}"
    return Outcome(did, place, says, source.id, source.notes)


def _write_down(connection: Connection, did: str, source: str, detail: str) -> None:
    connection.execute(sa.insert(tables.history).values(at=db.utc_now(), did=did, source=source, detail=detail))
