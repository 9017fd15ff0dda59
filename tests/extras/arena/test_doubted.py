"""What is doubtful of a call stands with the question whether it may run, and is kept with it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from arenas import LUNCH, alive, make
from toolmend.extras.arena.turns import StoppedAt


@alive
async def test_what_was_not_said_stands_with_the_question_and_is_kept_with_it(place: Path) -> None:
    arena = make(place, approve="ask")
    desk = await arena.open("ann")
    flow = desk.send("left", LUNCH)
    while (asked := desk.left.view().question) is None:
        await asyncio.sleep(0)
    assert asked.doubts == ("time '12:00': was not said",)
    kept = desk.left.talk.waiting
    assert kept and kept.at and StoppedAt.from_json(kept.at.to_json()).question.doubts == asked.doubts
    desk.answer("left", asked.id, False)
    await flow
    arena.close()
