"""Every talk at its address, as long as the database lasts; those of a battle only after its vote. Asks no model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolmend.arena.conversation import Conversation
from toolmend.arena.side import Side
from toolmend.arena.views import AttemptView, Contestant, SideView
from toolmend.arena.workshop import Workshop, attempts_of
from toolmend.errors import BadOption, UnknownName

FILTERS = ("model", "strategy", "toolbox", "kind")


@dataclass(frozen=True, slots=True)
class Entry:
    """One talk in the list. `made` is when it began, `kind` chat, battle or pair."""

    id: str
    contestant: str
    toolbox: str
    kind: str
    made: str
    first: str
    turns: int


def json_of(text: str) -> Any:
    """What a row of text holds."""
    return json.loads(text)


async def conversation(workshop: Workshop, id_: str) -> SideView:
    """A talk as it was kept. Raises UnknownName, too, while the vote of its battle is out."""
    row, *_ = await workshop.db(workshop.records.talk, id_)
    battle = await workshop.db(workshop.records.battle, row.desk)
    if battle is not None and battle.status != "voted":
        raise UnknownName("conversation", id_[:40], [])
    talk = await workshop.opened(id_)
    return Side(row.side, talk, await attempts(workshop, talk)).view()


async def entries(workshop: Workshop, where: Mapping[str, str]) -> list[Entry]:
    """The newest talks. Raises BadOption for a filter that is none of FILTERS."""
    wrong = [name for name in where if name not in FILTERS]
    if wrong:
        raise BadOption(f"unknown filter {wrong[0]!r}; known: {', '.join(FILTERS)}")
    wanted = {name: value for name, value in where.items() if value}
    rows = await workshop.db(workshop.records.talks, wanted)
    firsts = await workshop.db(workshop.records.firsts, [row.id for row in rows])
    return [
        Entry(row.id, Contestant(row.model, row.strategy).name, row.toolbox, row.kind, row.made, *firsts[row.id])
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
