"""Which fetcher gets an address: that of its host, of a domain above it, or of its scheme; and the way into a library.

Names come from toolmend.registry: a package with the entry point `toolmend.fetchers`, named as a host or a scheme,
goes before the built-in one of the web. Knows no protocol.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Protocol
from urllib.parse import urlsplit

from toolmend.errors import ToolmendError
from toolmend.knowledge.address import canonical, host_of
from toolmend.knowledge.collect import read_apart
from toolmend.knowledge.fetch.fetched import Fetched
from toolmend.knowledge.fetch.manners import Manners
from toolmend.knowledge.fetch.mapping import item
from toolmend.knowledge.library import Library
from toolmend.knowledge.outcome import Outcome
from toolmend.portal import Job
from toolmend.registry import Factory, fetchers

_WEB = ("http", "https")


class Fetcher(Protocol):
    """Gets what is at an address; what goes wrong is a named outcome. Its factory is called with `Manners`."""

    def fetch(self, url: str) -> Fetched | Outcome:
        """The bytes, or why there are none."""
        ...


def is_address(place: str) -> bool:
    """Whether a place is an address to fetch, not a file."""
    return "://" in place and not place.startswith("file://")


class Fetchers:
    """Fetchers with one set of manners, each made when first needed: pauses and robots hold for all they fetch."""

    def __init__(self, manners: Manners | None = None) -> None:
        self.manners = manners or Manners()
        self._made: dict[Factory, Fetcher] = {}

    def fetch(self, url: str) -> Fetched | Outcome:
        """What is at an address, by the nearest fetcher."""
        name = _name(url)
        if not name:
            return Outcome("not_web", url, "only http:// and https:// are addresses of the web")
        try:
            return self._fetcher(name).fetch(url)
        except ToolmendError:
            raise
        except Exception as error:  # whatever a foreign fetcher does with one address, the next may go well
            if name in _WEB:
                raise
            return Outcome("unreachable", url, f"the fetcher {name!r} failed ({type(error).__name__}: {error})")

    def fetch_all(self, urls: Iterable[str], at_once: int = 16) -> Generator[tuple[str, Fetched | Outcome], None, None]:
        """What is at each address, in the order given; of those of the web `at_once` are under way together.

        Ended early, it cancels what is under way.
        """
        left, begun = iter(urls), deque[tuple[str, Job[Fetched | Outcome] | None]]()
        try:
            while True:
                for url in islice(left, at_once - len(begun)):
                    twice = any(url == other for other, _ in begun)  # the second time it is in the cache
                    begun.append((url, None if twice else self._started(url)))
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

    def _fetcher(self, name: str) -> Fetcher:
        factory = fetchers.get(name)
        if factory not in self._made:
            self._made[factory] = factory(self.manners)
        return self._made[factory]

    def _started(self, url: str) -> Job[Fetched | Outcome] | None:
        """The address under way; None where its fetcher does one after the other."""
        name = _name(url)
        start = getattr(self._fetcher(name), "start", None) if name in _WEB else None
        job: Job[Fetched | Outcome] | None = start(url) if start else None
        return job


def keep(library: Library, url: str, found: Fetched | Outcome) -> Iterator[Outcome]:
    """Keep what was found at an address; one outcome for each thing."""
    if isinstance(found, Outcome):
        yield found
        return
    for each in read_apart(item(found)):
        outcome = each if isinstance(each, Outcome) else library.keep(each)
        says = ", ".join(filter(None, (outcome.says, found.says)))
        yield replace(outcome, place=url, says=says)


def _name(url: str) -> str:
    """The nearest name in the registry, "" for none."""
    try:
        scheme = urlsplit(url).scheme
    except ValueError:
        return ""
    parts = host_of(canonical(url)).split(".")
    domains = [".".join(parts[at:]) for at in range(len(parts))]
    known = set(fetchers.names())
    return next((name for name in (*domains, scheme) if name and name in known), "")
