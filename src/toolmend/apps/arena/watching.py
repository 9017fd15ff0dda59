"""How often a page is drawn again while something is being written. Knows no page."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable


class Pace:
    """Lets a picture through every so many seconds: twenty a second are enough to read along."""

    def __init__(self, seconds: float = 0.05) -> None:
        self._seconds, self._last = seconds, 0.0

    def due(self) -> bool:
        """Whether it is time for another; if so the next is due that much later."""
        now = time.monotonic()
        if now - self._last < self._seconds:
            return False
        self._last = now
        return True


async def looks(going_on: Callable[[], bool], seconds: float = 0.3) -> AsyncIterator[None]:
    """A look now and then for as long as it goes on, and one when it is over."""
    while going_on():
        await asyncio.sleep(seconds)
        yield
