"""`make soak`: an arena, a server, a run and a library at once, with visitors and faults, for many minutes.

    python tests/attacks/soak.py MINUTES [VISITORS]

Told at the end: memory and descriptors of each process after the warm-up (the first third) and at the end, p95 of the
answers by quarter (the last may be half as long again as the second), and whether every vote, sample and source that
was acknowledged is there. Linux. No model is asked: what is measured is what stands around one.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Coroutine
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import httpx2

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

TICK = 2.0  # seconds between two looks at memory, and between two faults
GROWTH, SLOWER = 1.05, 1.5


def forget() -> None:
    """Scripted models keep every request for tests to look at: here that would be growth of the soak's own making."""
    from toolmend.models.scripted import Scripted

    kept = Scripted.reply

    async def reply(self: Any, request: Any, *, on_delta: Any = None) -> Any:
        answer = await kept(self, request, on_delta=on_delta)
        last = len(self.requests[-100:])
        self.requests[-100:] = [None] * last
        return answer

    Scripted.reply = reply  # type: ignore[method-assign]


def arena(folder: str) -> None:
    """An arena of two scripted models on a port."""
    forget()
    from arenas import make
    from toolmend.apps.site.serving import serve
    from toolmend.extras.arena.page.app import make_app

    made = make(f"{folder}/arena.db")
    serve(make_app(made, local=True), "127.0.0.1", 0, lambda url: print(url, flush=True))


def server(_folder: str) -> None:
    """A server whose model says one thing."""
    from toolmend import registry
    from toolmend.apps.server.app import run
    from toolmend.apps.server.settings import ServerSettings
    from toolmend.models.scripted import Scripted

    forget()
    registry.models._table["canned"] = lambda name: Scripted(lambda _: "Hello.", f"canned/{name}")
    run(ServerSettings(models=("canned/text",), port=0), lambda url: print(url, flush=True))


def work(folder: str) -> None:
    """A run that commits samples, and a library that is added to; every tenth file is a bomb."""
    from toolmend.base.events import Asked, Replied
    from toolmend.evals.store import RunConfig, Sample, Store
    from toolmend.extras.knowledge import Library

    print("begun", flush=True)
    with Store(f"{folder}/run.db") as store, Library(f"{folder}/know.db") as library:
        run = store.open_run(RunConfig("soak"))
        for number in count():
            sample = Sample("case", "m", "s", number, events=(Asked(0, "x"), Replied(0, "y" * 300)))
            if store.commit(run, sample):
                print(f"sample {sample.key}", flush=True)
            bomb = number % 10 == 9
            given = Path(folder, "bomb.json" if bomb else f"{number}.md")
            given.write_text(
                '{"cells": [' + "{}," * 100 if bomb else f"# Number {number}\n\nSentence {number} is here."
            )
            for outcome in library.add(str(given)):
                print(f"source {outcome.source}" if outcome.source else f"outcome {outcome.name}", flush=True)
            given.unlink()
            time.sleep(0.1)


ROLES: dict[str, Callable[[str], None]] = {"arena": arena, "server": server, "work": work}


class Soak:
    """What was seen: times of answers by kind, memory and descriptors by process, faults, votes that were taken."""

    def __init__(self, urls: dict[str, str], pids: dict[str, int], end: float) -> None:
        self.urls, self.pids, self.begun, self.end = urls, pids, time.monotonic(), end
        self.times: dict[str, list[tuple[float, float]]] = defaultdict(list)
        self.sizes: dict[str, list[tuple[float, int, int]]] = defaultdict(list)
        self.votes, self.faults, self.statuses, self.chance = 0, Counter[str](), Counter[str](), random.Random(1)

    @property
    def going(self) -> bool:
        """Whether it is not over yet."""
        return time.monotonic() < self.end

    async def asked(self, client: httpx2.AsyncClient, what: str, **about: Any) -> httpx2.Response:
        """A request, timed; `what` is `name METHOD path`."""
        name, method, path = what.split()
        begun = time.monotonic()
        answer = await client.request(method, self.urls[name] + path, **about)
        self.times[name].append((begun, time.monotonic() - begun))
        self.statuses[f"{name} {answer.status_code}"] += 1
        return answer

    async def visit(self, number: int) -> None:
        """One visitor: talks, corrects, votes, asks the server."""
        lunch = f"Lunch with V{number} on 2024-05-03"
        async with httpx2.AsyncClient(follow_redirects=True, timeout=120) as client:
            while self.going:
                await self.asked(client, "arena GET /")
                await self.asked(client, "arena POST /do", data={"do": "send both", "text": lunch})
                await self.asked(client, "arena POST /do", data={"do": "correct left", "text": "It starts at one."})
                await self.asked(client, "arena POST /do", data={"do": "clear both"})
                page = await self.asked(client, "arena POST /battle/do", data={"do": "begin", "text": lunch})
                if desk := re.search(r'name="desk" value="([\w-]+)"', page.text):
                    vote = {"desk": desk[1], "do": "vote left"}
                    answer = await self.asked(client, "arena POST /battle/do", data=vote)
                    self.votes += answer.status_code == 200  # after the answer: others count meanwhile
                body = {
                    "model": "canned/text",
                    "messages": [{"role": "user", "content": "Hi"}],
                    "stream": number % 2 == 0,
                }
                await self.asked(client, "server POST /v1/chat/completions", json=body)
                await asyncio.sleep(self.chance.uniform(1, 4))

    async def fault(self) -> None:
        """One thing after the other that should not be."""
        while self.going:
            name = self.chance.choice(["arena", "server"])
            kind = self.chance.choice(["half a head", "noise", "gone", "another host", "a child is killed"])
            self.faults[kind] += 1
            host, port = self.urls[name].partition("//")[2].split(":")
            texts = {
                "half a head": "GET / HTTP/1.1\r\nHost: localhost\r\nX: ",
                "noise": "\0\1\2\r\n\r\n",
                "gone": "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n{",
                "another host": "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
            }
            if kind in texts:
                with suppress(OSError):
                    _, writer = await asyncio.open_connection(host, int(port))
                    writer.write(texts[kind].encode())
                    await writer.drain()
                    if kind != "half a head":
                        writer.close()
            else:
                pid = self.pids["work"]
                for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
                    with suppress(ProcessLookupError):
                        os.kill(int(child), signal.SIGKILL)
            await asyncio.sleep(TICK)

    async def look(self) -> None:
        """Memory and descriptors, again and again."""
        while self.going:
            for name, pid in self.pids.items():
                status = Path(f"/proc/{pid}/status").read_text()
                rss = int(re.search(r"VmRSS:\s+(\d+)", status)[1])  # type: ignore[index]
                self.sizes[name].append((time.monotonic(), rss, len(os.listdir(f"/proc/{pid}/fd"))))
            await asyncio.sleep(TICK)

    def report(self) -> list[str]:
        """Print what was seen; what is not flat."""
        warm, late = self.begun + (self.end - self.begun) / 3, self.end - (self.end - self.begun) / 3
        wrong: list[str] = []
        for name, sizes in self.sizes.items():
            early = [each for each in sizes if warm <= each[0] < late][: max(1, len(sizes) // 6)]
            final = [each for each in sizes if each[0] >= late][-max(1, len(sizes) // 6) :]
            (rss, fds), (rss_end, fds_end) = (_medians(part) for part in (early, final))
            grown = rss_end / rss - 1
            print(
                f"{name:7} {rss / 1024:7.1f} MiB warm, at the end {rss_end / 1024:7.1f} ({grown:+.0%});"
                f" files {fds:.0f}, {fds_end:.0f}"
            )
            wrong += [f"{name}: memory grew by {grown:.0%}"] if rss_end > GROWTH * rss else []
            wrong += [f"{name}: descriptors grew by {fds_end - fds:.0f}"] if fds_end > fds + 20 else []
        for name, times in self.times.items():
            _, before, _, after = quarters = [_p95(part) for part in self._quarters(times)]
            told = ", ".join(f"{1000 * each:.0f}" for each in quarters)
            print(f"{name:7} {len(times):7,} answers, p95 by quarter {told} ms")
            wrong += [f"{name}: p95 went from {before:.2f} s to {after:.2f} s"] if after > SLOWER * before + 0.1 else []
        print("answers:", ", ".join(f"{times} × {what}" for what, times in sorted(self.statuses.items())))
        print("faults: ", ", ".join(f"{times} × {what}" for what, times in sorted(self.faults.items())))
        return wrong

    def _quarters(self, times: list[tuple[float, float]]) -> list[list[float]]:
        """How long answers took, by the quarter they were asked in; what came after the end belongs to the last."""
        parts: list[list[float]] = [[], [], [], []]
        for at, took in times:
            parts[min(3, int(4 * (at - self.begun) / (self.end - self.begun)))].append(took)
        return parts


def _medians(sizes: list[tuple[float, int, int]]) -> tuple[float, float]:
    return statistics.median(each[1] for each in sizes), statistics.median(each[2] for each in sizes)


def _p95(times: list[float]) -> float:
    return sorted(times)[int(0.95 * len(times))] if times else 0.0


def kept(folder: str, votes: int, told: list[str]) -> list[str]:
    """What was acknowledged and is not there, or twice."""
    from toolmend.evals.store import RunConfig, Store
    from toolmend.extras.arena.records import ArenaRecords
    from toolmend.extras.knowledge import Library

    records = ArenaRecords(f"{folder}/arena.db")
    there = len(records.votes())
    records.close()
    with Store(f"{folder}/run.db") as store, Library(f"{folder}/know.db") as library:
        samples = Counter(sample.key for sample in store.samples(store.open_run(RunConfig("soak"))))
        sources = Counter(source.id for source in library.sources())
    said = {kind: {line.split()[1] for line in told if line.startswith(kind)} for kind in ("sample", "source")}
    print(f"acknowledged and there: votes {votes}, {there} ({max(0, votes - there)} lost);", end=" ")
    print(f"samples {len(said['sample'])}, {samples.total()};", end=" ")
    print(f"sources {len(said['source'])}, {sources.total()}")
    wrong = [f"{votes} votes were taken and {there} are there"] if votes != there else []
    wrong += [f"lost {key}" for key in (said["sample"] - set(samples)) | (said["source"] - set(sources))]
    return wrong + [f"{key} twice" for key, times in (samples + sources).items() if times > 1]


async def soaked(soak: Soak, visitors: int) -> list[str]:
    """Let everybody go on until it is over; what went wrong in a visitor."""
    work: list[Coroutine[Any, Any, None]] = [soak.visit(number) for number in range(visitors)]
    ends = await asyncio.gather(*work, soak.fault(), soak.look(), return_exceptions=True)
    return [f"{type(end).__name__}: {end}"[:200] for end in ends if end is not None]


def main(minutes: float, visitors: int) -> int:
    """Start, soak, stop, tell; the number of things that are not as they should be."""
    with tempfile.TemporaryDirectory(prefix="toolmend-soak-") as folder:
        log = open(f"{folder}/log", "wb")  # noqa: SIM115  # for three processes, until they are over
        command = [sys.executable, __file__, "--role"]
        told = open(f"{folder}/told", "w+")  # noqa: SIM115
        running = {
            name: subprocess.Popen(
                [*command, name, folder], stdout=told if name == "work" else subprocess.PIPE, stderr=log
            )
            for name in ROLES
        }
        try:
            urls = {
                name: process.stdout.readline().decode().strip() for name, process in running.items() if process.stdout
            }
            pids = {name: process.pid for name, process in running.items()}
            soak = Soak(urls, pids, time.monotonic() + 60 * minutes)
            wrong = asyncio.run(soaked(soak, visitors))
            wrong += [f"{name} ended by itself" for name, process in running.items() if process.poll() is not None]
        finally:
            for process in running.values():
                process.send_signal(signal.SIGTERM)
            for process in running.values():
                process.communicate()
        told.seek(0)
        wrong += soak.report() + kept(folder, soak.votes, [line for line in told.read().splitlines() if " " in line])
        print(
            f"{minutes:g} minutes, {visitors} visitors, log {Path(log.name).stat().st_size:,} bytes: {len(wrong)} wrong"
        )
        print(*wrong[:20], sep="\n", end="\n" if wrong else "")
        log.close(), told.close()
        return len(wrong)


if __name__ == "__main__":
    if sys.argv[1] == "--role":
        ROLES[sys.argv[2]](sys.argv[3])
    else:
        sys.exit(min(1, main(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 50)))
