"""Politeness: one request to a host at a time, a pause between two, and no return before the time it asked for."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio

from toolmend.knowledge.fetch.fetched import Refused


class Pace:
    """`pause` seconds between the end of a request and the next to the same host; nothing waits above `longest`."""

    def __init__(
        self,
        pause: float,
        longest: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self._pause, self.longest = pause, longest
        self._clock, self._sleep = clock, sleep
        self._places: defaultdict[str, anyio.Lock] = defaultdict(anyio.Lock)
        self._next: dict[str, float] = {}

    @asynccontextmanager
    async def turn(self, host: str, delay: float = 0.0) -> AsyncIterator[None]:
        """The host's one place, once its time has come; `delay` is its own wish. Raises Refused if that is too far."""
        async with self._places[host]:
            wait = self._next[host] - self._clock() if host in self._next else 0.0
            if wait > self.longest:
                raise Refused("refused_by_server", f"{host} asked to be left alone for {wait:.0f} s more")
            if wait > 0:
                await self._sleep(wait)
            try:
                yield
            finally:
                pause = max(self._pause, min(delay, self.longest))
                self._next[host] = max(self._next.get(host, 0.0), self._clock() + pause)

    def put_off(self, host: str, seconds: float) -> None:
        """Take note that a host wants nothing for so many seconds."""
        self._next[host] = max(self._next.get(host, 0.0), self._clock() + seconds)
