"""Turns that wait until a client says whether a call may run. In the memory of this process: a restart forgets them.

A turn that waits holds its world. Whoever says something else in that world instead of answering has answered no: the
turn is taken back whole. So it is when nobody answers in time.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress

import anyio

from toolmend.apps.server.refusals import invalid
from toolmend.errors import ToolmendError
from toolmend.session import Answer, Question, Verdict
from toolmend.session.approval import Asker

PREFIX = "appr_"


class Expired(ToolmendError):
    """Nobody answered in time."""


class Waiting:
    """A turn, and the question it waits at, if it does."""

    def __init__(self, work: Callable[[Asker], Awaitable[Answer]], seconds: float) -> None:
        self.id = f"{PREFIX}{secrets.token_hex(12)}"
        self.question: Question | None = None
        self._seconds = seconds
        self._asked, self._answer = asyncio.Event(), asyncio.get_running_loop().create_future()
        self._task = asyncio.ensure_future(work(self._ask))
        self._task.add_done_callback(lambda task: task.cancelled() or task.exception())  # it may end with nobody there

    async def next(self) -> Answer | Question:
        """What the turn comes to, or the next question. Cancelled, the turn is taken back."""
        asked = asyncio.ensure_future(self._asked.wait())
        try:
            await asyncio.wait({self._task, asked}, return_when=asyncio.FIRST_COMPLETED)
        except BaseException:
            await self.give_up()
            raise
        finally:
            asked.cancel()
        if self._task.done():
            return self._task.result()
        assert self.question is not None, "it was asked"
        return self.question

    async def go_on(self, verdict: Verdict) -> Answer | Question:
        """Answer the question, and wait again."""
        answer, self.question = self._answer, None
        self.id = f"{PREFIX}{secrets.token_hex(12)}"
        self._asked.clear()
        self._answer = asyncio.get_running_loop().create_future()
        answer.set_result(verdict)
        return await self.next()

    async def give_up(self) -> None:
        """Take the turn back."""
        self._task.cancel()
        with anyio.CancelScope(shield=True), suppress(asyncio.CancelledError, Exception):
            await self._task

    async def _ask(self, question: Question) -> Verdict:
        self.question = question
        self._asked.set()
        try:
            with anyio.fail_after(self._seconds):
                verdict: Verdict = await self._answer
                return verdict
        except TimeoutError:
            self.question = None
            raise Expired(f"nobody answered within {self._seconds:g} s") from None


class WaitingTurns:
    """The turns that wait, one for each owner at most."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._waiting: dict[str, Waiting] = {}

    async def begin(self, owner: str, work: Callable[[Asker], Awaitable[Answer]]) -> Answer | Waiting:
        """Begin a turn; one that waits still is given up."""
        if (left := self._waiting.pop(owner, None)) is not None:
            await left.give_up()
        turn = Waiting(work, self._seconds)
        return self._kept(owner, turn, await turn.next())

    async def go_on(self, owner: str, number: str, verdict: Verdict) -> Answer | Waiting:
        """Answer the question of that number. Raises ApiError where it does not wait (any more)."""
        turn = self._waiting.get(owner)
        if turn is None or turn.id != number or turn.question is None:
            text = (
                f"No call waits for the approval {number!r:.60}: it was answered, given up, or nobody answered in time."
            )
            raise invalid(text, "messages", "approval_not_found")
        del self._waiting[owner]
        return self._kept(owner, turn, await turn.go_on(verdict))

    def _kept(self, owner: str, turn: Waiting, came: Answer | Question) -> Answer | Waiting:
        if isinstance(came, Answer):
            return came
        self._waiting[owner] = turn
        return turn


def verdict_of(text: str) -> Verdict:
    """A client's answer: `yes`, `no: because`, or JSON, `{"approve": true, "reason": "…"}`. All else is a no."""
    said = text.strip()
    if said.startswith("{"):
        try:
            data = json.loads(said)
        except (ValueError, RecursionError):
            return Verdict(False, by="client")
        return Verdict(data.get("approve"), str(data.get("reason") or ""), by="client")
    return Verdict.of(said, by="client")
