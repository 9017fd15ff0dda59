"""Streams through `toolmend serve --workers 4` while a worker is killed (-9): whose words come to whom, and what then?

    python tests/attacks/streams.py [STREAMS] [SECONDS]

The model is a server of bare sockets, in a process of its own, that says each request's own word again and again. One
worker is killed when every stream has begun. A stream must have no word of another's; it is whole, or it ends without
saying that it is over, and the same request sent again is whole. Linux.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "benchmarks")]
WORDS, WORKERS = 20, 4
WORD = re.compile(rb"own\d+own")


async def stream(port: int, number: int, begun: set[int]) -> bytes:
    """All that comes for a request that has a word of its own; `begun` has its number from its first word on."""
    said = {"role": "user", "content": f"own{number}own"}
    body = json.dumps({"model": "openai/m", "messages": [said], "stream": True}).encode()
    head = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    came = b""
    with suppress(ConnectionError):  # where its worker is killed; what had come is looked at
        writer.write(f"{head}Connection: close\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        while part := await reader.read(65536):
            came += part
            begun |= {number} if WORD.search(came) else set()
    writer.close()
    return came


def ended(came: bytes, number: int) -> str:
    """How a stream ended: whole, cut, or crossed by another's words."""
    words = WORD.findall(came)
    if set(words) - {b"own%down" % number}:
        return "crossed"
    return "whole" if len(words) == WORDS and b"[DONE]" in came else "said to be over" if b"[DONE]" in came else "cut"


async def attacked(port: int, door: int, streams: int) -> int:
    """Print how they ended, before and after those that were cut were asked again; the number that is wrong."""
    begun: set[int] = set()
    asked = asyncio.gather(*(stream(port, number, begun) for number in range(streams)))
    while len(begun) < streams and not asked.done():
        await asyncio.sleep(0.1)
    workers = _workers(door)
    os.kill(workers[0], signal.SIGKILL)
    ends = [ended(came, number) for number, came in enumerate(await asked)]
    cut = [number for number, end in enumerate(ends) if end == "cut"]
    again = await asyncio.gather(*(stream(port, number, begun) for number in cut))
    healed = sum(ended(came, number) == "whole" for number, came in zip(cut, again, strict=True))
    crossed, odd = ends.count("crossed"), ends.count("said to be over")
    print(
        f"{streams} streams, one of {len(workers)} workers killed: {ends.count('whole')} whole, {len(cut)} cut,",
        end=" ",
    )
    print(f"{crossed} crossed, {odd} cut and said to be over; asked again: {healed} of {len(cut)} whole;", end=" ")
    print(f"workers then: {len(_workers(door))}")
    return crossed + odd + len(cut) - healed + (not cut)


def _workers(door: int) -> list[int]:
    children = Path(f"/proc/{door}/task/{door}/children").read_text().split()
    return [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


async def model(pause: float) -> None:
    """A server that says the last word it was sent, WORDS times."""
    from server_streams import upstream

    await upstream(lambda body: WORD.findall(body)[-1].decode(), WORDS, pause)


def main(streams: int, seconds: float) -> int:
    """Start both, attack, stop both."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "OPENAI_API_KEY": "none", "TOOLMEND_CONFIG": "off"}
    command = [sys.executable, __file__, "--model", f"{seconds / WORDS}"]
    upstream = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert upstream.stdout is not None
    name = f"openai/m?base_url=http://127.0.0.1:{int(upstream.stdout.readline())}/v1"
    serve = ["serve", "--port", "0", "--workers", f"{WORKERS}", "--model", name]
    door = subprocess.Popen(
        [sys.executable, "-m", "toolmend.apps.cli", *serve], env=environment, stderr=subprocess.PIPE
    )
    assert door.stderr is not None
    try:
        port = next(int(told[1]) for line in door.stderr if (told := re.search(rb"listening on \S+:(\d+)/v1", line)))
        threading.Thread(target=door.stderr.read, daemon=True).start()  # somebody reads the log, as in life
        return asyncio.run(attacked(port, door.pid, streams))
    finally:
        for process in (door, upstream):
            process.terminate()
            process.wait()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--model"]:
        asyncio.run(model(float(sys.argv[2])))
    else:
        streams, seconds = (float(word) for word in [*sys.argv[1:], "200", "20"][:2])
        sys.exit(min(1, main(int(streams), seconds)))
