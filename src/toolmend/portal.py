"""One event loop in a thread of its own, for sync doors: they work in scripts, notebooks and inside running loops."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Any, TypeVar

T = TypeVar("T")

_lock = threading.Lock()
_stack = ExitStack()
_portal: Any = None


def run_sync(function: Callable[..., Awaitable[T]], *arguments: Any) -> T:
    """Await `function(*arguments)` in the process-wide loop and return its result."""
    global _portal
    with _lock:
        if _portal is None:
            from anyio.from_thread import start_blocking_portal

            _portal = _stack.enter_context(start_blocking_portal())
            atexit.register(_stack.close)
    result: T = _portal.call(function, *arguments)
    return result
