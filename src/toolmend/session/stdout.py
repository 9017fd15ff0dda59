"""What a tool prints, kept off standard output: there it would stand in the middle of somebody's JSON.

Only what the running call prints is caught, not what others print meanwhile; `print` and `sys.stdout` only, no process
that it starts.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import Any

MOST = 400
"""So many characters of what was printed are kept."""


class Printed:
    """What one call printed: its beginning, and how many characters in all."""

    def __init__(self) -> None:
        self.beginning, self.characters = "", 0

    def write(self, text: str) -> None:
        """Some more of it."""
        self.beginning += text[: MOST - len(self.beginning)]
        self.characters += len(text)

    def __str__(self) -> str:
        more = self.characters - len(self.beginning)
        return self.beginning.rstrip() + (f"… ({more:,} characters more)" if more else "")


_printed: ContextVar[Printed | None] = ContextVar("printed", default=None)
_lock = Lock()


class _Stdout:
    """Standard output for as long as somebody listens."""

    def __init__(self, real: Any) -> None:
        self.real, self.listeners = real, 0

    def write(self, text: str) -> int:
        printed = _printed.get()
        if printed is None:
            self.real.write(text)
        else:
            printed.write(text)
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)


@contextmanager
def caught() -> Iterator[Printed]:
    """What is printed meanwhile, by this task and by threads that run in a copy of its context."""
    printed = Printed()
    with _lock:
        if not isinstance(sys.stdout, _Stdout):
            sys.stdout = _Stdout(sys.stdout)
        out: Any = sys.stdout
        out.listeners += 1
    token = _printed.set(printed)
    try:
        yield printed
    finally:
        _printed.reset(token)
        with _lock:
            out.listeners -= 1
            if not out.listeners and sys.stdout is out:
                sys.stdout = out.real
