"""A reload or a restart gives the same desk back, and the talk goes on; nobody is asked again for what was said."""

from __future__ import annotations

from pathlib import Path

import pytest

from arenas import ALPHA, BETA, LUNCH, Slow, alive, clever, make, models
from toolmend.base.errors import UnknownName
from toolmend.extras.arena.records import ArenaRecords
from toolmend.models.scripted import Scripted


@alive
async def test_a_restart_gives_the_same_desk_back(place: Path) -> None:
    first = make(place)
    desk = await first.open("ann")
    await desk.send("both", LUNCH)
    await desk.correct("left", "It starts at one.")
    await desk.copy("left")
    left = desk.view()
    first.close()
    second = make(place)
    assert (await second.open("ann")).view() == left
    second.close()


@alive
async def test_a_talk_goes_on_after_a_restart_and_only_the_new_turn_is_asked_for(place: Path) -> None:
    first = make(place)
    desk = await first.open("ann")
    await desk.send("left", LUNCH)
    await desk.correct("left", "It starts at one.")
    await desk.send("left", "Lunch with Bob on 2024-05-04")
    await desk.undo("left")
    first.close()
    given = models()
    second = make(place, given)
    desk = await second.open("ann")
    await desk.send("left", "Lunch with Cyd on 2024-05-05")
    model = given[ALPHA.model]
    assert isinstance(model, Scripted)
    assert [len(request.messages) for request in model.requests] == [6]  # system, two turns, the new message
    assert desk.view().left.world.text.splitlines() == [
        "2024-05-03  13:00  Lunch with Ada  30 min",
        "2024-05-05  12:00  Lunch with Cyd  30 min",
    ]
    await desk.undo("left")
    assert desk.view().left.world.text == "2024-05-03  13:00  Lunch with Ada  30 min"
    second.close()


@alive
async def test_what_was_said_before_the_process_ended_can_be_tried_again(place: Path) -> None:
    slow = Slow(ALPHA.model)
    first = make(place, {slow.name: slow})
    desk = await first.open("ann")
    desk.send("left", LUNCH)
    await slow.begun.wait()  # and there the process is killed
    second = make(place, {slow.name: Scripted(clever, slow.name)})
    again = await second.open("ann")
    assert again.view().left.waiting == LUNCH
    await again.retry("left")
    assert [turn.said for turn in again.view().left.turns] == [LUNCH]
    await desk.stop()
    second.close()
    first.close()


@alive
async def test_desks_that_are_not_in_memory_come_back(place: Path) -> None:
    arena = make(place, max_people=2)
    for person in ("ann", "bob", "cyd", "dan"):
        await (await arena.open(person)).send("left", f"Lunch with {person} on 2024-05-03")
    assert len(arena._desks) <= 3
    assert (await arena.open("ann")).view().left.turns[0].said == "Lunch with ann on 2024-05-03"
    arena.close()


@alive
async def test_history_lists_talks(place: Path) -> None:
    arena = make(place)
    desk = await arena.open("ann")
    await desk.send("both", LUNCH)
    entries = await arena.history("ann")
    assert {(each.contestant, each.first, each.turns, each.kind) for each in entries} == {
        (name, LUNCH, 1, "chat") for name in (ALPHA.name, BETA.name)
    }
    assert await arena.history("bob") == []
    with pytest.raises(UnknownName):
        await arena.conversation("nothing")
    arena.close()


def test_a_secret_outlives_the_process(place: Path) -> None:
    first, second = ArenaRecords(place), ArenaRecords(place)
    assert first.secret("cookies") == second.secret("cookies") != first.secret("other")
    first.close()
    second.close()


@alive
async def test_undo_in_words_brings_the_former_value_back_after_a_restart_too(place: Path) -> None:
    first = make(place, mend=True)
    desk = await first.open("ann")
    for said in (LUNCH, "No, at one.", "undo that"):
        await desk.send("left", said)
    assert [row.cells[1] for row in desk.view().left.world.rows] == ["12:00"]
    assert desk.view().left.turns[-1].reply.startswith("Taken back.")
    first.close()
    second = make(place, mend=True)
    again = await second.open("ann")
    await again.send("left", "undo that")
    assert [row.change for row in again.view().left.world.rows] == ["gone"]
    second.close()
