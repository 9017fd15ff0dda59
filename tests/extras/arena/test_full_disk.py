"""A disk that is full for a moment, a stop in the middle of writing, a restart after either: every talk goes on."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from arenas import LUNCH, alive, make
from toolmend.base import db
from toolmend.base.errors import BadFile, ToolmendError
from toolmend.extras.arena import Arena, Desk


def full_once(arena: Arena, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Let that append find the disk full; those before and after find room."""
    append, counted = arena.records.append, iter(range(10_000))

    def maybe(conversation: str, position: int, kind: str, body: Mapping[str, Any]) -> None:
        if next(counted) == number:
            raise BadFile(arena.records.place, "the disk is full")
        append(conversation, position, kind, body)

    monkeypatch.setattr(arena.records, "append", maybe)


async def played(desk: Desk) -> None:
    """Everything that writes; what fails is not tried again."""
    await desk.send("left", LUNCH)
    with suppress(ToolmendError):
        await desk.correct("left", "It starts at one.")
    await desk.send("left", "Lunch with Bob on 2024-05-04")
    with suppress(ToolmendError):
        await desk.undo("left")
    await desk.send("left", "Lunch with Cyd on 2024-05-05")


@pytest.mark.parametrize("number", range(9))
@alive
async def test_whichever_write_finds_no_room_the_talk_goes_on_and_so_it_does_after_a_restart(
    place: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    first = make(place)
    desk = await first.open("ann")
    full_once(first, monkeypatch, number)
    await played(desk)
    await desk.send("left", "Lunch with Dan on 2024-05-06")
    left = desk.view().left
    assert (left.problem, left.waiting, left.turns[-1].said) == ("", "", "Lunch with Dan on 2024-05-06")
    first.close()
    second = make(place)
    again = await second.open("ann")
    assert again.view().left == left
    await again.send("left", "Lunch with Eve on 2024-05-07")
    gone = [row for row in left.world.rows if row.change == "gone"]
    assert len(again.view().left.world.rows) == len(left.world.rows) - len(gone) + 1
    second.close()


@alive
async def test_a_turn_that_was_not_kept_can_be_tried_again_and_is_done_once(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena = make(place)
    desk = await arena.open("ann")
    full_once(arena, monkeypatch, 1)
    await desk.send("left", LUNCH)
    left = desk.view().left
    assert ("the disk is full" in left.problem, left.waiting, left.turns) == (True, LUNCH, ())
    await desk.retry("left")
    assert desk.view().left.world.text == "2024-05-03  12:00  Lunch with Ada  30 min"
    arena.close()


@pytest.mark.parametrize("number", [0, 1])
@alive
async def test_stopped_while_a_row_is_written_the_talk_goes_on(
    place: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    arena = make(place)
    desk = await arena.open("ann")
    append, counted, writes, go = arena.records.append, iter(range(100)), threading.Event(), threading.Event()

    def slow(*row: Any) -> None:
        if next(counted) == number:
            writes.set()
            go.wait(60)
        append(*row)

    monkeypatch.setattr(arena.records, "append", slow)
    desk.send("left", LUNCH)
    await asyncio.to_thread(writes.wait, 60)
    stopping = asyncio.create_task(desk.stop("left"))
    await asyncio.sleep(0)
    go.set()
    await stopping
    assert len(desk.view().left.turns) == number
    await desk.send("left", "Lunch with Bob on 2024-05-04")
    left = desk.view().left
    assert (left.problem, left.turns[-1].said) == ("", "Lunch with Bob on 2024-05-04")
    arena.close()
    second = make(place)
    assert (await second.open("ann")).view().left == left
    second.close()


@alive
async def test_a_talk_whose_rows_have_a_gap_goes_on(place: Path) -> None:
    first = make(place)
    talk = (await first.open("ann")).view().left.conversation
    asked = {"text": LUNCH, "correction": False}
    first.records.append(talk, 0, "asked", asked)
    first.records.append(talk, 2, "unasked", {})
    first.records.append(talk, 3, "asked", asked)
    first.close()
    second = make(place)
    again = await second.open("ann")
    await again.retry("left")
    assert [turn.said for turn in again.view().left.turns] == [LUNCH]
    second.close()


@alive
async def test_a_second_process_is_told_in_one_line(place: Path) -> None:
    first, second = make(place), make(place)
    here, there = await first.open("ann"), await second.open("ann")
    await here.send("left", LUNCH)
    await there.send("left", LUNCH)
    problem = there.view().left.problem
    assert "another process" in problem and "INSERT" not in problem
    first.close()
    second.close()


@alive
async def test_a_disk_that_is_really_full(place: Path) -> None:
    arena = make(place)
    desk = await arena.open("ann")
    with db.writing(arena.records.engine) as connection:  # the pool has one connection, which keeps the limit
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    for n in range(1, 29):
        await desk.send("left", f"Lunch with Ada on 2024-05-{n:02}")
    assert "the disk is full" in desk.view().left.problem
    kept = len(desk.view().left.turns)
    arena.close()
    again = make(place)
    desk = await again.open("ann")
    assert len(desk.view().left.turns) == kept
    await desk.send("left", "Lunch with Bob on 2024-06-01")
    assert (desk.view().left.problem, len(desk.view().left.turns)) == ("", kept + 1)
    again.close()
