"""Fifty visitors in the arena at once, as the page's script asks for them: forms and streams, a cookie each.

    python benchmarks/arena.py [VISITORS] [SECONDS]      # default: 50 visitors who arrive over 10 seconds

The server is a process of its own with an instant model; the load is another. Every visitor loads the page, says three
things to both sides and waits for the answers. First token: from the press to the first piece of a reply in the stream.
Lost: an answer that did not come, or is not on the visitor's desk at the end. Crossed: somebody else's words in the
stream or on the desk. CPU: of the server, for a whole visit. One visitor alone comes first, on the same server.
Bar: nothing lost or crossed, p95 <= 1 s. The figures are those of a machine that does nothing else.
"""

from __future__ import annotations

import asyncio
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "src"))

import httpx2  # noqa: E402

TURNS, PATIENCE = 3, 120.0
HEARD = re.compile(r"Heard V(\d+)T(\d+)")


@dataclass(slots=True)
class Visit:
    """What one visitor saw. Seconds are those of each turn: to the first piece, and to the end."""

    number: int
    page: float = 0.0
    first: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)
    lost: int = 0
    crossed: set[str] = field(default_factory=set)


def main() -> None:
    """Print a row for one visitor and one for many."""
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 10.0
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [sys.executable, __file__, "--serve", str(Path(folder) / "arena.db")], stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout is not None
            url = server.stdout.readline().strip()
            asyncio.run(measure(url, server.pid, many, seconds))
        finally:
            server.terminate()
            server.wait()
            if server.stdout is not None:
                server.stdout.close()


async def measure(url: str, server: int, many: int, seconds: float) -> None:
    """One visitor who warms the server up and does not count, one alone, then all."""
    await visit(url, 9000)
    print(f"{'visitors':>8} {'page':>7} {'first p50':>10} {'first p95':>10} {'first max':>10} {'turn p95':>9}", end="")
    print(f" {'lost':>5} {'crossed':>8} {'CPU/visit':>10}")
    before = cpu(server)
    show([await visit(url, 9001)], server, before)
    before = cpu(server)
    tasks = [asyncio.create_task(_later(url, number, seconds * number / many)) for number in range(many)]
    show(await asyncio.gather(*tasks), server, before)


def cpu(process: int) -> float:
    """Seconds of CPU that a process has used (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def show(visits: list[Visit], server: int, before: float) -> None:
    """A row, in milliseconds."""
    used = 1e3 * (cpu(server) - before) / len(visits)
    first = [each for one in visits for each in one.first]
    whole = [each for one in visits for each in one.whole]
    pages = statistics.median(one.page for one in visits)
    cells = [f"{len(visits):>8}", f"{1e3 * pages:>7.0f}", f"{1e3 * quantile(first, 0.5):>10.0f}"]
    cells += [f"{1e3 * quantile(first, 0.95):>10.0f}", f"{1e3 * max(first, default=0):>10.0f}"]
    cells += [f"{1e3 * quantile(whole, 0.95):>9.0f}"]
    cells += [
        f"{sum(one.lost for one in visits):>5}",
        f"{sum(len(one.crossed) for one in visits):>8}",
        f"{used:>10.0f}",
    ]
    print(" ".join(cells), flush=True)


def quantile(values: list[float], share: float) -> float:
    """The smallest value that at least this share of them do not pass; NaN where there are none."""
    return sorted(values)[max(0, -int(-share * len(values) // 1) - 1)] if values else float("nan")


async def _later(url: str, number: int, after: float) -> Visit:
    await asyncio.sleep(after)
    return await visit(url, number)


async def visit(url: str, number: int) -> Visit:
    """Come, talk, and look at the desk afterwards."""
    made = Visit(number)
    async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE) as browser:
        begun = time.perf_counter()
        await browser.get("/")
        made.page = time.perf_counter() - begun
        for turn in range(TURNS):
            await _said(browser, f"V{number}T{turn} lunch, please", made, f"Heard V{number}T{turn}")
        desk = (await browser.get("/")).text
    _read(desk, made)
    sides = desk.split('class="side"')[1:]
    made.lost += sum(f"Heard V{number}T{turn}&" not in side for side in sides for turn in range(TURNS))
    made.lost += 2 * TURNS if len(sides) != 2 else 0
    return made


async def _said(browser: httpx2.AsyncClient, text: str, made: Visit, awaited: str) -> None:
    """Say it to both and follow the stream to its end."""
    begun = time.perf_counter()
    sent = await browser.post("/do", data={"do": "send both", "text": text}, headers={"x-parts": "1"})
    first = awaited in sent.raise_for_status().text
    if first:
        made.first.append(time.perf_counter() - begun)
    async with browser.stream("GET", "/live") as stream:
        async for line in stream.aiter_lines():
            _read(line, made)
            if awaited in line and not first:
                first = True
                made.first.append(time.perf_counter() - begun)
    made.whole.append(time.perf_counter() - begun)
    made.lost += not first


def _read(text: str, made: Visit) -> None:
    made.crossed |= {found[0] for found in HEARD.finditer(text) if found[1] != str(made.number)}


def serve(place: str) -> None:
    """The arena with an instant model that says back whom it heard, until it is told to stop."""
    from toolmend.apps.site.serving import serve as run
    from toolmend.base.messages import Request
    from toolmend.extras.arena import Arena, Contestant
    from toolmend.extras.arena.page.app import make_app
    from toolmend.models.scripted import Scripted

    def heard(request: Request) -> str:
        said = [message.content for message in request.messages if message.role == "user"][-1]
        return f'action.add_calendar_entry("Heard {said.split()[0]}", date="2024-05-03", time="12:00")'

    models = {name: Scripted(heard, name) for name in ("instant/left", "instant/right")}
    arena = Arena(place, [Contestant(name, "oneline") for name in models], models=models)
    run(make_app(arena, local=True), "127.0.0.1", 0, lambda url: print(url, flush=True))
    arena.close()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(sys.argv[2])
    else:
        main()
