"""Dropping what nothing refers to any more: exchanges of deleted runs, of samples that came second or could not be run.

References stand in the samples' events. They are found by reading through all events as text, nothing decoded: a
million samples of 2 kB take three seconds, and keeping a sample costs nothing more for it.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from toolmend import db
from toolmend.store.queries import CHUNK
from toolmend.store.tables import cached_replies, exchanges, samples

DAY = 86_400.0
_REFERENCE = '"exchange":"'
_KEY = re.compile(_REFERENCE + '([0-9a-f]+)"')


def drop_unreferenced(engine: Engine, age: float) -> int:
    """Drop the exchanges older than `age` seconds that neither a sample nor a cached reply refers to; how many."""
    latest = (datetime.now(UTC) - timedelta(seconds=age)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    with db.reading(engine) as connection:
        old = set(connection.execute(sa.select(exchanges.c.key).where(exchanges.c.made <= latest)).scalars())
        if old:
            old.difference_update(connection.execute(sa.select(cached_replies.c.exchange)).scalars())
    after = -1
    while old:
        page = sa.select(samples.c.id, samples.c.events).where(samples.c.id > after).order_by(samples.c.id).limit(CHUNK)
        with db.reading(engine) as connection:
            rows = list(connection.execute(page.where(samples.c.events.contains(_REFERENCE, autoescape=True))))
        if not rows:
            break
        for row in rows:
            old.difference_update(_KEY.findall(row.events))
        after = rows[-1].id
    dropped = sorted(old)
    for start in range(0, len(dropped), CHUNK):
        with db.writing(engine) as connection:
            connection.execute(sa.delete(exchanges).where(exchanges.c.key.in_(dropped[start : start + CHUNK])))
    return len(dropped)
