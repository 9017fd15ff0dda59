"""The talks of an arena: made of what is offered, or opened again. Knows no person."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

import anyio
from anyio import to_thread

from toolmend.extras.arena.choices import Choices, Setup
from toolmend.extras.arena.conversation import Conversation
from toolmend.extras.arena.records import ArenaRecords, new_id
from toolmend.extras.arena.side import DeskTerms
from toolmend.extras.arena.views import Contestant
from toolmend.models import Model
from toolmend.strategies import Strategy
from toolmend.tools import Toolbox

P = ParamSpec("P")
T = TypeVar("T")

_WRITERS = 4  # threads at the database at once: each is there for a fraction of a millisecond


@dataclass(frozen=True, slots=True)
class TalkEntry:
    """One talk in the list. `made` is when it began, `kind` chat, battle or pair."""

    id: str
    contestant: str
    toolbox: str
    kind: str
    made: str
    first: str
    turns: int


class Talks:
    """Those at a place; `terms` are those of desks."""

    def __init__(self, place: str | os.PathLike[str], choices: Choices, terms: DeskTerms) -> None:
        self.records, self.terms = ArenaRecords(place), terms
        self.choices = choices
        self._limiter: anyio.CapacityLimiter | None = None

    async def db(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Ask the records in a thread: the loop does not wait for a disk or a server."""
        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(_WRITERS)
        return await to_thread.run_sync(lambda: function(*args, **kwargs), limiter=self._limiter)

    async def new(self, setup: Setup, origin: Mapping[str, Any] | None = None) -> Conversation:
        """A talk that has not begun and is not kept yet. Raises UnknownName for what is not offered."""
        await self.check(setup)
        talk = self._made(new_id(), setup, (), origin)
        _ = talk.world  # a toolbox that cannot be had is told now
        return talk

    def given(self, contestant: str) -> Conversation:
        """A talk whose answers were given before: nobody is asked in it, and there is no world beside it."""
        setup = Setup(Contestant.of(contestant), "")
        return Conversation(new_id(), setup, Toolbox, self._parts(setup), self._append)

    async def opened(self, conversation: str) -> Conversation:
        """A talk as it was kept; it goes on only if what it was set to is offered still. Raises UnknownName."""
        row, rows, free = await self.db(self.records.talk, conversation)
        return self._made(row.id, Setup.from_json(json.loads(row.setup)), rows, json.loads(row.origin), free)

    async def check(self, setup: Setup) -> None:
        """Raise UnknownName for settings with a name that is not offered."""
        await to_thread.run_sync(self.choices.check, setup)

    def _made(self, id_: str, setup: Setup, rows: Any, origin: Any, position: int = 0) -> Conversation:
        box = self.choices.toolboxes.get(setup.toolbox, Toolbox)  # an empty one for a talk that can only be looked at
        talk = Conversation(id_, setup, box, self._parts(setup), self._append, rows, origin, position)
        talk.mend = self.terms.mend
        return talk

    def _parts(self, setup: Setup) -> Callable[[], Any]:
        async def parts() -> tuple[Model, Strategy]:
            await self.check(setup)
            contestant = setup.contestant
            return self.choices.models[contestant.model], self.choices.strategies[contestant.strategy]

        return parts

    async def _append(self, conversation: str, position: int, kind: str, body: Mapping[str, Any]) -> None:
        await self.db(self.records.append, conversation, position, kind, body)


def row_of(talk: Conversation) -> dict[str, str]:
    """The row of a talk, as the records take it."""
    contestant = talk.setup.contestant
    about = {"id": talk.id, "model": contestant.model, "strategy": contestant.strategy, "toolbox": talk.setup.toolbox}
    return about | {"setup": json.dumps(talk.setup.to_json()), "origin": json.dumps(talk.origin)}
