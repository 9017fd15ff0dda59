"""One event loop in a thread of its own, for sync doors: they work in scripts, notebooks and inside running loops.

Whoever waits at such a door can be asked meanwhile, in its own thread (`in_caller`): there a Ctrl-C arrives.
"""

from __future__ import annotations

import asyncio
import atexit
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextlib import ExitStack
from contextvars import ContextVar
from queue import SimpleQueue
from typing import Any, Generic, Self, TypeVar

T = TypeVar("T")

_lock = threading.Lock()
_stack = ExitStack()
_portal: Any = None
_Errand = tuple[Callable[[], Any], "Future[Any]"]
_caller: ContextVar[SimpleQueue[_Errand | None] | None] = ContextVar("caller", default=None)


class Job(Generic[T]):
    """`function(*arguments)` in the process-wide loop, under way once it has begun."""

    def __init__(self, function: Callable[..., Awaitable[T]], *arguments: Any) -> None:
        self._portal, self._function, self._arguments = _running(), function, arguments
        self._future: Any = None
        self._scopes = list[Any]()
        self._stopped, self._over = threading.Event(), threading.Event()
        self._errands: SimpleQueue[_Errand | None] = SimpleQueue()

    def begin(self) -> Self:
        """Let it run; this does not wait."""
        self._future = self._portal.start_task_soon(self._run)
        return self

    def result(self) -> T:
        """What it returned or raised, begun if it has not. Interrupted (Ctrl-C), it is cancelled."""
        try:
            if self._future is None:
                self.begin()
            while (errand := self._errands.get()) is not None:
                function, come = errand
                come.set_result(function())
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

    async def _run(self) -> T | None:
        from anyio import CancelScope

        _caller.set(self._errands)
        try:
            with CancelScope() as scope:
                self._scopes.append(scope)
                if self._stopped.is_set():  # cancelled before it began
                    scope.cancel()
                return await self._function(*self._arguments)
            return None
        finally:
            self._over.set()
            self._errands.put(None)


def run_sync(function: Callable[..., Awaitable[T]], *arguments: Any) -> T:
    """Await `function(*arguments)` in the process-wide loop and return its result; Ctrl-C cancels it."""
    return Job(function, *arguments).result()


async def in_caller(function: Callable[[], T]) -> T:
    """What `function` returns, called in the thread that waits for this work; here, where none does. What it raises is
    raised there, and the work is cancelled."""
    errands = _caller.get()
    if errands is None:
        return function()
    come: Future[T] = Future()
    errands.put((function, come))
    return await asyncio.wrap_future(come)


def _running() -> Any:
    """The loop, started by the first who needs it."""
    global _portal
    with _lock:
        if _portal is None:
            from anyio.from_thread import start_blocking_portal

            _portal = _stack.enter_context(start_blocking_portal())
            atexit.register(_stack.close)
    return _portal
