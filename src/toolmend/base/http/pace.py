"""How many requests at once, and how many a minute. One per model and process; loops and threads share the minute."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from weakref import WeakKeyDictionary

import anyio
from anyio.lowlevel import RunVar

_sharers = 1


def share_pace(processes: int) -> None:
    """Every limit of this process is shared by so many, evenly; of places for requests each has one at least."""
    global _sharers
    _sharers = processes


class Pace:
    """`concurrency` requests at once in each event loop, `rpm` begun in a minute, evenly spread; None is no limit."""

    def __init__(
        self,
        concurrency: int | None = None,
        rpm: float | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self._concurrency, self._gap = concurrency, 60.0 / rpm if rpm else 0.0
        self._clock, self._sleep = clock, sleep
        self._lock, self._next = threading.Lock(), 0.0

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """One of the places for requests at once, for as long as the block lasts."""
        if self._concurrency is None:
            yield
            return
        async with _limiter(self, max(1, self._concurrency // _sharers)):
            yield

    async def turn(self) -> None:
        """Wait until the next request may begin."""
        if not self._gap:
            return
        with self._lock:
            now = self._clock()
            begin = max(now, self._next)
            self._next = begin + self._gap * _sharers
        if begin > now:
            await self._sleep(begin - now)


_limiters: RunVar[WeakKeyDictionary[Pace, anyio.CapacityLimiter]] = RunVar("toolmend.base.http.limiters")


def _limiter(pace: Pace, places: int) -> anyio.CapacityLimiter:
    """The limiter of this pace in the running loop: one made in another loop cannot be waited for here."""
    try:
        table = _limiters.get()
    except LookupError:
        table = WeakKeyDictionary()
        _limiters.set(table)
    if pace not in table:
        table[pace] = anyio.CapacityLimiter(places)
    return table[pace]
