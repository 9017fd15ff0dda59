"""Which fetcher gets an address: that of its host, of a domain above it, or of its scheme; and the way into a library.

Names come from toolmend.registry: a package with the entry point `toolmend.fetchers`, named as a host or a scheme,
goes before the built-in one of the web. Knows no protocol.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol
from urllib.parse import urlsplit

from toolmend.errors import ToolmendError
from toolmend.knowledge.address import canonical, host_of
from toolmend.knowledge.collect import read
from toolmend.knowledge.fetch.fetched import Fetched
from toolmend.knowledge.fetch.manners import Manners
from toolmend.knowledge.fetch.mapping import item
from toolmend.knowledge.library import Library
from toolmend.knowledge.outcome import Outcome
from toolmend.registry import Factory, fetchers


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
        factory = fetchers.get(name)
        if factory not in self._made:
            self._made[factory] = factory(self.manners)
        try:
            return self._made[factory].fetch(url)
        except ToolmendError:
            raise
        except Exception as error:  # whatever a foreign fetcher does with one address, the next may go well
            if name in ("http", "https"):
                raise
            return Outcome("unreachable", url, f"the fetcher {name!r} failed ({type(error).__name__}: {error})")

    def add(self, library: Library, url: str) -> Iterator[Outcome]:
        """Fetch an address and keep what is there; one outcome for each thing. Nothing is kept of a part."""
        found = self.fetch(url)
        if isinstance(found, Outcome):
            yield found
            return
        for each in read(item(found)):
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
