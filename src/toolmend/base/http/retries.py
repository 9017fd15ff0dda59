"""When a request is sent again and how long to wait before. Transport only: what a model answered is no reason."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import anyio

from toolmend.base.errors import ModelError

AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses that may be gone the next time."""


@dataclass(frozen=True, slots=True)
class Retry:
    """How often a request is sent again (`most` times), and how long to wait: `first` seconds, then twice as long.

    What a server says in `Retry-After` goes first; if it asks for more than `longest` seconds, the request is given
    up at once, because coming back earlier would not help.
    """

    most: int = 4
    first: float = 0.5
    longest: float = 60.0
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep

    def wait(self, attempt: int, asked: float | None) -> float:
        """Seconds to wait after attempt number `attempt` (from 1)."""
        if asked:
            return asked
        return min(self.longest, self.first * float(2 ** (attempt - 1))) * random.uniform(0.5, 1.0)


class Passing(ModelError):
    """A problem that may be gone the next time: raised inside the room only."""

    def __init__(self, text: str, asked: float | None = None) -> None:
        self.asked = asked
        super().__init__(text, retryable=True)


def retry_after(value: str | None, now: datetime | None = None) -> float | None:
    """Seconds asked for by a `Retry-After` header (a number, or a date); None if it says nothing that can be read."""
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            then = parsedate_to_datetime(value)
        except ValueError:
            return None
        then = then if then.tzinfo else then.replace(tzinfo=UTC)
        seconds = (then - (now or datetime.now(UTC))).total_seconds()
    return max(0.0, seconds) if seconds < float("inf") else None
