"""Collectors in a process of their own, with limits of memory and time: no parser is trusted with somebody's bytes.

The process gets the bytes and no variable of the environment that could hold a key, and may write no file. What comes
back is JSON. One serves the items of this process one after the other; one that dies takes its item alone along.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import asdict
from typing import IO, Any

from toolmend.base.errors import MissingExtra
from toolmend.extras.knowledge.collect.item import Item
from toolmend.extras.knowledge.collect.reading import Collected, read
from toolmend.extras.knowledge.outcome import Outcome
from toolmend.extras.knowledge.outside import Outside
from toolmend.extras.knowledge.source import source_of

MEMORY = 2 << 30
"""Bytes of address space of the process."""
CPU_SECONDS = 60
"""Seconds of computing for one item."""
SECONDS = 300.0
"""Seconds for one item, waiting counted too."""
_ANSWER = 256 << 20  # characters of one line that is taken from it


class CollectorProcess:
    """A process that reads items. Needs no closing where the program ends: its input ends, too."""

    def __init__(self, memory: int = MEMORY, cpu: int = CPU_SECONDS, seconds: float = SECONDS) -> None:
        self._limits, self._seconds = (memory, cpu), seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._alone = threading.Lock()

    def read(self, item: Item) -> list[Collected]:
        """What `reading.read` finds in an item, or that it took too much. Raises MissingExtra."""
        about = {**{name: value for name, value in asdict(item).items() if name != "data"}, "bytes": len(item.data)}
        with self._alone:
            process = self._begun()
            overdue = threading.Timer(self._seconds, process.kill)
            overdue.start()
            try:
                return _answered(process, json.dumps(about).encode() + b"\n" + item.data)
            except (OSError, ValueError, KeyError, TypeError):  # it is gone, or did not finish its line
                self._close()
                says = f"reading it takes more than {self._limits[0] >> 20:,} MB or {self._limits[1]} s"
                return [Outcome("bomb", item.name, says)]
            finally:
                overdue.cancel()

    def close(self) -> None:
        """End the process; the next item begins another."""
        with self._alone:
            self._close()

    def _begun(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._close()
            pipe = subprocess.PIPE
            command = [sys.executable, "-m", __name__, *map(str, self._limits)]
            self._process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=_environment()
            )
        return self._process

    def _close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            with suppress(OSError):  # what was not written to it yet goes nowhere
                process.communicate()


def read_apart(item: Item) -> list[Collected]:
    """What is in an item, read in the process that this one keeps for it. Raises MissingExtra."""
    return _KEPT.read(item)


_KEPT = CollectorProcess()
atexit.register(_KEPT.close)


def _environment() -> dict[str, str]:
    """Where modules are, and one thread for numpy, whose others would count as memory."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "LANG", "LC_ALL") if name in os.environ}
    alone = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return {**kept, **alone, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"}


def _answered(process: subprocess.Popen[bytes], asked: bytes) -> list[Collected]:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(asked)
    process.stdin.flush()
    told = json.loads(process.stdout.readline(_ANSWER))
    if "missing" in told:
        raise MissingExtra(*told["missing"])
    return [_thing(kind, body) for kind, body in told["found"]]


def _thing(kind: str, body: dict[str, Any]) -> Collected:
    if kind == "Source":
        return source_of(body, body.pop("text"))
    return Outside(**body) if kind == "Outside" else Outcome(**{**body, "notes": tuple(body["notes"])})


def _answer(item: Item) -> dict[str, Any]:
    try:
        return {"found": [(type(thing).__name__, asdict(thing)) for thing in read(item)]}
    except MissingExtra as error:
        return {"missing": (str(error).partition(" needs the extra")[0], error.extra, error.lacks)}


def _limit(memory: int, cpu: int) -> None:
    """So much memory, and so many seconds from now on; no file can be written. Nothing where the system has no such
    limits: there only the clock outside ends it."""
    if sys.platform == "win32":
        return
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    most = (int(used.ru_utime + used.ru_stime) + cpu + 1, memory, 0)
    for which, limit in zip((resource.RLIMIT_CPU, resource.RLIMIT_AS, resource.RLIMIT_FSIZE), most, strict=True):
        with suppress(ValueError, OSError):  # a stricter one holds already
            resource.setrlimit(which, (limit, resource.getrlimit(which)[1]))


def _work(asked: IO[bytes], told: IO[bytes], memory: int, cpu: int) -> None:
    while line := asked.readline():
        about = json.loads(line)
        item = Item(asked.read(about.pop("bytes")), **about)
        _limit(memory, cpu)
        told.write(json.dumps(_answer(item)).encode() + b"\n")
        told.flush()


if __name__ == "__main__":
    answers, sys.stdout = sys.stdout.buffer, sys.stderr  # what a parser prints is no answer
    _work(sys.stdin.buffer, answers, int(sys.argv[1]), int(sys.argv[2]))
