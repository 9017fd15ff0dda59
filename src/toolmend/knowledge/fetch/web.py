"""The fetcher that is built in: http and https, through guard, robots, pace and cache. Knows no library of sources."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import httpx2

from toolmend.db import utc_now
from toolmend.knowledge.fetch import mapping
from toolmend.knowledge.fetch.cache import Cache, Kept
from toolmend.knowledge.fetch.fetched import Fetched, Refused
from toolmend.knowledge.fetch.guard import Guard, Resolve, look_up, web_url
from toolmend.knowledge.fetch.manners import Manners
from toolmend.knowledge.fetch.pace import Pace
from toolmend.knowledge.fetch.page import Pages
from toolmend.knowledge.fetch.wire import WebAnswer, Wire
from toolmend.knowledge.outcome import Outcome
from toolmend.portal import Job

_GONE = frozenset({404, 410})
_VALIDATOR_AT_MOST = 300


class Web:
    """Fetches pages of the web. `resolve`, `transport` and `clock` replace DNS, the network and the time of day."""

    def __init__(
        self,
        manners: Manners,
        *,
        resolve: Resolve = look_up,
        transport: httpx2.AsyncBaseTransport | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._manners, self._clock = manners, clock
        self.cache = Cache(manners.cache)
        pace = Pace(manners.pause, manners.longest)
        self._pages = Pages(manners, Guard(manners.allow, resolve), Wire(transport), pace)
        self.cache.sweep(clock())

    def fetch(self, url: str) -> Fetched | Outcome:
        """What is at an address, from the cache while it is fresh; a named outcome for what is not had."""
        return self.start(url).result()

    def start(self, url: str) -> Job[Fetched | Outcome]:
        """The same, under way at once: several together ask each host in turn, and different hosts side by side."""
        return Job(self._told, url).begin()

    async def _told(self, url: str) -> Fetched | Outcome:
        try:
            return await self._fetch(url)
        except Refused as refused:
            return Outcome(refused.name, url, " ".join(str(refused).split()))

    async def _fetch(self, url: str) -> Fetched:
        asked = mapping.asked(str(web_url(url)))
        kept, now = self.cache.get(asked.url), self._clock()
        if kept and 0 <= now - kept.time < self._manners.max_age:
            return replace(kept.fetched, says=f"as fetched {kept.fetched.at[:16].replace('T', ' ')} UTC")
        headers = {"If-None-Match": kept.etag, "If-Modified-Since": kept.modified} if kept else {}
        sent = {name: value for name, value in headers.items() if value}
        answer = await self._pages.get(asked.url, sent, heed=asked.robots, check=mapping.check)
        if answer.status == 304 and kept and sent:
            if answer.url == kept.fetched.url:
                fetched = replace(kept.fetched, at=utc_now())
                self.cache.put(asked.url, replace(kept, fetched=fetched, time=now))
                return fetched
            # It leads elsewhere now, and that place did not speak of the page that is kept.
            answer = await self._pages.get(asked.url, heed=asked.robots, check=mapping.check)
        _refuse(answer)
        fetched = Fetched(answer.data, answer.url, answer.headers.get("content-type", ""), utc_now())
        if "no-store" not in answer.headers.get("cache-control", "").lower():
            etag, modified = (_validator(answer.headers.get(name, "")) for name in ("etag", "last-modified"))
            self.cache.put(asked.url, Kept(fetched, now, etag, modified))
        return fetched


def _refuse(answer: WebAnswer) -> None:
    """Raises Refused for any status but 2xx."""
    if 200 <= answer.status < 300:
        return
    if answer.status in _GONE:
        raise Refused("not_found", f"HTTP {answer.status}")
    why = "; it wants a password: save the page and add the file" if answer.status == 401 else ""
    raise Refused("refused_by_server", f"HTTP {answer.status}{why}")


def _validator(value: str) -> str:
    """A header that may be sent back: short and ASCII, else ""."""
    fit = len(value) <= _VALIDATOR_AT_MOST and value.isascii() and value.isprintable()
    return value if fit else ""
