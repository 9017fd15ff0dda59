"""What all desks share: the records, what is offered, talks made, opened again, or found by their address or a filter.

A talk of a battle is found only after its vote. Knows no person.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

import anyio
from anyio import to_thread

from toolmend.arena.asking import DeskTerms
from toolmend.arena.case import Loaded, load_case
from toolmend.arena.conversation import Conversation, attempts_of
from toolmend.arena.offer import Apart, Offer, Setup
from toolmend.arena.records import ArenaRecords, new_id
from toolmend.arena.side import Side
from toolmend.arena.views import AttemptView, Contestant, SideView
from toolmend.errors import BadFile, BadOption, UnknownName
from toolmend.evals.running.strategy_table import choices
from toolmend.models import Model
from toolmend.store import Store
from toolmend.strategies import Strategy
from toolmend.strategies.auto import Auto
from toolmend.tools import Toolbox

P = ParamSpec("P")
T = TypeVar("T")

_WRITERS = 4  # threads at the database at once: each is there for a fraction of a millisecond


class Workshop:
    """Makes conversations out of what is offered; `terms` are those of desks."""

    def __init__(self, place: str, offer: Offer, apart: Apart, terms: DeskTerms | None = None) -> None:
        self.place, self.records, self.terms = place, ArenaRecords(place), terms or DeskTerms()
        self.offer, self._apart = offer, apart
        self._auto: Strategy | None = None
        self._limiter: anyio.CapacityLimiter | None = None

    async def db(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Ask the records in a thread: the loop does not wait for a disk or a server."""
        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(_WRITERS)
        return await to_thread.run_sync(lambda: function(*args, **kwargs), limiter=self._limiter)

    async def new(self, setup: Setup, origin: Mapping[str, Any] | None = None, id_: str = "") -> Conversation:
        """A talk that has not begun and is not kept yet. Raises UnknownName for what is not offered."""
        await self.check(setup)
        loaded = await self._case(setup)
        box = self._box(setup, loaded)
        talk = Conversation(id_ or new_id(), setup, loaded, box, self._parts(setup), self._append, (), origin)
        talk.mend = self.terms.mend
        _ = talk.world  # a toolbox that cannot be had is told now
        return talk

    def given(self, contestant: str) -> Conversation:
        """A talk whose answers were given before: nobody is asked in it, and there is no world beside it."""
        setup = Setup(Contestant.of(contestant), "")
        return Conversation(new_id(), setup, None, Toolbox, self._parts(setup), self._append)

    async def opened(self, conversation: str) -> Conversation:
        """A talk as it was kept; it goes on only if what it was set to is offered still. Raises UnknownName."""
        row, rows, free = await self.db(self.records.talk, conversation)
        setup = Setup.from_json(json.loads(row.setup))
        loaded = await self._case(setup)
        box, parts = self._box(setup, loaded), self._parts(setup)
        talk = Conversation(row.id, setup, loaded, box, parts, self._append, rows, json.loads(row.origin), free)
        talk.mend = self.terms.mend
        return talk

    async def check(self, setup: Setup) -> None:
        """Raise UnknownName for settings with a name that is not offered."""
        await to_thread.run_sync(self.offer.check, setup)

    async def strategy(self, name: str) -> Strategy:
        """The offered strategy of that name; `auto` picks from what the stored runs tell."""
        if name != "auto":
            return self.offer.strategies[name]
        if self._auto is None:
            self._auto = await to_thread.run_sync(_auto, self.place)
        return self._auto

    def _parts(self, setup: Setup) -> Callable[[], Any]:
        async def parts() -> tuple[Model, Strategy]:
            await self.check(setup)
            contestant = setup.contestant
            return self.offer.models[contestant.model], await self.strategy(contestant.strategy)

        return parts

    def _box(self, setup: Setup, loaded: Loaded | None) -> Callable[[], Toolbox]:
        """What makes the world of a talk, new each time; an empty one for a talk that can only be looked at."""
        if loaded is not None:
            return lambda: self._apart.put(loaded.toolbox())
        return self.offer.toolboxes.get(setup.toolbox, Toolbox)

    async def _append(self, conversation: str, position: int, kind: str, body: Mapping[str, Any]) -> None:
        await self.db(self.records.append, conversation, position, kind, body)

    async def _case(self, setup: Setup) -> Loaded | None:
        return None if setup.case is None else await to_thread.run_sync(load_case, setup.case)


def row_of(talk: Conversation) -> dict[str, str]:
    """The row of a talk, as the records take it."""
    contestant = talk.setup.contestant
    about = {"id": talk.id, "model": contestant.model, "strategy": contestant.strategy, "toolbox": talk.setup.toolbox}
    return about | {"setup": json.dumps(talk.setup.to_json()), "origin": json.dumps(talk.origin)}


def _auto(place: str) -> Strategy:
    try:
        with Store(place, create=False) as store:
            return Auto(rows=choices(store))
    except BadFile:  # nothing was ever run here: then nothing is known
        return Auto()


FILTERS = ("model", "strategy", "toolbox", "kind")


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


async def kept_side(workshop: Workshop, id_: str, person: str | None) -> SideView:
    """A talk as it was kept. Raises UnknownName, too, while the vote of its battle is out, and for somebody else's."""
    row, *_ = await workshop.db(workshop.records.talk, id_)
    battle = await workshop.db(workshop.records.battle, row.desk)
    others = person is not None and (await workshop.db(workshop.records.desk, row.desk)).person != person
    if others or (battle is not None and battle.status != "voted"):
        raise UnknownName("conversation", id_[:40], [])
    talk = await workshop.opened(id_)
    return Side(row.side, talk, await attempts(workshop, talk)).view()


async def entries(workshop: Workshop, where: Mapping[str, str], person: str | None) -> list[TalkEntry]:
    """The newest talks. Raises BadOption for a filter that is none of FILTERS."""
    wrong = [name for name in where if name not in FILTERS]
    if wrong:
        raise BadOption(f"unknown filter {wrong[0]!r}; known: {', '.join(FILTERS)}")
    wanted = {name: value for name, value in where.items() if value} | ({} if person is None else {"person": person})
    rows = await workshop.db(workshop.records.talks, wanted)
    firsts = await workshop.db(workshop.records.firsts, [row.id for row in rows])
    return [
        TalkEntry(row.id, Contestant(row.model, row.strategy).name, row.toolbox, row.kind, row.made, *firsts[row.id])
        for row in rows
        if row.id in firsts
    ]


async def attempts(workshop: Workshop, talk: Conversation) -> tuple[AttemptView, ...]:
    """All attempts of a copied talk, each with the turn in which the correction was answered."""
    made = []
    for id_ in attempts_of(talk.origin):
        try:
            other = talk if id_ == talk.id else await workshop.opened(id_)
        except UnknownName:  # the process ended before that attempt began
            continue
        at = int(talk.origin["turn"]) + 1
        if len(other.turns) > at:
            made.append(AttemptView(id_, other.views[at]))
    return tuple(made)
