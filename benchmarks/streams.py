"""Two hundred streams at once against the fake server, which has a process of its own: memory and CPU of the client.

    python benchmarks/streams.py [10000]

Each reply has 100 pieces. The floors beside it, each in its own process too: bare asyncio sockets that read the same
bytes to their end, and the same with every event read as JSON. Peak memory is to stay flat from 1,000 streams on.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fakes import FakeServer
from toolmend.base.messages import Message, Options, Request
from toolmend.models.ollama import Ollama
from toolmend.models.openai_compat import OpenAICompatible

AT_ONCE, WORDS = 200, 100
TEXT = " ".join(f"word{number}" for number in range(WORDS))
ASKED = Request((Message("user", "Say a hundred words."),), options=Options(max_tokens=WORDS))
ADAPTERS: dict[str, type[OpenAICompatible] | type[Ollama]] = {"openai": OpenAICompatible, "ollama": Ollama}
FLOORS = ("bare", "bare, JSON read")

Stream = Callable[[], Awaitable[int]]


def main() -> None:
    """Print a row per client and milestone, then the ratios."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    command = [sys.executable, __file__]
    print(f"{'client':<16} {'streams':>8} {'ms CPU/stream':>14} {'peak MB':>8} {'streams/s':>10}")
    cpu, grown = {}, {}
    with subprocess.Popen([*command, "--serve"], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        port = server.stdout.readline().strip()
        for client in (*ADAPTERS, *FLOORS):
            done = subprocess.run([*command, "--client", client, port, str(most)], stdout=subprocess.PIPE, check=True)
            rows = [json.loads(line) for line in done.stdout.splitlines()]
            for row in rows:
                print(f"{client:<16} {row['streams']:>8,} {row['cpu']:>14.3f} {row['mb']:>8.1f} {row['rate']:>10.0f}")
            cpu[client], grown[client] = rows[-1]["cpu"], rows[-1]["mb"] / rows[0]["mb"]
        server.kill()
    for client in ADAPTERS:
        ratios = ", ".join(f"{cpu[client] / cpu[floor]:.1f} × the CPU of '{floor}'" for floor in FLOORS)
        print(f"{client}: {ratios}; peak memory × {grown[client]:.2f} since the first milestone")


async def serve() -> None:
    """The fake server, on a port of its own."""
    async with FakeServer([TEXT], pace=0) as server:
        print(server.port, flush=True)
        await anyio.sleep_forever()


async def measure(client: str, port: int, most: int) -> None:
    """Print a line of JSON at each milestone."""
    os.environ.pop("OPENAI_API_KEY", None)
    state = {"begun": 0, "done": 0}
    milestones = sorted({max(1, most // 10), max(1, most // 2), most})
    cpu, wall = time.process_time(), time.perf_counter()

    shared = through(client, port) if client in ADAPTERS else None

    async def work() -> None:
        stream = shared or bare(port, reading=client != "bare")
        while state["begun"] < most:
            state["begun"] += 1
            if await stream() != WORDS:
                raise SystemExit(f"{client}: a stream lost pieces")
            state["done"] += 1
            if state["done"] in milestones:
                spent = (time.process_time() - cpu) / state["done"] * 1000
                row = {"streams": state["done"], "cpu": spent, "rate": state["done"] / (time.perf_counter() - wall)}
                row["mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
                print(json.dumps(row), flush=True)

    async with anyio.create_task_group() as group:
        for _ in range(AT_ONCE):
            group.start_soon(work)


def through(client: str, port: int) -> Stream:
    """A function that reads one stream by way of an adapter and says how many pieces of text came."""
    url = f"http://127.0.0.1:{port}"
    options: dict[str, Any] = {"stream": True, "concurrency": None}
    model = ADAPTERS[client]("fake", base_url=url + ("/v1" if client == "openai" else ""), **options)

    async def stream() -> int:
        pieces: list[str] = []
        reply = await model.reply(ASKED, on_delta=pieces.append)
        return len(pieces) if reply.text == TEXT else 0

    return stream


def bare(port: int, reading: bool) -> Stream:
    """The same by way of a socket that is kept, the least that can be done."""
    kept: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
    body = json.dumps({"model": "fake", "stream": True, "messages": [{"role": "user", "content": "Say words."}]})
    asked = f"POST /v1/chat/completions HTTP/1.1\r\nHost: fake\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()

    async def stream() -> int:
        if not kept:
            kept.append(await asyncio.open_connection("127.0.0.1", port))
        reader, writer = kept[0]
        writer.write(asked)
        await reader.readuntil(b"\r\n\r\n")
        pieces = 0
        while size := int(await reader.readuntil(b"\r\n"), 16):
            piece = (await reader.readexactly(size + 2))[6:]
            if reading and not piece.startswith(b"[DONE]"):
                pieces += bool(json.loads(piece)["choices"][0]["delta"].get("content"))
            else:
                pieces += b'"content": "' in piece and b'"content": ""' not in piece
        await reader.readexactly(2)
        return pieces

    return stream


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        anyio.run(serve)
    elif sys.argv[1:2] == ["--client"]:
        anyio.run(measure, sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        main()
