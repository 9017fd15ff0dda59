"""One call, run so that the talk survives it: in time, off standard output, with a result that can be held.

A plain function runs in a thread, unless its toolbox is `quick`. No thread can be killed: one that is overdue is left
alone, what it does in the end is undone, and a world with snapshots takes no call until then. Code that never lets go
of the interpreter (a regular expression without end) is not stopped by this. What a tool prints would stand in the
middle of somebody's JSON: only what the running call prints is caught, by `print` and `sys.stdout`, no process of it.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
from dataclasses import replace
from typing import Any

import anyio
from anyio import from_thread
from anyio.lowlevel import EventLoopToken, current_token

from toolmend.base.errors import ToolmendError, UnknownName
from toolmend.base.messages import Call, CallResult
from toolmend.session.guards import Limits
from toolmend.tools import Toolbox

Noticed = tuple[str, str]


class Watch:
    """Runs the calls of one talk, one after the other."""

    def __init__(self, tools: Toolbox, limits: Limits) -> None:
        self.tools, self.limits = tools, limits
        self._left: _Aside | None = None

    @property
    def busy(self) -> str:
        """The tool that was left running in a world of snapshots and has not ended; "" if there is none."""
        left = self._left
        return left.call.tool if left and not left.over.is_set() and self.tools.has_snapshots else ""

    async def run(self, call: Call) -> tuple[CallResult, list[Noticed]]:
        """What the call did, and by name what was noticed about it: see Guarded (events.py)."""
        noticed: list[Noticed] = []
        if self.busy:
            error = f"{self.busy} is still running; nothing else can be called until it ends"
            return CallResult(call.id, error=error, fault="failed"), [("tool_busy", self.busy)]
        with caught() as printed:
            result = await self._in_time(call, noticed)
        if result.fault == "failed" and not noticed:
            noticed.append(("tool_failed", str(result.error)))
        if printed.characters:
            noticed.append(("tool_printed", f"{call.tool}: {printed}"))
        return _held(result, self.limits.result_characters, call.tool, noticed), noticed

    async def _in_time(self, call: Call, noticed: list[Noticed]) -> CallResult:
        """Run it where it belongs; a result that says so if it takes too long."""
        try:
            waits = self.tools.tool(call.tool).is_async
        except UnknownName:  # the toolbox says so, with what is near
            return await self.tools.run(call)
        if self.tools.quick and not waits:
            return await self.tools.run(call)
        seconds = self.limits.tool_seconds
        if waits:
            with anyio.move_on_after(seconds):
                return await self.tools.run(call)
        elif (result := await self._aside(call)) is not None:
            return result
        noticed.append(("tool_blocked", f"{call.tool}: {seconds:g} s"))
        end = "was stopped" if waits else "goes on; what it does is undone when it ends"
        if not waits and not self.tools.can_undo(call):
            end = "goes on; what it does cannot be undone"
        return CallResult(call.id, error=f"{call.tool} took longer than {seconds:g} s and {end}", fault="failed")

    async def _aside(self, call: Call) -> CallResult | None:
        """Run it in a thread of its own; None if it is overdue and left alone."""
        aside = _Aside(self.tools, call, current_token())
        aside.start()
        try:
            with anyio.move_on_after(self.limits.tool_seconds):
                await aside.done.wait()
        except BaseException:  # the whole turn is given up: as if the call had never been made
            self._left = aside
            if not aside.leave():
                aside.undo()
            raise
        if aside.leave():
            self._left = aside
            return None
        return aside.result


class _Aside:
    """A call in a thread of its own. A thread that ends the process does not wait for."""

    def __init__(self, tools: Toolbox, call: Call, loop: EventLoopToken) -> None:
        self.tools, self.call, self.result = tools, call, CallResult(call.id)
        self.done, self.over = anyio.Event(), threading.Event()
        self._loop, self._lock, self._ended, self._left = loop, threading.Lock(), False, False

    def start(self) -> None:
        """Begin."""
        context = copy_context()
        threading.Thread(target=context.run, args=(self._work,), name=self.call.tool, daemon=True).start()

    def leave(self) -> bool:
        """Wait for it no longer. False if it has ended already."""
        with self._lock:
            self._left = not self._ended
            return self._left

    def undo(self) -> None:
        """Undo what it did, if it did something that can be undone."""
        if self.result.ok and self.tools.can_undo(self.call):
            with suppress(ToolmendError):  # the world was changed since, past the toolbox
                self.tools.undo_sync(self.call.id)

    def _work(self) -> None:
        try:
            result = self.tools.run_sync(self.call, self._on_loop)
        except BaseException as error:  # a thread has nobody who would hear of it
            text = f"{self.call.tool} failed: {type(error).__name__}: {error}"
            result = CallResult(self.call.id, error=text, fault="failed")
        with self._lock:
            self.result, self._ended = result, True
            left = self._left
        if left:
            self.undo()
        self.over.set()
        with suppress(anyio.RunFinishedError):  # nobody waits any more
            from_thread.run_sync(self.done.set, token=self._loop)

    async def _on_loop(self, awaitable: Awaitable[Any]) -> Any:
        """What a plain function returned to be awaited."""

        async def awaited() -> Any:
            return await awaitable

        return from_thread.run(awaited, token=self._loop)


def _held(result: CallResult, most: int, tool: str, noticed: list[Noticed]) -> CallResult:
    """The result, its beginning where it is too long to be told and kept, or cannot be written."""
    text, written = result.error, True
    if text is None:
        try:
            whole = result.value
            text = whole if isinstance(whole, str) else json.dumps(whole, ensure_ascii=False, default=str)
        except ValueError:  # Python writes no more than 4,300 digits
            text, written = "(a number of thousands of digits is in it)", False
    if written and len(text) <= most:
        return result
    more = f" … ({len(text) - most:,} characters more)" if len(text) > most else ""
    noticed.append(("long_result", f"{tool}: {len(text):,} characters{f', {most:,} of them kept' if more else ''}"))
    cut = text[:most] + more
    return replace(result, value=cut) if result.ok else replace(result, error=cut)


_PRINTED = 400  # so many characters of what was printed are kept


class Printed:
    """What one call printed: its beginning, and how many characters in all."""

    def __init__(self) -> None:
        self.beginning, self.characters = "", 0

    def write(self, text: str) -> None:
        """Some more of it."""
        self.beginning += text[: _PRINTED - len(self.beginning)]
        self.characters += len(text)

    def __str__(self) -> str:
        more = self.characters - len(self.beginning)
        return self.beginning.rstrip() + (f"… ({more:,} characters more)" if more else "")


_printed: ContextVar[Printed | None] = ContextVar("printed", default=None)
_lock = threading.Lock()


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
