"""One side of a desk while somebody sits there: its talk, what is being written, what went wrong last.

`Flow` is work that goes on whether or not somebody watches: a reload must not end the reply that is being written.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Generator
from typing import Any

from toolmend.arena.asking import Asking, Terms
from toolmend.arena.conversation import Conversation, origin_words
from toolmend.arena.views import Asks, AttemptView, Delta, Failed, SideView, Turn, TurnView, Update, Which
from toolmend.errors import BadOption, ToolmendError
from toolmend.models import OnDelta
from toolmend.session import Approvals

Tell = Callable[[Update], None]
Running = Callable[[Tell], Coroutine[Any, Any, None]]
Work = Callable[["Side", OnDelta, Tell], Awaitable[TurnView]]

STOPPED = "stopped"
_log = logging.getLogger(__name__)
_RUNNING: set[asyncio.Task[None]] = set()  # the loop itself holds tasks weakly


class Flow:
    """The updates of one piece of work, which has begun when this is made. Needs a running event loop."""

    def __init__(self, work: Running) -> None:
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

    async def _run(self, work: Running) -> None:
        try:
            await work(self._tell)
        finally:
            # Set once more when the task is over, which it is not quite here.
            asyncio.get_running_loop().call_soon(self._news.set)


class Side:
    """`attempts` are those of a talk that was copied here, `terms` say which calls may run."""

    def __init__(
        self, which: Which, talk: Conversation, attempts: tuple[AttemptView, ...] = (), terms: Terms | None = None
    ) -> None:
        terms = terms or Terms()
        self.which: Which = which
        self.asking = Asking(terms.seconds, self._asks)
        self._approvals = Approvals(terms.policy, self.asking.ask)
        self._tell: Tell | None = None
        self.attempts = attempts
        self.take(talk)
        self.busy, self.partial, self.problem = False, "", ""
        self._task: asyncio.Task[None] | None = None

    def take(self, talk: Conversation) -> None:
        """Have this talk here from now on."""
        self.talk = talk
        self.asks_for(talk)
        self.asking.left(talk.waiting.at.question if talk.waiting and talk.waiting.at else None)

    def asks_for(self, talk: Conversation) -> None:
        """Decide here over the calls of a talk."""
        talk.approvals = self._approvals

    def begin(self) -> None:
        """Take the side for a piece of work. Raises BadOption while it is still answering, or waits for an answer."""
        if self.asking.question:
            raise BadOption(f"a call of the {self.which} side waits for you: allow or deny it first, or stop the side")
        if self.busy:
            raise BadOption(f"the {self.which} side is still answering; wait, or stop it")
        self.busy, self.partial, self.problem = True, "", ""

    async def work(self, work: Work, tell: Tell) -> None:
        """Do it; what comes of it is told. Never raises: what went wrong is told, too, and stays in `problem`."""
        self._task, self._tell = asyncio.current_task(), tell
        told: Update
        try:
            turn = await work(self, self._hear(tell), tell)
            told = Turn(self.which, turn, self.talk.world)
        except asyncio.CancelledError:
            told = Failed(self.which, STOPPED)
        except ToolmendError as error:
            told = Failed(self.which, " ".join(str(error).split()))
        except Exception as error:  # a fault of toolmend or of somebody's toolbox: the desk must not stay busy
            _log.exception("a side of the arena failed")
            told = Failed(self.which, f"unexpected {type(error).__name__}: {error}"[:300])
        finally:
            self.busy, self.partial, self._task, self._tell = False, "", None, None
        self.problem = told.why if isinstance(told, Failed) else ""
        tell(told)

    async def stop(self) -> None:
        """End what is being written: as if it had not been asked for, but what was said waits for a retry."""
        task = self._task
        if task is not None and task.cancel():
            await asyncio.wait([task])
        if not self.busy and self.talk.waiting and self.talk.waiting.at:
            self.asking.left(None)
            await self.talk.withdraw()

    @property
    def stamp(self) -> tuple[object, ...]:
        """Another one whenever something else is to be seen here than one more piece of a reply."""
        talk, asks = self.talk, self.asking.question
        said = self.busy, self.problem, len(self.attempts), asks
        return talk.id, tuple(talk.turns), talk.waiting, *said

    def view(self) -> SideView:
        """The side with its names."""
        setup = self.talk.setup
        return SideView(
            self.which,
            setup.contestant.name,
            self.talk.id,
            setup.contestant,
            setup.toolbox,
            self.talk.views,
            self.talk.world,
            self.busy,
            self.partial,
            "" if self.talk.waiting is None else self.talk.waiting.text,
            self.problem,
            setup.system,
            setup.temperature,
            setup.max_tokens,
            setup.seed,
            setup.case,
            self.talk.next,
            origin_words(self.talk.origin),
            self.attempts,
            self.asking.question,
        )

    def _asks(self) -> None:
        """Tell whoever watches that a call waits, or that it waits no more."""
        if self._tell:
            self.partial = ""
            self._tell(Asks(self.which, self.asking.question))

    def _hear(self, tell: Tell) -> OnDelta:
        """What takes the pieces of a reply, from whatever thread."""
        loop, here = asyncio.get_running_loop(), threading.get_ident()

        def take(text: str) -> None:
            if self.busy:
                self.partial += text
                tell(Delta(self.which, text))

        def hear(text: str) -> None:
            if threading.get_ident() == here:
                take(text)
            else:
                loop.call_soon_threadsafe(take, text)

        return hear
