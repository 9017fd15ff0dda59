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
    """Await `function(*arguments)` in the process-wide loop and return its result.

    Interrupted (Ctrl-C), it cancels what it awaits and waits until that has put things right.
    """
    from anyio import CancelScope

    portal, scopes, stopped, over = _running(), list[CancelScope](), threading.Event(), threading.Event()

    async def watched() -> T | None:
        try:
            with CancelScope() as scope:
                scopes.append(scope)
                if stopped.is_set():  # interrupted before it began
                    scope.cancel()
                return await function(*arguments)
            return None
        finally:
            over.set()

    try:
        result: T = portal.start_task_soon(watched).result()
    except BaseException:
        stopped.set()
        if scopes and not over.is_set():
            portal.call(scopes[0].cancel)
            over.wait()
        raise
    return result


def _running() -> Any:
    """The loop, started by the first who needs it."""
    global _portal
    with _lock:
        if _portal is None:
            from anyio.from_thread import start_blocking_portal

            _portal = _stack.enter_context(start_blocking_portal())
            atexit.register(_stack.close)
    return _portal
