"""Work that goes on whether or not somebody watches: a reload must not end the reply that is being written.

async for update in flow: …        or        updates = await flow
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Generator
from typing import Any

from toolmend.arena.views import Update

Tell = Callable[[Update], None]
Work = Callable[[Tell], Coroutine[Any, Any, None]]

_RUNNING: set[asyncio.Task[None]] = set()  # the loop itself holds tasks weakly


class Flow:
    """The updates of one piece of work, which has begun when this is made. Needs a running event loop."""

    def __init__(self, work: Work) -> None:
        self._updates: list[Update] = []
        self._news = asyncio.Event()
        self._task = asyncio.get_running_loop().create_task(self._run(work))
        _RUNNING.add(self._task)
        self._task.add_done_callback(_RUNNING.discard)

    def __aiter__(self) -> AsyncIterator[Update]:
        """Every update from the first, as they come; what went wrong in the work itself is raised at the end."""
        return self._follow()

    def __await__(self) -> Generator[Any, None, tuple[Update, ...]]:
        """Wait for the end: all updates."""
        return self._whole().__await__()

    async def _follow(self) -> AsyncIterator[Update]:
        place = 0
        while True:
            while place < len(self._updates):
                yield self._updates[place]
                place += 1
            if self._task.done():
                self._task.result()
                return
            self._news.clear()
            await self._news.wait()

    async def _whole(self) -> tuple[Update, ...]:
        await asyncio.shield(self._task)
        return tuple(self._updates)

    def _tell(self, update: Update) -> None:
        self._updates.append(update)
        self._news.set()

    async def _run(self, work: Work) -> None:
        try:
            await work(self._tell)
        finally:
            # Set once more when the task is over, which it is not quite here.
            asyncio.get_running_loop().call_soon(self._news.set)
