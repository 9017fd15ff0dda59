"""The tables as they are now. How older files come to have them is migrations.py; a test holds both together.

`samples` is the truth: one row per finished sample, its events as JSON of the version in `schema`; reports come of it.
Only text, bytes and numbers: the same on SQLite and PostgreSQL. There is one table more, `replies`, which earlier
versions derived: nothing reads or writes it now.
"""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()
_number = sa.BigInteger().with_variant(sa.Integer, "sqlite")

runs = sa.Table(
    "runs",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("config_key", sa.Text, nullable=False),
    sa.Column("suite", sa.Text, nullable=False),
    sa.Column("config", sa.Text, nullable=False),
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("finished", sa.Text),
    sa.Column("status", sa.Text, nullable=False),
)
# At most one run of a configuration is unfinished: two processes with the same command share it.
sa.Index(
    "runs_unfinished",
    runs.c.config_key,
    unique=True,
    sqlite_where=runs.c.status != "finished",
    postgresql_where=runs.c.status != "finished",
)

samples = sa.Table(
    "samples",
    metadata,
    sa.Column("id", _number, primary_key=True),
    sa.Column("run", sa.Text, sa.ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("case", sa.Text, nullable=False),
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("strategy", sa.Text, nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("arm", sa.Text, nullable=False),
    sa.Column("seed", sa.BigInteger),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
    sa.Column("started", sa.Text, nullable=False),
    sa.Column("seconds", sa.Double, nullable=False),
    sa.Column("schema", sa.Integer, nullable=False),
    sa.Column("events", sa.Text, nullable=False),
    sa.UniqueConstraint("run", "key", name="samples_once"),
)
sa.Index("samples_in_order", samples.c.run, samples.c.id)
sa.Index(
    "samples_failed",
    samples.c.run,
    sqlite_where=samples.c.status == "error",
    postgresql_where=samples.c.status == "error",
)

# What samples count for, so that reports need not read them: derived, good while `version` is what its reader asks for.
counted = sa.Table(
    "counted",
    metadata,
    sa.Column("sample", _number, sa.ForeignKey("samples.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("run", sa.Text, nullable=False),
    sa.Column("version", sa.Text, nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("numbers", sa.LargeBinary, nullable=False),
)
sa.Index("counted_in_order", counted.c.run, counted.c.version, counted.c.sample)

# What went over the wire, once per content: runs share it. Bodies are compressed (rows.py).
exchanges = sa.Table(
    "exchanges",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("request", sa.LargeBinary, nullable=False),
    sa.Column("reply", sa.LargeBinary, nullable=False),
    sa.Column("made", sa.Text, nullable=False),
)

# Replies by the hash of the whole request; `exchange` is the key of what went over the wire for it, "" if nothing did.
cached_replies = sa.Table(
    "cached_replies",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("reply", sa.LargeBinary, nullable=False),
    sa.Column("exchange", sa.Text, nullable=False),
    sa.Column("made", sa.Text, nullable=False),
)

# One report per run, good while `key` is what its reader asks for.
reports = sa.Table(
    "reports",
    metadata,
    sa.Column("run", sa.Text, sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("report", sa.LargeBinary, nullable=False),
)
