"""Turns of a talk taken back by a later one: what they made goes, and what they had replaced stands again.

Knows which calls stand; nothing of models and words.
"""

from __future__ import annotations

from collections.abc import Sequence

from toolmend.base.events import Guarded, Read
from toolmend.base.messages import Call
from toolmend.reading import Reading, render
from toolmend.session.answer import Answer
from toolmend.session.standing import Standing


async def reverted(number: int, done: Sequence[Answer], standing: Standing) -> Answer:
    """The answer of turn `number`, which takes these back, the newest first. What cannot be undone is told."""
    undone, kept, back = list[str](), list[str](), list[str]()
    for answer in done:
        made = [call for call in answer.standing if standing.holds(call)]
        gone, stays = await standing.take_back(number, [*standing.standing(answer.restored), *made])
        undone, kept = [*undone, *gone], [*kept, *stays]
        if answer.undone and not answer.redone:
            await standing.put_back(number, answer.undone)
            back += answer.undone
    again = standing.standing(back)
    standing.emit(Guarded(number, "mended", "back"))
    told = _told(standing.standing(kept), again, standing)
    standing.emit(Read(number, (), (), told, "no_call", told))
    return Answer(
        number,
        told,
        Reading((), told, problem="no_call"),
        amends=done[0].turn,
        undone=tuple(undone),
        kept=tuple(kept),
        restored=tuple(call.id for call in again),
        reverts=tuple(answer.turn for answer in done),
    )


def _told(kept: Sequence[Call], back: Sequence[Call], standing: Standing) -> str:
    """What stays, and what is as it was."""
    specs = {spec.full_name: spec for spec in standing.tools.specs}
    stays = [f"{call.tool} cannot be undone: what it did stays done." for call in kept]
    again = [f"As before: {render(call, specs.get(call.tool))}" for call in back]
    return "\n".join([*stays, *(["Taken back."] if back or not kept else []), *again])
