"""How fetching behaves: what may be reached, how long is waited, how much is read, what is kept. Values only."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from toolmend import __version__
from toolmend.knowledge.collect.item import BYTES_AT_MOST

AGENT = "toolmend"
USER_AGENT = f"{AGENT}/{__version__}"


@dataclass(frozen=True, slots=True)
class Manners:
    """Limits and habits; all times are seconds.

    `allow` are hosts or IP numbers inside a network that may be reached all the same, at any port. `pause` lies between
    two requests to a host, or more if its robots.txt says so, yet never above `longest`; a Retry-After above it is not
    waited for. A page has `seconds` for all its hops together, `most` bytes as sent and as unpacked, and `hops`
    redirects. What was fetched less than `max_age` ago is not asked again. `cache` is a folder of one's own.
    """

    allow: tuple[str, ...] = ()
    pause: float = 1.0
    longest: float = 30.0
    seconds: float = 30.0
    most: int = BYTES_AT_MOST
    hops: int = 5
    max_age: float = 86_400.0
    cache: Path | None = None
