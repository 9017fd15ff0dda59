"""One answer on its way out, in whatever format: whole, or as the events of a stream. Knows no route."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import anyio
from starlette.types import Send

from toolmend.apps.server.answering import ServedAnswer, Show, answered
from toolmend.apps.server.completion import encoded
from toolmend.apps.server.ledger import LedgerEntry
from toolmend.apps.server.own_tools import OwnTools
from toolmend.apps.server.plan import RequestPlan
from toolmend.apps.server.refusals import timed_out
from toolmend.apps.server.settings import ServerSettings
from toolmend.apps.server.stream import Headers, Take

JSON = "application/json"


class Streamed(Protocol):
    """One choice as it is streamed."""

    def begin(self) -> bytes:
        """What comes first."""
        ...

    def add(self, piece: str) -> bytes:
        """A piece of text; b"" for what is held back."""
        ...

    def rest(self, answer: ServedAnswer) -> Iterator[bytes]:
        """What is left once the answer is known."""
        ...


class AnswerFormat(Protocol):
    """A format of answers: chat completions (completion.py) or responses (responses.py)."""

    def whole(self, answers: Sequence[ServedAnswer], stops: Sequence[str]) -> dict[str, Any]:
        """The answer in one piece."""
        ...

    def shown(self, place: int, stops: Sequence[str]) -> Streamed:
        """What streams one choice."""
        ...

    def end(self, answers: Sequence[ServedAnswer]) -> bytes:
        """The last of a stream."""
        ...


class AnswerJob:
    """The answer to one plan, of so many choices."""

    def __init__(
        self,
        settings: ServerSettings,
        own: OwnTools | None,
        plan: RequestPlan,
        choices: int,
        form: AnswerFormat,
        entry: LedgerEntry,
    ) -> None:
        self._settings, self._own, self._plan, self._choices = settings, own, plan, choices
        self._form, self._entry = form, entry

    async def whole(self, send: Send, headers: Headers) -> None:
        """The answer in one piece."""
        answers = await self._all(None)
        content = encoded(self._form.whole(answers, self._plan.stops))
        more = [(b"content-type", JSON.encode()), (b"content-length", str(len(content)).encode()), *headers]
        await send({"type": "http.response.start", "status": 200, "headers": more})
        await send({"type": "http.response.body", "body": content})

    async def stream(self, take: Take) -> None:
        """The answer as events."""
        answers = await self._all(take)
        take(self._form.end(answers))

    async def _all(self, take: Take | None) -> Sequence[ServedAnswer]:
        """All choices, at the same time, within the time there is."""
        if self._choices == 1:
            with anyio.move_on_after(self._settings.seconds):
                answers = [await self._one(0, take)]
                self._note(answers)
                return answers
            raise timed_out(self._settings.seconds)
        found: dict[int, ServedAnswer] = {}
        failure: list[Exception] = []

        async def one(place: int) -> None:
            try:
                found[place] = await self._one(place, take)
            except Exception as error:  # not raised here: a group would wrap it
                failure.append(error)
                group.cancel_scope.cancel()

        with anyio.move_on_after(self._settings.seconds):
            async with anyio.create_task_group() as group:
                for place in range(self._choices):
                    group.start_soon(one, place)
        if failure:
            raise failure[0]
        if len(found) < self._choices:
            raise timed_out(self._settings.seconds)
        answers = [found[place] for place in range(self._choices)]
        self._note(answers)
        return answers

    async def _one(self, place: int, take: Take | None) -> ServedAnswer:
        if take is None:
            return await self._answer(place, None)
        shown = self._form.shown(place, self._plan.stops)
        begun: list[bool] = []

        def show(piece: str) -> None:
            take((b"" if begun else shown.begin()) + shown.add(piece))
            begun.append(True)

        answer = await self._answer(place, show)
        if not begun:
            take(shown.begin())
        for event in shown.rest(answer):
            take(event)
        return answer

    async def _answer(self, place: int, show: Show | None) -> ServedAnswer:
        own = self._own
        if own is not None and self._plan.own:
            return await own.answer(self._plan, self._entry.key.id if self._entry.key else "")
        return await answered(self._plan, show, place)

    def _note(self, answers: Sequence[ServedAnswer]) -> None:
        entry = self._entry
        for each in answers:
            entry.usage += each.usage
        entry.calls = sum(len(each.calls) for each in answers)
        entry.flags = tuple(dict.fromkeys(flag for each in answers for flag in each.flags))
        if self._settings.log_contents:
            entry.contents["replies"] = [each.text for each in answers]
