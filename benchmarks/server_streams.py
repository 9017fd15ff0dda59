"""A thousand streams at once through `toolmend serve`, three times over: does every one end whole, is memory flat?

    python benchmarks/server_streams.py [STREAMS]

Upstream is bare sockets in a process of its own, which say a word every two seconds, six in all. Printed are seconds,
how many streams came whole, and the server's memory (VmRSS): at the peak of each round and after it (Linux).
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

ROUNDS, WORDS, PAUSE = 3, 6, 2.0
CHUNK = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}


def main() -> None:
    """Start both, measure, stop both."""
    streams = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    root = Path(__file__).parents[1]
    environment = {
        **os.environ,
        "PYTHONPATH": str(root / "src"),
        "OPENAI_API_KEY": "none",
        "TOOLMEND_CONFIG": "off",
    }
    upstream = subprocess.Popen([sys.executable, __file__, "--upstream"], stdout=subprocess.PIPE, text=True)
    assert upstream.stdout is not None
    url = f"http://127.0.0.1:{int(upstream.stdout.readline())}/v1"
    command = [sys.executable, "-m", "toolmend.apps.cli", "serve", "--port", "0"]
    serving = subprocess.Popen(
        [*command, "--model", f"openai/m?base_url={url}"], env=environment, stderr=subprocess.PIPE, text=True
    )
    assert serving.stderr is not None
    port = int(serving.stderr.readline().split(":")[-1].partition("/")[0])
    threading.Thread(target=serving.stderr.read, daemon=True).start()  # somebody reads the log, as in life
    try:
        asyncio.run(measure(port, serving.pid, streams))
    finally:
        for process in (serving, upstream):
            process.terminate()
            process.wait()


async def measure(port: int, pid: int, streams: int) -> None:
    """Print a row per round."""
    print(f"before: {memory(pid):.0f} MiB")
    for number in range(1, ROUNDS + 1):
        began, peak = time.perf_counter(), 0.0
        asked = asyncio.gather(*(client(port) for _ in range(streams)))
        while not asked.done():
            await asyncio.sleep(0.5)
            peak = max(peak, memory(pid))
        whole = sum(await asked)
        seconds = time.perf_counter() - began
        print(f"round {number}: {seconds:.1f} s, {whole:,} of {streams:,} whole,", end=" ")
        print(f"peak {peak:.0f} MiB, after {memory(pid):.0f} MiB", flush=True)


async def client(port: int) -> bool:
    """One stream, read to its end; whether it had every word and said that it was over."""
    body = json.dumps({"model": "openai/m", "messages": [{"role": "user", "content": "Hi"}], "stream": True}).encode()
    head = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"{head}Connection: close\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    came = await reader.read(-1)
    writer.close()
    return came.count(b"word ") == WORDS and b"[DONE]" in came


def memory(pid: int) -> float:
    """MiB of a process in memory."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


async def upstream(word: Callable[[bytes], str] = lambda _: "word", words: int = WORDS, pause: float = PAUSE) -> None:
    """A server that slowly says, so many times, the word that the body of a request comes to."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
        try:
            while True:
                asked = (await reader.readuntil(b"\r\n\r\n")).lower()
                size = int(asked.partition(b"content-length:")[2].partition(b"\r\n")[0])
                said = word(await reader.readexactly(size))
                writer.write(head)
                for _ in range(words):
                    writer.write(chunked(event({"content": f"{said} "}, None)))
                    await writer.drain()
                    await asyncio.sleep(pause)
                writer.write(chunked(event({}, "stop") + b"data: [DONE]\n\n") + b"0\r\n\r\n")
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=2048)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def event(delta: dict[str, str], finish: str | None) -> bytes:
    """A chunk of a chat completion as an event."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return f"data: {json.dumps({**CHUNK, 'choices': [choice]})}\n\n".encode()


def chunked(data: bytes) -> bytes:
    """A piece of a body of unknown length."""
    return b"%x\r\n%s\r\n" % (len(data), data)


if __name__ == "__main__":
    asyncio.run(upstream()) if sys.argv[1:2] == ["--upstream"] else main()
