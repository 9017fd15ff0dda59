"""Rows of the table that table.py keeps: ours beside a peer, measured in turns in one run, so that a busy machine slows
both. A benchmark gives its own by `rows()`; a peer that needs another Python answers turns over a pipe.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
PEERS = Path(os.environ.get("TOOLMEND_PEERS") or ROOT / ".venv-peers" / "bin" / "python")


class Missing(Exception):
    """A peer, or what it needs, is not here."""


@dataclass(frozen=True)
class Row:
    """Two figures in one unit. `more`: more is better; `bar`: the ratio that is due, None where none is stated."""

    what: str
    against: str
    unit: str
    ours: float
    peer: float
    more: bool = False
    bar: float | None = None

    @property
    def ratio(self) -> float:
        """Ours through the peer's."""
        return self.ours / self.peer


def in_turns(ours: Callable[[], float], peer: Callable[[], float], rounds: int = 5) -> tuple[float, float]:
    """Medians of both after a turn each that does not count."""
    taken = [(ours(), peer()) for _ in range(rounds + 1)][1:]
    return statistics.median(one for one, _ in taken), statistics.median(other for _, other in taken)


def python_with(module: str) -> str:
    """A Python that has a module: this one, else that of the peers. Raises Missing."""
    if find_spec(module):
        return sys.executable
    asked = [str(PEERS), "-c", f"import importlib.util, sys; sys.exit(not importlib.util.find_spec({module!r}))"]
    if not PEERS.exists() or subprocess.run(asked, check=False).returncode:
        raise Missing(f"{module} is not installed: pip install it where {PEERS.name} is TOOLMEND_PEERS")
    return str(PEERS)


class Peer:
    """A process that measures a turn of a module whenever it is asked to: peers.py, in a Python that has the module."""

    def __init__(self, module: str, *words: str) -> None:
        command = [python_with(module), "-W", "ignore", str(ROOT / "benchmarks" / "peers.py"), module, *words]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Peer:
        """The process."""
        return self

    def __exit__(self, *_error: object) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait()

    def turn(self) -> float:
        """What a turn took. Raises Missing where the process gave up."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write("turn\n")
        self._process.stdin.flush()
        for line in self._process.stdout:
            if line.startswith("took "):
                return float(line[5:])
        raise Missing(f"the peer's process ended with {self._process.wait()}")
