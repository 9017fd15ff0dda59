"""What is lost or doubled when a process that saves a calendar is killed, a hundred times: a file and a CalDAV server.

    python benchmarks/calendar_kills.py [KILLS]

A child moves, adds and removes entries and tells what was saved; it is killed at a random moment (SIGKILL), and a new
home reads what is there. Lost: an entry that was there or was told to be saved, and is not. Doubled: one that is there
twice. Broken: a text that cannot be read.
"""

from __future__ import annotations

import datetime as dt
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fakes.dav import dav
from toolmend.tools.toolboxes import Calendar
from toolmend.tools.toolboxes.calendar import Entry
from toolmend.tools.toolboxes.homes import home_of

DAY = dt.date(2026, 12, 1)
HELD = [Entry(f"Held {number}", DAY, dt.time(8 + number % 12), 30) for number in range(20)]


def work(place: str, pipe: int, seed: int) -> None:
    """Change the calendar for ever; every save that came back is told."""
    pick = random.Random(seed)
    home, box = home_of(place), Calendar()
    home.load(box)
    for number in range(10**6):
        added = Entry(f"New {seed} {number}", DAY, dt.time(pick.randrange(24)), 30)
        moved = pick.choice(box.entries)
        rest = [entry for entry in box.entries if entry is not moved]
        box.restore([*rest, replace(moved, date=moved.date + dt.timedelta(days=1)), added])
        home.save(box)
        os.write(pipe, f"{added.title}\n".encode())


def killed(place: str, seed: int) -> list[str]:
    """What a child told to be saved before it was killed."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        try:
            work(place, writing, seed)
        finally:
            os._exit(1)
    os.close(writing)
    time.sleep(random.Random(seed).uniform(0.02, 0.8))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(reading) as lines:
        return lines.read().split("\n")[:-1]


def tried(place: str, kills: int) -> str:
    """The figures of one place."""
    saved = {entry.title for entry in HELD}
    lost, doubled = set[str](), set[str]()
    told = 0
    for seed in range(kills):
        news = killed(place, seed)
        told += len(news)
        saved |= set(news)
        box = Calendar()
        home_of(place).load(box)
        titles = Counter(entry.title for entry in box.entries)
        lost |= saved - set(titles)
        doubled |= {title for title, count in titles.items() if count > 1}
    return f"{kills} kills, {told} saves: {len(lost)} lost, {len(doubled)} doubled, {len(box.unread)} cannot be read"


def main() -> None:
    """Both places."""
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as folder:
        place = str(Path(folder, "one.ics"))
        home_of(place).save(Calendar(HELD))
        print("file   ", tried(place, kills))
    reading, writing = os.pipe()
    server = os.fork()
    if not server:
        with dav() as fake:
            os.write(writing, f"{fake.url}\n".encode())
            signal.pause()
    url = os.fdopen(reading).readline().strip()
    try:
        home = home_of(url)
        home.load(box := Calendar())
        box.restore(HELD)
        home.save(box)
        print("CalDAV ", tried(url, kills))
    finally:
        os.kill(server, signal.SIGKILL)
        os.waitpid(server, 0)


if __name__ == "__main__":
    main()
