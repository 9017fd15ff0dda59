"""`make crash`: writers killed (-9) at any moment, or out of disk at any page; what they said is kept is there, once.

    python tests/attacks/crash.py ROUNDS [SEED]

Four rooms write on SQLite: samples of a run, sources of a library, memories, talks of an arena. Each goes on at its
place in the next round. A full disk is a limit of pages at which SQLite says so itself, drawn anew each time.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import count
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

FULL = 3  # how a writer ends that was told, in one line, that the disk is full
MOST = 60  # things that a writer says are kept before it is killed


def samples(place: str) -> Iterator[str]:
    """Samples of one run."""
    from toolmend.events import Asked, Marked, Replied
    from toolmend.mistakes import Mark
    from toolmend.store import RunConfig, Sample, Store

    with Store(place) as store:
        run = store.open_run(RunConfig("crash"))
        for attempt in count(len(store.done_keys(run))):
            events = (Asked(0, "x" * attempt), Replied(0, "y" * 300), Marked(0, (Mark.CORRECT,)))
            if store.commit(run, sample := Sample("case", "m", "s", attempt, events=events)):
                yield sample.key


def kept_samples(place: str) -> list[str]:
    """The samples that are there."""
    from toolmend.store import RunConfig, Store

    with Store(place) as store:
        return [sample.key for sample in store.samples(store.open_run(RunConfig("crash")))]


def sources(place: str) -> Iterator[str]:
    """Sources of a library, each with its chunks."""
    from toolmend.knowledge import Library, Source
    from toolmend.knowledge.collect import Item, read

    with Library(place) as library:
        for number in count(sum(1 for _ in library.sources())):
            text = f"---\nlanguage: en\n---\n# Number {number}\n\n" + f"Sentence {number} stands here. " * 60
            (source,) = read(Item(text.encode(), f"{number}.md", f"https://a.example/{number}"))
            if isinstance(source, Source):
                yield library.keep(source).source


def kept_sources(place: str) -> list[str]:
    """The sources that are there with chunks."""
    from toolmend.knowledge import Library

    with Library(place) as library:
        return [source.id for source in library.sources() if library.chunks(source.id)]


def memories(place: str) -> Iterator[str]:
    """Memories, each in place of the one before."""
    from toolmend.memory import Stream

    with Stream(place, "crash") as stream:
        last: str | None = None
        for number in count(stream.newest()):
            last = stream.remember(f"The count is {number}.", supersedes=last).id
            yield last


def kept_memories(place: str) -> list[str]:
    """The memories that are there, whatever became of them, as the history has it."""
    from toolmend.memory import Stream
    from toolmend.memory.memory import STATES

    with Stream(place, "crash") as stream:
        found = [memory.id for memory in stream.memories(states=STATES)]
        told = sum(did == "remembered" for _, did, _, _ in stream.history())
        return found if told == len(found) else []


async def _talks(place: str) -> AsyncIterator[str]:
    from arenas import make

    arena = make(place)
    desk = await arena.open("ann")
    for number in count():
        if len(desk.left.talk.turns) > 40:
            await desk.clear("left")
        talk = desk.left.talk
        await desk.send("left", f"Lunch with N{number}x{os.getpid()} on 2024-05-03")
        if desk.left.problem:
            raise OSError(desk.left.problem)
        yield f"{talk.id}/N{number}x{os.getpid()}"


def talks(place: str) -> Iterator[str]:
    """Turns of talks."""
    loop, said = asyncio.new_event_loop(), _talks(place)
    while True:
        yield loop.run_until_complete(anext(said))


def kept_talks(place: str) -> list[str]:
    """The turns that are there, each with its entry in the world of its talk."""
    from arenas import make

    async def found() -> list[str]:
        arena, told = make(place), list[str]()
        for entry in await arena.history():
            side = await arena.conversation(entry.id)
            told += [f"{entry.id}/{turn.said.split()[2]}" for turn in side.turns]
        arena.close()
        return told

    return asyncio.run(found())


ROOMS: dict[str, tuple[Callable[[str], Iterator[str]], Callable[[str], list[str]]]] = {
    "run": (samples, kept_samples),
    "know": (sources, kept_sources),
    "memory": (memories, kept_memories),
    "arena": (talks, kept_talks),
}


def write(room: str, place: str, pages: int) -> int:
    """The writer: says what is kept, until it is killed or the disk is full."""
    import sqlalchemy as sa

    from toolmend.errors import ToolmendError

    if pages:
        sa.event.listen(sa.Engine, "connect", lambda made, _: made.execute(f"PRAGMA max_page_count = {pages}").close())
    try:
        for kept in ROOMS[room][0](place):
            print(kept, flush=True)
    except (ToolmendError, OSError) as error:
        print(error, file=sys.stderr)
        return FULL
    return 0


def round_of(chance: random.Random, room: str, place: Path) -> tuple[str, list[str], str]:
    """Kill a writer, or let it run out of disk: how it ended, what it said was kept, and what is wrong with its end."""
    pages = _pages(place) + chance.randrange(40) if place.exists() and chance.random() < 0.4 else 0
    command = [sys.executable, __file__, "--write", room, str(place), str(pages)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None and writer.stderr is not None
        lines = [writer.stdout.readline() for _ in range(chance.randrange(MOST))] if not pages else []
        if not pages:
            writer.send_signal(signal.SIGKILL)
        lines += writer.stdout.readlines()
        said = writer.stderr.read().strip()
    good = writer.returncode == (FULL if pages else -signal.SIGKILL) and "\n" not in said and "sqlalche" not in said
    how = "full" if pages else "killed"
    return (
        how,
        [line.strip() for line in lines if line.endswith("\n")],
        "" if good else said[-300:] or "it ended itself",
    )


def _pages(place: Path) -> int:
    with sqlite3.connect(place) as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.close()
    return int(pages)


def sound(place: Path) -> bool:
    """Whether SQLite finds nothing wrong."""
    with sqlite3.connect(place) as connection:
        (found,) = connection.execute("PRAGMA integrity_check").fetchone()
    connection.close()
    return bool(found == "ok")


def main(rounds: int, seed: int) -> int:
    """Print what came of it; the number of things lost, doubled or wrong."""
    chance, told, ends, wrong = random.Random(seed), defaultdict[str, set[str]](set), Counter[str](), list[str]()
    with tempfile.TemporaryDirectory(prefix="toolmend-crash-") as folder:
        for number in range(rounds):
            room = list(ROOMS)[number % len(ROOMS)]
            place = Path(folder, f"{room}.db")
            how, kept, odd = round_of(chance, room, place)
            ends[f"{room} {how}"] += 1
            told[room] |= set(kept)
            wrong += [f"{room} {how}: {odd}"] if odd else []
        for room, (_, read) in ROOMS.items():
            place = Path(folder, f"{room}.db")
            found = Counter(read(str(place))) if place.exists() else Counter[str]()
            wrong += [f"{room} lost {each}" for each in told[room] - set(found)]
            wrong += [f"{room} has {each} {times} times" for each, times in found.items() if times > 1]
            wrong += [] if not place.exists() or sound(place) else [f"{room}: its file is damaged"]
            print(f"{room:7} {len(told[room]):5} acknowledged, {found.total():5} there")
    print(*(f"{times:3} × {what}" for what, times in sorted(ends.items())), sep="\n")
    print(f"{rounds} rounds (seed {seed}): {len(wrong)} lost, doubled, damaged or unexplained")
    print(*wrong[:20], sep="\n", end="\n" if wrong else "")
    return len(wrong)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        sys.exit(write(sys.argv[2], sys.argv[3], int(sys.argv[4])))
    sys.exit(min(1, main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)))
