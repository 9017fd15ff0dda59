"""Server-sent events while an answer is made: comments while nothing comes, an end for a client that went away.

Nothing is sent before there is something to say, so that an error before that is a status like any other.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import anyio
from anyio import from_thread
from anyio.lowlevel import current_token
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from starlette.types import Receive, Send

from toolmend.apps.server.completion import event
from toolmend.apps.server.log import LedgerEntry
from toolmend.apps.server.refusals import ApiError

_KEEP_ALIVE = b": keep-alive\n\n"
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),
]
Take = Callable[[bytes], None]
Produce = Callable[[Take], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]


class Events:
    """Takes events from whichever thread they come."""

    def __init__(self, to: MemoryObjectSendStream[bytes]) -> None:
        self._to, self._token, self._thread = to, current_token(), threading.get_ident()

    def __call__(self, data: bytes) -> None:
        """One event; b"" is none."""
        if not data:
            return
        if threading.get_ident() == self._thread:
            self._to.send_nowait(data)
        else:
            from_thread.run_sync(self._to.send_nowait, data, token=self._token)


async def stream(
    produce: Produce, receive: Receive, send: Send, entry: LedgerEntry, keep_alive: float, headers: Headers
) -> None:
    """Send what `produce` makes. Raises ApiError as long as nothing was sent; after that an error is an event."""
    to, events = anyio.create_memory_object_stream[bytes](float("inf"))
    failure: list[ApiError] = []

    async def work() -> None:
        with to:
            try:
                await produce(Events(to))
            except Exception as error:
                failure.append(entry.failed(error))

    begun = False
    with _watched(receive, entry):
        async with anyio.create_task_group() as group, events:
            group.start_soon(work)
            begun = await _send_all(events, send, keep_alive, headers)
    if entry.disconnected:
        return
    if failure and not begun:
        raise failure[0]
    if failure:
        await send({"type": "http.response.body", "body": event(failure[0].as_dict()), "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def until_gone(work: Callable[[], Awaitable[None]], receive: Receive, entry: LedgerEntry) -> None:
    """Do it, unless the client goes away: then it is cancelled, and `entry` says so."""
    with _watched(receive, entry):
        await work()


@contextmanager
def _watched(receive: Receive, entry: LedgerEntry) -> Iterator[None]:
    """Cancels what is inside when the client goes away. A bare task: a group costs ten times as much, per request."""
    with anyio.CancelScope() as scope:
        watching = asyncio.create_task(_gone(receive, scope, entry))
        try:
            yield
        finally:
            watching.cancel()


async def _send_all(events: MemoryObjectReceiveStream[bytes], send: Send, keep_alive: float, headers: Headers) -> bool:
    """Send events until there are no more; whether there was any. What has come meanwhile goes out together."""
    begun = False
    while True:
        data = _KEEP_ALIVE
        with anyio.move_on_after(keep_alive):
            try:
                data = await events.receive()
            except anyio.EndOfStream:
                return begun
        if not begun:
            await send({"type": "http.response.start", "status": 200, "headers": [*_HEADERS, *headers]})
            begun = True
        await send({"type": "http.response.body", "body": data + _waiting(events), "more_body": True})


def _waiting(events: MemoryObjectReceiveStream[bytes]) -> bytes:
    data = b""
    while True:
        try:
            data += events.receive_nowait()
        except (anyio.WouldBlock, anyio.EndOfStream):
            return data


async def _gone(receive: Receive, scope: anyio.CancelScope, entry: LedgerEntry) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    if not entry.finished:
        entry.disconnected = True
        scope.cancel()
