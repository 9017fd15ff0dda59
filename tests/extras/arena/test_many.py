"""A hundred people at once: nothing is lost and nothing gets to somebody else's desk."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from arenas import add, alive, make
from toolmend.extras.arena import Arena


@pytest.mark.slow
@alive
async def test_a_hundred_people_at_once_see_only_their_own(place: Path) -> None:
    arena = make(place, max_people=40)
    await asyncio.gather(*(_visit(arena, number) for number in range(100)))
    for number in range(100):
        view = (await arena.open(f"person {number}")).view()
        assert [turn.said for turn in view.left.turns] == [f"Lunch with P{number} on 2024-05-03", "It starts at one."]
        assert [turn.said for turn in view.right.turns] == [f"Lunch with P{number} on 2024-05-03"]
        assert view.left.world.text == f"2024-05-03  13:00  Lunch with P{number}  30 min"
    arena.close()


async def _visit(arena: Arena, number: int) -> None:
    desk = await arena.open(f"person {number}")
    await desk.send("both", f"Lunch with P{number} on 2024-05-03")
    assert {side.turns[0].reply for side in (desk.view().left, desk.view().right)} == {add(f"Lunch with P{number}")}
    desk = await arena.open(f"person {number}")
    await desk.correct("left", "It starts at one.")


@alive
async def test_two_tabs_that_open_at_once_get_one_desk(arena: Arena) -> None:
    desks = await asyncio.gather(*(arena.open("ann") for _ in range(10)))
    assert len({id(desk) for desk in desks}) == 1
