"""One address to its answer: every hop is checked, its robots asked, its turn awaited; a deadline for all of them.

Waiting for a turn does not count against the deadline; looking up names, connecting and reading do.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import anyio
import httpx2

from toolmend.http.retries import retry_after
from toolmend.knowledge.fetch import robots
from toolmend.knowledge.fetch.fetched import Refused
from toolmend.knowledge.fetch.guard import Guard, web_url
from toolmend.knowledge.fetch.manners import Manners
from toolmend.knowledge.fetch.pace import Pace
from toolmend.knowledge.fetch.wire import Check, WebAnswer, Wire

_MOVED = frozenset({301, 302, 303, 307, 308})
_LATER = frozenset({429, 503})


class _Left:
    """The seconds that a page still has."""

    def __init__(self, seconds: float) -> None:
        self._whole = self._seconds = seconds

    @asynccontextmanager
    async def spend(self) -> AsyncIterator[None]:
        """What happens in the block counts. Raises Refused when nothing is left."""
        began = time.monotonic()
        try:
            with anyio.fail_after(max(0.0, self._seconds)):
                yield
        except TimeoutError as error:
            raise Refused("too_slow", f"not whole within {self._whole:g} s") from error
        finally:
            self._seconds -= time.monotonic() - began


class Pages:
    """Asks for addresses, politely. Robots are asked once for each origin and kept for as long as this lives."""

    def __init__(self, manners: Manners, guard: Guard, wire: Wire, pace: Pace) -> None:
        self._manners, self._guard, self._wire, self._pace = manners, guard, wire, pace
        self._robots = robots.Robots(self._robots_text)

    async def get(
        self, url: str, headers: Mapping[str, str] | None = None, *, heed: bool = True, check: Check = lambda _: None
    ) -> WebAnswer:
        """The answer after all redirects, whatever its status; `heed` asks robots first. Raises Refused."""
        return await self._follow(url, headers or {}, heed, check, self._manners.most)

    async def _robots_text(self, url: str) -> tuple[int, str]:
        answer = await self._follow(url, {}, False, lambda _: None, min(robots.BYTES_AT_MOST, self._manners.most))
        return answer.status, answer.data.decode("utf-8", "replace")

    async def _follow(self, url: str, headers: Mapping[str, str], heed: bool, check: Check, most: int) -> WebAnswer:
        left, at, way = _Left(self._manners.seconds), web_url(url), list[str]()
        while True:
            way.append(str(at))
            answer = await self._patiently(at, headers, heed, check, most, left)
            target = answer.headers.get("location", "") if answer.status in _MOVED else ""
            if not target:
                return answer
            at = _joined(at, target)
            if str(at) in way:
                raise Refused("redirect_loop", " → ".join(_short(each) for each in (*way, str(at))))
            if len(way) > self._manners.hops:
                raise Refused(
                    "redirect_loop", f"more than {self._manners.hops} redirects, the last to {_short(str(at))}"
                )

    async def _patiently(
        self, url: httpx2.URL, headers: Mapping[str, str], heed: bool, check: Check, most: int, left: _Left
    ) -> WebAnswer:
        """One hop; once more if the server asks for a pause that is short enough."""
        answer = await self._one(url, headers, heed, check, most, left)
        asked = retry_after(answer.headers.get("retry-after")) if answer.status in _LATER else None
        if asked is None:
            return answer
        self._pace.put_off(url.raw_host.decode("ascii").lower(), asked)  # as the guard names it
        if asked > self._pace.longest:
            says = f"HTTP {answer.status}: {url.host} asks to come back in {asked:.0f} s"
            raise Refused("refused_by_server", says)
        return await self._one(url, headers, heed, check, most, left)

    async def _one(
        self, url: httpx2.URL, headers: Mapping[str, str], heed: bool, check: Check, most: int, left: _Left
    ) -> WebAnswer:
        async with left.spend():
            hop = await self._guard.hop(url)
        delay = await self._robots.delay(hop.origin, hop.target) if heed else 0.0
        async with self._pace.turn(hop.host, delay), left.spend():
            return await self._wire.get(hop, headers, most, check)


def _joined(at: httpx2.URL, target: str) -> httpx2.URL:
    try:
        return web_url(str(at.join(target)))
    except (httpx2.InvalidURL, ValueError, TypeError) as error:
        raise Refused("not_web", f"{_short(str(at))} leads to no address that can be read ({error})") from error


def _short(url: str) -> str:
    return url if len(url) <= 100 else url[:99] + "…"
