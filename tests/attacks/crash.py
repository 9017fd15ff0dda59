"""`make crash`: writers killed (-9) at any moment, or out of disk at any page; what they said is kept is there, once.

    python tests/attacks/crash.py ROUNDS [SEED] [ROOM …]

Four rooms write on SQLite, and on PostgreSQL where a server is installed: samples of a run, sources of a library,
memories, talks of an arena. Two write files, where torch is: steps of `train adapter` and of `teach`. Each goes on at
its place in the next round. A full disk is a limit of pages at which SQLite says so itself, or of a file's bytes, drawn
anew each time; PostgreSQL's is a small file system that is filled (small_disk.py), where one can be had.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from small_disk import SmallDisk

    from toolmend.training.adapter.courses import Course
    from toolmend.training.adapter.teaching import AdapterAsked, Exam

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

FULL = 3  # how a writer ends that was told, in one line, that the disk is full
MOST = 60  # things that a writer says are kept before it is killed


def samples(place: str) -> Iterator[str]:
    """Samples of one run."""
    from toolmend.base.events import Asked, Marked, Replied
    from toolmend.base.mistakes import Mark
    from toolmend.evals.store import RunConfig, Sample, Store

    with Store(place) as store:
        run = store.open_run(RunConfig("crash"))
        for attempt in count(len(store.done_keys(run))):
            events = (Asked(0, "x" * attempt), Replied(0, "y" * 300), Marked(0, (Mark.CORRECT,)))
            if store.commit(run, sample := Sample("case", "m", "s", attempt, events=events)):
                yield sample.key


def kept_samples(place: str) -> list[str]:
    """The samples that are there."""
    from toolmend.evals.store import RunConfig, Store

    with Store(place) as store:
        return [sample.key for sample in store.samples(store.open_run(RunConfig("crash")))]


def sources(place: str) -> Iterator[str]:
    """Sources of a library, each with its chunks."""
    from toolmend.extras.knowledge import Library, Source
    from toolmend.extras.knowledge.collect import Item, read

    with Library(place) as library:
        for number in count(sum(1 for _ in library.sources())):
            text = f"---\nlanguage: en\n---\n# Number {number}\n\n" + f"Sentence {number} stands here. " * 60
            (source,) = read(Item(text.encode(), f"{number}.md", f"https://a.example/{number}"))
            if isinstance(source, Source):
                yield library.keep(source).source


def kept_sources(place: str) -> list[str]:
    """The sources that are there with chunks."""
    from toolmend.extras.knowledge import Library

    with Library(place) as library:
        return [source.id for source in library.sources() if library.chunks(source.id)]


def memories(place: str) -> Iterator[str]:
    """Memories."""
    from toolmend.extras.memory import Stream

    with Stream(place, "crash") as stream:
        for number in count(stream.newest()):
            yield stream.remember(f"The count is {number}.").id


def kept_memories(place: str) -> list[str]:
    """The memories that are there, whatever became of them, as the history has it."""
    from toolmend.extras.memory import Stream
    from toolmend.extras.memory.memory import STATES

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


def _asked(folder: Path, kind: str) -> AdapterAsked:
    """A training of a few steps over a tiny base, saved after every one."""
    from tiny_llama import write_base
    from toolmend.training.adapter import teaching
    from toolmend.training.adapter.courses import WrittenCourse
    from toolmend.training.adapter.loop import Schedule
    from toolmend.training.teach.course import Taught
    from toolmend.training.teach.exam import take_exam
    from toolmend.training.teach.teach import prepared, proposed

    teaching._TRIAL = 0.0
    folder.mkdir(parents=True, exist_ok=True)
    base, examples = folder.parent / "tiny.gguf", folder.parent / "shop_examples.txt"
    if not base.exists():
        write_base(base.with_suffix(".part")).replace(base)
    course: Course = WrittenCourse("tools")
    exam: Exam | None = None
    if kind == "teach":
        examples.write_text(proposed("shop"), encoding="utf-8")
        kit = prepared("shop", examples)
        course, exam = Taught(kit, "taught the shop"), partial(take_exam, kit, 1)
    about: dict[str, Any] = {
        "out": folder / "out",
        "work": folder / "work",
        "course": course,
        "tokens": 4_000,
        "threads": 1,
    }
    return teaching.AdapterAsked(base=str(base), **about, rank=2, plan=Schedule(0, step=800, warmup=1), exam=exam)


def lessons(kind: str) -> Callable[[str], Iterator[str]]:
    """Steps of one training after the other, each finished with its folder and exam."""

    def steps(place: str) -> Iterator[str]:
        from toolmend.training.adapter.teaching import train_adapter

        os.environ["XDG_CACHE_HOME"] = f"{place}/cache"
        done = len(list(Path(place).glob("*/out/README.md")))
        for number in count(done):
            asked = _asked(Path(place, f"{number}"), kind)
            while True:
                told = list[dict[str, Any]]()
                train_adapter(asked, told.append, lambda _: None, partial(bool, told))  # one step, and stop
                if not told:
                    break  # all steps are made: now the folder was written, and the exam taken
                yield f"{number}/{told[-1]['step']}/{told[-1]['loss']:.4f}"
            yield f"{number}/done"

    return steps


def kept_lessons(place: str) -> list[str]:
    """The steps that are there, and the trainings that are finished."""
    import torch

    found = []
    for folder in sorted(Path(place).glob("[0-9]*")):
        if (folder / "work" / "state.pt").exists():
            curve = torch.load(folder / "work" / "state.pt", weights_only=True)["progress"]["curve"]
            last = [[loss for _, loss in curve[max(0, step - 20) : step]] for step in range(1, len(curve) + 1)]
            found += [f"{folder.name}/{step}/{sum(some) / len(some):.4f}" for step, some in enumerate(last, 1)]
        if (folder / "out" / "README.md").exists():
            assert json.loads((folder / "out" / "toolmend.json").read_text())["figures"]
            found.append(f"{folder.name}/done")
    return found


@dataclass(frozen=True)
class Room:
    """Who writes, who reads what is there, and on what: `sqlite`, `postgres` or `files`."""

    write: Callable[[str], Iterator[str]]
    read: Callable[[str], list[str]]
    on: str = "sqlite"


_TABLES = {
    "run": (samples, kept_samples),
    "know": (sources, kept_sources),
    "memory": (memories, kept_memories),
    "arena": (talks, kept_talks),
}
ROOMS: dict[str, Room] = {
    **{name: Room(*both) for name, both in _TABLES.items()},
    **{f"{name}-pg": Room(*both, on="postgres") for name, both in _TABLES.items()},
    **{kind: Room(lessons(kind), kept_lessons, on="files") for kind in ("train", "teach")},
}


def write(room: str, place: str, limit: int) -> int:
    """The writer: says what is kept, until it is killed or the disk is full (`limit`: pages, or bytes of a file)."""
    import sqlalchemy as sa

    from toolmend.base.errors import ToolmendError

    if limit and ROOMS[room].on == "files":
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    elif limit and ROOMS[room].on == "sqlite":
        sa.event.listen(sa.Engine, "connect", lambda made, _: made.execute(f"PRAGMA max_page_count = {limit}").close())
    try:
        for kept in ROOMS[room].write(place):
            print(kept, flush=True)
    except (ToolmendError, OSError) as error:
        print(error, file=sys.stderr)
        return FULL
    return 0


def round_of(chance: random.Random, room: str, place: str, disk: SmallDisk | None) -> tuple[str, list[str], str]:
    """Kill a writer, or let it run out of disk: how it ended, what it said was kept, and what is wrong with its end."""
    on = ROOMS[room].on
    fills = (disk is not None if on == "postgres" else Path(place).exists()) and chance.random() < 0.4
    limit = _limit(chance, on, place) if fills else 0
    filled = disk.full(limit) if fills and disk and on == "postgres" else nullcontext()
    command = [sys.executable, __file__, "--write", room, place, str(limit)]
    with filled, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None and writer.stderr is not None
        most = MOST if on != "files" else MOST // 5
        lines = [writer.stdout.readline() for _ in range(chance.randrange(most))] if not fills else []
        if not fills:
            sleep(chance.random() * 0.05)  # anywhere between two of them
            writer.send_signal(signal.SIGKILL)
        lines += writer.stdout.readlines()
        said = writer.stderr.read().strip()
    good = writer.returncode == (FULL if fills else -signal.SIGKILL) and "\n" not in said and "sqlalche" not in said
    odd = "" if good else said[-300:] or "it ended itself"
    return "full" if fills else "killed", [line.strip() for line in lines if line.endswith("\n")], odd


def _limit(chance: random.Random, on: str, place: str) -> int:
    """Bytes of a file, fewer than the 72,000 of a state: with more the writer would go on; bytes that are left of a
    disk, less than the server's next piece of log; or pages, a few more than are there."""
    if on != "sqlite":
        return chance.randrange(1, 70_000 if on == "files" else 1 << 20)
    with sqlite3.connect(place) as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.close()
    return int(pages) + chance.randrange(40)


def sound(place: str) -> bool:
    """Whether SQLite finds nothing wrong."""
    with sqlite3.connect(place) as connection:
        (found,) = connection.execute("PRAGMA integrity_check").fetchone()
    connection.close()
    return bool(found == "ok")


def places(folder: str, wanted: list[str], stack: ExitStack) -> tuple[dict[str, str], SmallDisk | None]:
    """Where each room writes, and PostgreSQL's disk; a room that cannot be here is told and left out."""
    from small_disk import small_disk

    from postgres import MISSING, binaries, started

    found = {name: f"{folder}/{name}{'.db' * (ROOMS[name].on == 'sqlite')}" for name in wanted}
    tables = [name for name in wanted if ROOMS[name].on == "postgres"]
    server, disk = binaries() if tables and find_spec("psycopg") else None, None
    if server:
        disk = stack.enter_context(small_disk(server))
        running = disk.server if disk else stack.enter_context(started(server))
        found |= {name: stack.enter_context(running.database()) for name in tables}
        print(
            "" if disk else "PostgreSQL's disk is not filled: a file system of its own takes Linux and root\n", end=""
        )
    left_out = {name: MISSING for name in tables if not server}
    if not find_spec("torch"):
        left_out |= {name: "torch is not installed" for name in wanted if ROOMS[name].on == "files"}
    print(*(f"{name}: not here: {why}" for name, why in left_out.items()), sep="\n", end="\n" if left_out else "")
    return {name: place for name, place in found.items() if name not in left_out}, disk


def main(rounds: int, seed: int, wanted: list[str]) -> int:
    """Print what came of it; the number of things lost, doubled or wrong."""
    chance, told, ends, wrong = random.Random(seed), defaultdict[str, set[str]](set), Counter[str](), list[str]()
    with ExitStack() as stack:
        where, disk = places(stack.enter_context(tempfile.TemporaryDirectory(prefix="toolmend-crash-")), wanted, stack)
        for number in range(rounds):
            room = list(where)[number % len(where)]
            how, kept, odd = round_of(chance, room, where[room], disk)
            ends[f"{room} {how}"] += 1
            told[room] |= set(kept)
            wrong += [f"{room} {how}: {odd}"] if odd else []
        for room, place in where.items():
            begun = ROOMS[room].on == "postgres" or Path(place).exists()
            found = Counter(ROOMS[room].read(place) if begun else ())
            wrong += [f"{room} lost {each}" for each in told[room] - set(found)]
            wrong += [f"{room} has {each} {times} times" for each, times in found.items() if times > 1]
            wrong += [f"{room}: its file is damaged"] if begun and place.endswith(".db") and not sound(place) else []
            print(f"{room:9} {len(told[room]):5} acknowledged, {found.total():5} there")
    print(*(f"{times:3} × {what}" for what, times in sorted(ends.items())), sep="\n")
    print(*([f"{disk.ends:3} of the full disks ended the server of PostgreSQL itself"] if disk else []))
    print(f"{rounds} rounds (seed {seed}): {len(wrong)} lost, doubled, damaged or unexplained")
    print(*wrong[:20], sep="\n", end="\n" if wrong else "")
    return len(wrong)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        sys.exit(write(sys.argv[2], sys.argv[3], int(sys.argv[4])))
    rooms = sys.argv[3:] or list(ROOMS)
    sys.exit(min(1, main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1, rooms)))
