"""How often a page is drawn again while something is being written. Knows no page."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

from toolmend.arena import Desk


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


async def changes(desk: Desk, wait: float = 0.3) -> AsyncIterator[None]:
    """Says when to draw the desk: now, and whenever it has changed, until nobody writes and nothing waits.

    It ends with a look after the last drawing: another event may have drawn a newer state in between, and an old one
    that came late would hide it.
    """
    drawn = desk.view()
    yield
    while True:
        if (now := desk.view()) != drawn:
            drawn = now
            yield
        elif desk.busy:
            await asyncio.sleep(wait)
        else:
            return
