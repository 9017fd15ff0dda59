"""Half a head from thousands of sockets, each opened again when it is closed; meanwhile somebody asks how it is.

    python tests/attacks/half_heads.py [--files 256] [--sockets 2000] [--seconds 20] [--workers 1] [--text "GET /hea"]

Prints how long `/healthz` of `toolmend serve` took, how often it did not answer within a second, and how its log grew.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"


@contextmanager
def served(files: int, workers: int = 1) -> Iterator[tuple[tuple[str, int], Path]]:
    """A server that may open so many files; its address, and what it writes."""
    command = [sys.executable, "-m", "toolmend.apps.cli", "serve", "--port", "0", "--workers", str(workers)]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "TOOLMEND_CONFIG": "off"}
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log.txt")
        limited = ["bash", "-c", f'ulimit -n {files} && exec "$@"', "limited", *command]
        with log.open("w") as file, subprocess.Popen(limited, stdout=file, stderr=file, env=environment) as process:
            try:
                while not (found := re.search(r"listening on http://([\d.]+):(\d+)", log.read_text())):
                    assert process.poll() is None, log.read_text()
                    time.sleep(0.05)
                yield (found[1], int(found[2])), log
            finally:
                process.terminate()


class HalfHeads(threading.Thread):
    """So many sockets at once that send a text and no more; `opened` counts them."""

    def __init__(self, address: tuple[str, int], sockets: int, text: bytes) -> None:
        super().__init__(daemon=True)
        self._address, self._most, self._text = address, sockets, text
        self.opened, self.over = 0, False

    def run(self) -> None:
        """Until it is over."""
        with selectors.DefaultSelector() as watched:
            while not self.over:
                while len(watched.get_map()) < self._most and not self.over:
                    self._open(watched)
                    if self.opened % 50 == 0:
                        self._hear(watched, 0)
                self._hear(watched, 0.05)
            for key in list(watched.get_map().values()):
                key.fileobj.close()  # type: ignore[union-attr]

    def _open(self, watched: selectors.BaseSelector) -> None:
        made = socket.socket()
        made.setblocking(False)
        with suppress(BlockingIOError):
            made.connect(self._address)
        watched.register(made, selectors.EVENT_WRITE)
        self.opened += 1

    def _hear(self, watched: selectors.BaseSelector, seconds: float) -> None:
        for key, _ in watched.select(seconds):
            made: socket.socket = key.fileobj  # type: ignore[assignment]
            try:
                if key.events == selectors.EVENT_WRITE:
                    made.send(self._text)
                    watched.modify(made, selectors.EVENT_READ)
                    continue
                gone = not made.recv(1000)
            except OSError:
                gone = True
            if gone:
                watched.unregister(made)
                made.close()


def asked(address: tuple[str, int], seconds: float) -> float:
    """Seconds until it said that it is well; infinity where that took longer than it may."""
    began = time.monotonic()
    try:
        with socket.create_connection(address, timeout=seconds) as made:
            made.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            well = made.recv(1000).startswith(b"HTTP/1.1 200")
    except OSError:
        well = False
    return time.monotonic() - began if well else float("inf")


def main() -> None:
    """Print a line."""
    parser = argparse.ArgumentParser()
    for name, usual in (("files", 256), ("sockets", 2000), ("seconds", 20), ("workers", 1)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--text", default="GET /hea")
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with served(given.files, given.workers) as (address, log):
        before, half = log.read_text().count("\n"), HalfHeads(address, given.sockets, given.text.encode())
        half.start()
        until, took = time.monotonic() + given.seconds, list[float]()
        while time.monotonic() < until:
            time.sleep(0.5)
            took.append(asked(address, 5))
        half.over = True
        half.join()
        lines = log.read_text().count("\n") - before
    late = sum(each > 1 for each in took)
    print(
        f"{given.files} files, {given.sockets} sockets, {given.text!r}: {half.opened} opened; {len(took)} asked,"
        f" {late} later than 1 s, longest {max(took):.2f} s; {lines} lines of log"
    )


if __name__ == "__main__":
    main()
