"""The fake server for a person: `python tests/fakes/server.py --port 8123 [--faults NAME…] [--seed N]`.

toolmend run calendar --model openai/fake?base_url=http://127.0.0.1:8123/v1
OLLAMA_HOST=http://127.0.0.1:8123 toolmend run calendar --model ollama/fake
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

if __name__ == "__main__":
    # Started as a program: the package beside it, and toolmend from this checkout, are found from here.
    sys.path[0:1] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2] / "src")]

from fakes.faults import FAULTS, always, mixture
from fakes.serving import FakeServer

WIDTH = max(map(len, FAULTS))
LISTED = "\n".join(f"  {name:<{WIDTH}}  {each.about}" for name, each in FAULTS.items())


def main() -> None:
    """Serve until interrupted; print every chat and the faults it met."""
    parser = argparse.ArgumentParser(
        description="A fake OpenAI-compatible and Ollama server.",
        epilog=f"faults:\n{LISTED}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--port", type=int, default=8123)
    parser.add_argument("--faults", nargs="+", metavar="NAME", choices=sorted(FAULTS), default=[], help="on every chat")
    parser.add_argument("--seed", type=int, help="random faults instead, of those named or of all")
    parser.add_argument("--rate", type=float, default=0.5, help="share of chats with random faults")
    parser.add_argument("--replies", type=Path, help="a text file: one reply per line, in order, over and over")
    options = parser.parse_args()
    names = options.faults or list(FAULTS)
    faults = always(*options.faults) if options.seed is None else mixture(options.seed, options.rate, names)
    replies = options.replies.read_text(encoding="utf-8").splitlines() if options.replies else ["Hello from the fake."]
    try:
        asyncio.run(serve(FakeServer(replies, faults, port=options.port, retry_after=1)))
    except KeyboardInterrupt:
        print()


async def serve(server: FakeServer) -> None:
    """Listen and tell."""
    async with server:
        print(f"listening: {server.url}/v1 (OpenAI's format), {server.url} (Ollama's)", flush=True)
        told = 0
        while True:
            await asyncio.sleep(0.1)
            for received, met in zip(server.chats[told:], server.met[told:], strict=True):
                print(f"chat {received.number}: {received.api}, faults: {', '.join(met) or 'none'}", flush=True)
                told += 1


if __name__ == "__main__":
    main()
