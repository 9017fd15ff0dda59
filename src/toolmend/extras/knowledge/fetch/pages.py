"""One address to its answer: every hop is checked, its robots asked, its turn awaited; a deadline for all of them.

Politely: one request to a host at a time, a pause between two, and no return before the time it asked for. Waiting for
a turn does not count against the deadline; looking up names, connecting and reading do.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import httpx2

from toolmend.base.http.retries import retry_after
from toolmend.extras.knowledge.collect.item import BYTES_AT_MOST
from toolmend.extras.knowledge.fetch import robots
from toolmend.extras.knowledge.fetch.guard import AddressGuard, FetchRefused, web_url
from toolmend.extras.knowledge.fetch.wire import HttpSender, WebAnswer

_MOVED = frozenset({301, 302, 303, 307, 308})
_LATER = frozenset({429, 503})


@dataclass(frozen=True, slots=True)
class Manners:
    """Limits and habits; all times are seconds.

    `allow` are hosts or IP numbers inside a network that may be reached all the same, at any port. `pause` lies between
    two requests to a host, or more if its robots.txt says so, yet never above `longest`. A page has `seconds` for all
    its hops together, `most` bytes as sent and as unpacked, and `hops` redirects. What was fetched less than `max_age`
    ago is not asked again. `cache` is a folder of one's own.
    """

    allow: tuple[str, ...] = ()
    pause: float = 1.0
    longest: float = 30.0
    seconds: float = 30.0
    most: int = BYTES_AT_MOST
    hops: int = 5
    max_age: float = 86_400.0
    cache: Path | None = None


class HostPace:
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
        """The host's one place, once its time has come; `delay` is its wish. Raises FetchRefused: too far."""
        async with self._places[host]:
            wait = self._next[host] - self._clock() if host in self._next else 0.0
            if wait > self.longest:
                raise FetchRefused("refused_by_server", f"{host} asked to be left alone for {wait:.0f} s more")
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


class _Left:
    """The seconds that a page still has."""

    def __init__(self, seconds: float) -> None:
        self._whole = self._seconds = seconds

    @asynccontextmanager
    async def spend(self) -> AsyncIterator[None]:
        """What happens in the block counts. Raises FetchRefused when nothing is left."""
        began = time.monotonic()
        try:
            with anyio.fail_after(max(0.0, self._seconds)):
                yield
        except TimeoutError as error:
            raise FetchRefused("too_slow", f"not whole within {self._whole:g} s") from error
        finally:
            self._seconds -= time.monotonic() - began


class Pages:
    """Asks for addresses, politely. Robots are asked once for each origin and kept for as long as this lives."""

    def __init__(self, manners: Manners, guard: AddressGuard, wire: HttpSender) -> None:
        self._manners, self._guard, self._wire = manners, guard, wire
        self._pace = HostPace(manners.pause, manners.longest)
        self._robots = robots.Robots(self._robots_text)

    async def get(self, url: str) -> WebAnswer:
        """The answer after all redirects, whatever its status. Raises FetchRefused."""
        return await self._follow(url, True, self._manners.most)

    async def _robots_text(self, url: str) -> tuple[int, str]:
        answer = await self._follow(url, False, min(robots.BYTES_AT_MOST, self._manners.most))
        return answer.status, answer.data.decode("utf-8", "replace")

    async def _follow(self, url: str, heed: bool, most: int) -> WebAnswer:
        """The same; `heed` asks robots first."""
        left, at, way = _Left(self._manners.seconds), web_url(url), list[str]()
        while True:
            way.append(str(at))
            answer = await self._one(at, heed, most, left)
            target = answer.headers.get("location", "") if answer.status in _MOVED else ""
            if not target:
                return answer
            at = _joined(at, target)
            if str(at) in way:
                raise FetchRefused("redirect_loop", " → ".join(_short(hop) for hop in (*way, str(at))))
            if len(way) > self._manners.hops:
                says = f"more than {self._manners.hops} redirects, the last to {_short(str(at))}"
                raise FetchRefused("redirect_loop", says)

    async def _one(self, url: httpx2.URL, heed: bool, most: int, left: _Left) -> WebAnswer:
        async with left.spend():
            hop = await self._guard.hop(url)
        delay = await self._robots.delay(hop.origin, hop.target) if heed else 0.0
        async with self._pace.turn(hop.host, delay), left.spend():
            answer = await self._wire.get(hop, most)
        asked = retry_after(answer.headers.get("retry-after")) if answer.status in _LATER else None
        if asked is not None:
            self._pace.put_off(hop.host, asked)
            says = f"HTTP {answer.status}: {url.host} asks to come back in {asked:.0f} s"
            raise FetchRefused("refused_by_server", says)
        return answer


def _joined(at: httpx2.URL, target: str) -> httpx2.URL:
    try:
        return web_url(str(at.join(target)))
    except (httpx2.InvalidURL, ValueError, TypeError) as error:
        raise FetchRefused("not_web", f"{_short(str(at))} leads to no address that can be read ({error})") from error


def _short(url: str) -> str:
    return url if len(url) <= 100 else url[:99] + "…"
