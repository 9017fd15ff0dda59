"""How a worker of the arena may learn what another wrote into PostgreSQL: told, by polling, or by asking when due.

    python benchmarks/news.py [COMMITS [SECONDS]]        default: 100 commits, and 10 seconds without any

50 visitors have a desk each. One process commits turns to desks drawn by lot, another wants to know: by LISTEN/NOTIFY;
by asking for every desk, or for all in one query, every half second; or, as the arena does, by asking for the one desk
when its visitor's next request comes. Printed: from the commit to its being known, queries a second and CPU of watcher
and server while nothing happens, and what a commit costs its writer. Needs a PostgreSQL server installed.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import statistics
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from toolmend.base import db
from toolmend.extras.arena.records import ArenaRecords, events, new_id

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from postgres import Server, binaries, started

VISITORS = 50
EVERY = 0.5
BODY = {"text": "Lunch with Ada on May 3 at noon", "correction": False}
NEWEST = "SELECT conversation, max(position) FROM arena_events WHERE conversation = ANY(:talks) GROUP BY conversation"


def listening(url: str, desks: list[str], tell: Callable[[str], None]) -> None:
    """Told by the server."""
    with db.open_engine(url).connect() as connection:
        raw: Any = connection.connection.driver_connection
        raw.rollback()
        raw.autocommit = True
        raw.execute("LISTEN arena")
        tell("")
        for note in raw.notifies():
            tell(note.payload)


def polling_each(url: str, desks: list[str], tell: Callable[[str], None]) -> None:
    """The arena's own question, for each desk."""
    records, known = ArenaRecords(url), dict[str, Any]()
    while True:
        for desk in desks:
            before, known[desk] = known.get(desk), records.standing(desk)
            if before not in (None, known[desk]):
                tell(desk)
        tell("")
        time.sleep(EVERY)


def polling_all(url: str, desks: list[str], tell: Callable[[str], None]) -> None:
    """One question for all."""
    engine, known = db.open_engine(url), dict[str, Any]()
    while True:
        with db.reading(engine) as connection:
            found = dict(connection.execute(sa.text(NEWEST), {"talks": [f"{desk}l" for desk in desks]}).tuples().all())
        for talk in found.keys() & known.keys():
            if found[talk] != known[talk]:
                tell(talk[:-1])
        known = found
        tell("")
        time.sleep(EVERY)


def asked(url: str, desks: list[str], tell: Callable[[str], None]) -> None:
    """Nothing is watched: the desk is looked at when it is asked for."""
    tell("")
    time.sleep(3600)


def watch(way: Callable[..., None], url: str, desks: list[str], pipe: Connection) -> None:
    """A process that wants to know; "" says that it is watching."""
    begun = False

    def tell(desk: str) -> None:
        nonlocal begun
        if desk or not begun:
            pipe.send((desk, time.monotonic()))
        begun = True

    way(url, desks, tell)


def spent(processes: list[int]) -> float:
    """Seconds of CPU of these and what is below them, the server's backends."""
    total, ticks = 0.0, os.sysconf("SC_CLK_TCK")
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # gone in the meantime
            continue
        if int(folder.name) in processes or int(fields[1]) in processes:
            total += (int(fields[11]) + int(fields[12])) / ticks
    return total


def measured(way: Callable[..., None], server: Server, commits: int, seconds: int) -> str:
    """A line of the table."""
    with server.database() as url:
        records, engine, chance, name = ArenaRecords(url), db.open_engine(url), random.Random(3), url.rpartition("/")[2]
        desks = [new_id() for _ in range(VISITORS)]
        talk = {"model": "m", "strategy": "s", "toolbox": "calendar", "setup": "{}", "origin": "{}"}
        for desk in desks:
            records.add_desk(desk, desk, "chat", [{**talk, "id": f"{desk}{side}"} for side in "lr"])
            records.append(f"{desk}l", 0, "asked", BODY)
        ours, theirs = multiprocessing.Pipe()
        watcher = multiprocessing.get_context("spawn").Process(
            target=watch, args=(way, url, desks, theirs), daemon=True
        )
        watcher.start()
        ours.recv()
        postmaster = int(server.run("SELECT pg_read_file('postmaster.pid')")[0][0].split()[0])

        def queries() -> int:
            server.run("SELECT pg_stat_clear_snapshot()")
            return int(server.run(f"SELECT xact_commit FROM pg_stat_database WHERE datname = '{name}'")[0][0])

        before, cpu = queries(), spent([watcher.pid or 0, postmaster])
        time.sleep(seconds)
        idle, cpu = (queries() - before) / seconds, (spent([watcher.pid or 0, postmaster]) - cpu) / seconds
        took, costs = [], []
        for position in range(1, commits + 1):
            desk, began = chance.choice(desks), time.monotonic()
            if way is listening:
                kept_and_told(engine, desk, position)
            else:
                records.append(f"{desk}l", position, "asked", BODY)
            done = time.monotonic()
            costs.append(done - began)
            if way is asked:
                records.standing(desk)
                took.append(time.monotonic() - done)
            else:
                seen, when = ours.recv()
                assert seen == desk
                took.append(when - done)
            time.sleep(chance.uniform(0, 2 * EVERY) if way not in (listening, asked) else 0.01)
        watcher.kill()
        watcher.join()
        records.close()
        engine.dispose()
    p50, p95 = statistics.median(took), statistics.quantiles(took, n=20)[-1]
    return (
        f"{way.__name__:13} {1000 * p50:8.1f} {1000 * p95:8.1f} ms {idle:9.1f} /s {100 * cpu:6.1f} % "
        f"{1000 * statistics.median(costs):8.1f} ms"
    )


def kept_and_told(engine: sa.Engine, desk: str, position: int) -> None:
    """A commit that tells who listens."""
    row = {"conversation": f"{desk}l", "position": position, "kind": "asked", "made": db.utc_now(), "body": str(BODY)}
    with db.writing(engine) as connection:
        connection.execute(sa.insert(events).values(**row))
        connection.execute(sa.select(sa.func.pg_notify("arena", desk)))


def main(commits: int, seconds: int) -> None:
    """Print the table."""
    folder = binaries()
    if folder is None:
        sys.exit("no PostgreSQL server here: apt-get install postgresql")
    with started(folder) as server:
        print("                    known after         idle: queries, CPU      a commit")
        print("                  p50      p95")
        for way in (listening, polling_each, polling_all, asked):
            print(measured(way, server, commits, seconds), flush=True)


if __name__ == "__main__":
    main(*([int(word) for word in sys.argv[1:]] + [100, 10][len(sys.argv) - 1 :]))
