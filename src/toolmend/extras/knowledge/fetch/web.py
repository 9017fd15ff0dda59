"""The web, http and https, through guard, robots, pace and cache; and the way of what was fetched into a library."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from itertools import islice
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

import httpx2

from toolmend.base.db import utc_now
from toolmend.base.portal import Job
from toolmend.extras.knowledge.address import canonical
from toolmend.extras.knowledge.collect import Item, read_apart
from toolmend.extras.knowledge.fetch.cache import Cache, Fetched
from toolmend.extras.knowledge.fetch.guard import AddressGuard, FetchRefused, Resolve, look_up, web_url
from toolmend.extras.knowledge.fetch.pages import Manners, Pages
from toolmend.extras.knowledge.fetch.wire import HttpSender, WebAnswer
from toolmend.extras.knowledge.library import Library
from toolmend.extras.knowledge.outcome import Outcome

_GONE = frozenset({404, 410})


def is_address(place: str) -> bool:
    """Whether a place is an address to fetch, not a file."""
    return "://" in place and not place.startswith("file://")


class Web:
    """Fetches pages of the web, with one set of manners: pauses and robots hold for all that it fetches.

    `resolve` and `transport` replace DNS and the network.
    """

    def __init__(
        self,
        manners: Manners | None = None,
        *,
        resolve: Resolve = look_up,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self.manners = manners or Manners()
        self.cache = Cache(self.manners.cache)
        self._pages = Pages(self.manners, AddressGuard(self.manners.allow, resolve), HttpSender(transport))
        self.cache.sweep()

    def fetch(self, url: str) -> Fetched | Outcome:
        """What is at an address, from the cache while it is fresh; a named outcome for what is not had."""
        return self._begun(url).result()

    def fetch_all(self, urls: Iterable[str], at_once: int = 16) -> Generator[tuple[str, Fetched | Outcome], None, None]:
        """What is at each address, in the order given; `at_once` are under way together, so that hosts are asked side
        by side, each in turn.

        Ended early, it cancels what is under way.
        """
        left, begun = iter(urls), deque[tuple[str, Job[Fetched | Outcome] | None]]()
        try:
            while True:
                for url in islice(left, at_once - len(begun)):
                    twice = any(url == other for other, _ in begun)  # the second time it is in the cache
                    begun.append((url, None if twice else self._begun(url)))
                if not begun:
                    return
                url, job = begun[0]
                yield url, job.result() if job else self.fetch(url)
                begun.popleft()
        finally:
            for _, job in begun:
                if job:
                    job.cancel()

    def add(self, library: Library, url: str) -> Iterator[Outcome]:
        """Fetch an address and keep what is there; one outcome for each thing. Nothing is kept of a part."""
        return keep(library, url, self.fetch(url))

    def _begun(self, url: str) -> Job[Fetched | Outcome]:
        return Job(self._told, url).begin()

    async def _told(self, url: str) -> Fetched | Outcome:
        try:
            return await self._fetch(url)
        except FetchRefused as refused:
            return Outcome(refused.name, url, " ".join(str(refused).split()))

    async def _fetch(self, url: str) -> Fetched:
        asked = str(web_url(url))
        if (known := canonical(asked)).startswith("https://www.youtube.com/watch?"):
            says = "no address gives its transcript to programs: save the captions as VTT or SRT, and "
            raise FetchRefused("not_fetched", f"{says}`toolmend know add FILE --url {known}`")
        kept = self.cache.get(asked)
        if kept and 0 <= time.time() - datetime.fromisoformat(kept.at).timestamp() < self.manners.max_age:
            return replace(kept, says=f"as fetched {kept.at[:16].replace('T', ' ')} UTC")
        answer = await self._pages.get(asked)
        _refuse(answer)
        fetched = Fetched(answer.data, answer.url, answer.headers.get("content-type", ""), utc_now())
        if "no-store" not in answer.headers.get("cache-control", "").lower():
            self.cache.put(asked, fetched)
        return fetched


def keep(library: Library, url: str, found: Fetched | Outcome) -> Iterator[Outcome]:
    """Keep what was found at an address; one outcome for each thing."""
    if isinstance(found, Outcome):
        yield found
        return
    for result in read_apart(item(found)):
        outcome = result if isinstance(result, Outcome) else library.keep(result)
        says = ", ".join(filter(None, (outcome.says, found.says)))
        yield replace(outcome, place=url, says=says)


def item(fetched: Fetched) -> Item:
    """What was fetched as a file, with the name that its address ends in."""
    try:
        name = PurePosixPath(unquote(urlsplit(fetched.url).path)).name
    except ValueError:
        name = ""
    if fetched.header.lower().startswith("text/plain") and "." not in name:
        name += ".txt"
    return Item(fetched.data, name or "page", fetched.url, fetched.header, fetched.at, fetched=True)


def _refuse(answer: WebAnswer) -> None:
    """Raises FetchRefused for any status but 2xx."""
    if 200 <= answer.status < 300:
        return
    if answer.status in _GONE:
        raise FetchRefused("not_found", f"HTTP {answer.status}")
    why = "; it wants a password: save the page and add the file" if answer.status == 401 else ""
    raise FetchRefused("refused_by_server", f"HTTP {answer.status}{why}")
