"""One event loop in a thread of its own, for sync doors: they work in scripts, notebooks and inside running loops."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Any, Generic, TypeVar

T = TypeVar("T")

_lock = threading.Lock()
_stack = ExitStack()
_portal: Any = None


class Job(Generic[T]):
    """`function(*arguments)` under way in the process-wide loop."""

    def __init__(self, function: Callable[..., Awaitable[T]], *arguments: Any) -> None:
        from anyio import CancelScope

        self._portal, self._scopes = _running(), list[CancelScope]()
        self._stopped, self._over = threading.Event(), threading.Event()

        async def watched() -> T | None:
            try:
                with CancelScope() as scope:
                    self._scopes.append(scope)
                    if self._stopped.is_set():  # cancelled before it began
                        scope.cancel()
                    return await function(*arguments)
                return None
            finally:
                self._over.set()

        self._future = self._portal.start_task_soon(watched)

    def result(self) -> T:
        """What it returned or raised. Interrupted (Ctrl-C), it is cancelled."""
        try:
            made: T = self._future.result()
        except BaseException:
            self.cancel()
            raise
        return made

    def cancel(self) -> None:
        """End it, and wait until it has put things right; nothing happens if it is over."""
        self._stopped.set()
        if self._scopes and not self._over.is_set():
            self._portal.call(self._scopes[0].cancel)
            self._over.wait()


def run_sync(function: Callable[..., Awaitable[T]], *arguments: Any) -> T:
    """Await `function(*arguments)` in the process-wide loop and return its result; Ctrl-C cancels it."""
    return Job(function, *arguments).result()


def _running() -> Any:
    """The loop, started by the first who needs it."""
    global _portal
    with _lock:
        if _portal is None:
            from anyio.from_thread import start_blocking_portal

            _portal = _stack.enter_context(start_blocking_portal())
            atexit.register(_stack.close)
    return _portal
