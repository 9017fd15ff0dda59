"""Databases: an engine from a path or URL, transactions, migrations. SQLite files and PostgreSQL, one manner of use.

Knows one table, its own `schema_versions` (room -> version), and none of what the rooms keep. Whatever the database
says against us becomes one BadFile line without a password; a file that is refused is never written to.
"""

from toolmend.base.db.engine import insert_into, open_engine, place, reading, writing
from toolmend.base.db.migrate import Migration, migrate, room_versions, utc_now
from toolmend.base.db.refusals import explain
from toolmend.base.db.room import DatabaseRoom

__all__ = [
    "DatabaseRoom",
    "Migration",
    "explain",
    "insert_into",
    "migrate",
    "open_engine",
    "place",
    "reading",
    "room_versions",
    "utc_now",
    "writing",
]
