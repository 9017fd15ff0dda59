"""`toolmend serve` beside a bare pass-through (Starlette + httpx2), both in front of the same instant upstream.

    python benchmarks/server.py [SECONDS]

Every process has its own interpreter: upstream (the fake server of the tests), pass-through, toolmend as started from
the command line with its log on, and the load, which is bare sockets. The two take turns, a second each, and the median
turn counts: throughput with 16 requests at once, CPU a request of the process itself, median latency with one at a
time. The bars: throughput at least 0.8 x the pass-through's, latency at most 1.2 x.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rows import ROOT, Row

sys.path.insert(0, str(ROOT / "tests"))

Figures = tuple[float, float, float]
AT_ONCE, PIECES = 16, 20
WORDS = " ".join(f"word{number}" for number in range(PIECES))
CALL = ("get_weather", {"city": "Rome"})
TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather in a city",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}
ASKED: dict[str, Any] = {"messages": [{"role": "user", "content": "What is the weather in Rome?"}], "max_tokens": 64}
SCENES: dict[str, dict[str, Any]] = {
    "words": ASKED,
    "words, streamed": {**ASKED, "stream": True},
    "a call": {**ASKED, "tools": [TOOL]},
    "a call, streamed": {**ASKED, "tools": [TOOL], "stream": True},
}


def main() -> None:
    """Print a row per scene: pass-through, toolmend and their ratio, three times."""
    heads = ("requests/s, 16 at once", "ms of CPU a request", "ms, one at a time")
    print(f"{'':<17}" + "".join(f"{head:^26}" for head in heads))
    print(f"{'':<17}" + f"{'through':>9}{'toolmend':>9}{'ratio':>6}  " * 3)
    for scene, (base, ours) in measured(int(sys.argv[1]) if len(sys.argv) > 1 else 5).items():
        cells = zip(base, ours, (0, 2, 2), strict=True)
        print(f"{scene:<17}" + "".join(f"{a:>9,.{d}f}{b:>9,.{d}f}{b / a:>6.2f}  " for a, b, d in cells))


def rows() -> Iterator[Row]:
    """Throughput and median latency of each scene."""
    for scene, (base, ours) in measured(5).items():
        peer = "a bare pass-through"
        yield Row(f"serve, {scene}: 16 at once", peer, "requests/s", ours[0], base[0], more=True, bar=0.8)
        yield Row(f"serve, {scene}: latency", peer, "ms", ours[2], base[2], bar=1.2)


def measured(turns: int) -> dict[str, list[Figures]]:
    """By scene the figures of the pass-through and of toolmend."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "OPENAI_API_KEY": "none", "TOOLMEND_CONFIG": "off"}
    own = [sys.executable, __file__]
    upstream = started([*own, "--upstream"], environment)
    url = f"http://127.0.0.1:{told(upstream)}/v1"
    through = started([*own, "--through", url], environment)
    command = [sys.executable, "-m", "toolmend.apps.cli", "serve", "--port", "0"]
    for name, stream in (("whole", "false"), ("piecewise", "true")):
        command += ["--model", f"openai/{name}?base_url={url}&stream={stream}"]
    serving = started(command, environment, subprocess.PIPE)
    assert serving.stderr is not None
    address = int(serving.stderr.readline().split(":")[-1].partition("/")[0])
    threading.Thread(target=serving.stderr.read, daemon=True).start()  # somebody reads the log, as in life
    servers = [Server(told(through), through.pid), Server(address, serving.pid)]
    try:
        return asyncio.run(measure(servers, turns))
    finally:
        for process in (serving, through, upstream):
            process.terminate()
            process.wait()


@dataclass(frozen=True)
class Server:
    """Where a server listens, and its process."""

    port: int
    pid: int

    def cpu(self) -> float:
        """Seconds of CPU so far (Linux)."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(servers: list[Server], turns: int) -> dict[str, list[Figures]]:
    """The median of each figure of each server, by scene."""
    medians = {}
    for scene, body in SCENES.items():
        raw = json.dumps({"model": f"openai/{'piecewise' if body.get('stream') else 'whole'}", **body}).encode()
        taken = [await turn(servers, raw) for _ in range(turns + 1)][1:]  # the first one warms up
        medians[scene] = [
            (statistics.median(a), statistics.median(b), statistics.median(c))
            for a, b, c in (zip(*(figures[who] for figures in taken), strict=True) for who in range(2))
        ]
    return medians


async def turn(servers: list[Server], raw: bytes) -> list[Figures]:
    """One turn of each server: requests a second, ms of CPU a request, ms of the median request."""
    made = []
    for server in servers:
        before = server.cpu()
        rate, _ = await load(server.port, raw, AT_ONCE, 1.0)
        cpu = 1000 * (server.cpu() - before) / rate
        _, wait = await load(server.port, raw, 1, 0.5)
        made.append((rate, cpu, 1000 * wait))
    return made


async def load(port: int, body: bytes, at_once: int, seconds: float) -> tuple[float, float]:
    """Requests a second, and the median latency, of so many clients that ask without a pause."""
    head = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    asked = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
    until = time.perf_counter() + seconds
    times: list[float] = []

    async def client() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while (began := time.perf_counter()) < until:
            writer.write(asked)
            await answer(reader)
            times.append(time.perf_counter() - began)
        writer.close()

    began = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(at_once)))
    return len(times) / (time.perf_counter() - began), statistics.median(times)


async def answer(reader: asyncio.StreamReader) -> None:
    """Read one answer to its end."""
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    if not head.startswith(b"http/1.1 200"):
        raise SystemExit((head + await reader.read(2000)).decode())
    if b"content-length:" in head:
        await reader.readexactly(int(head.partition(b"content-length:")[2].partition(b"\r\n")[0]))
        return
    while size := int(await reader.readuntil(b"\r\n"), 16):
        await reader.readexactly(size + 2)
    await reader.readexactly(2)


def started(command: list[str], environment: dict[str, str], stderr: int | None = None) -> subprocess.Popen[str]:
    """A process of its own."""
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=stderr, text=True)


def told(process: subprocess.Popen[str]) -> int:
    """The port that a process prints."""
    assert process.stdout is not None
    return int(process.stdout.readline())


async def upstream() -> None:
    """The fake server: words, or a call where there are tools, at once."""
    from fakes import FakeServer
    from toolmend.base.messages import Call, Reply

    def script(received: Any) -> Reply:
        return Reply("", (Call(*CALL),)) if received.body.get("tools") else Reply(WORDS)

    async with FakeServer(script) as server:
        print(server.port, flush=True)
        await asyncio.Event().wait()


def through(upstream: str) -> None:
    """The least that a proxy can do: the body goes on as it came, and so does the answer."""
    import socket

    import httpx2
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response, StreamingResponse
    from starlette.routing import Route

    client = httpx2.AsyncClient(limits=httpx2.Limits(max_connections=None, max_keepalive_connections=32))
    url, kind = f"{upstream}/chat/completions", {"content-type": "application/json"}

    async def chat(request: Request) -> Response:
        body = await request.body()
        if not json.loads(body).get("stream"):
            done = await client.post(url, content=body, headers=kind)
            return Response(done.content, media_type="application/json")
        sent = client.build_request("POST", url, content=body, headers=kind)
        answer = await client.send(sent, stream=True)
        return StreamingResponse(answer.aiter_raw(), media_type="text/event-stream")

    app: Callable[..., Any] = Starlette(routes=[Route("/v1/chat/completions", chat, methods=["POST"])])
    # Said to be TCP: only then asyncio sends at once what is written (TCP_NODELAY), which is worth 40 ms a request.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen(2048)
    print(listening.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False)).run(sockets=[listening])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--upstream"]:
        asyncio.run(upstream())
    elif sys.argv[1:2] == ["--through"]:
        through(sys.argv[2])
    else:
        main()
