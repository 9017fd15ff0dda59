"""What one person does at a desk: saying, correcting, stopping, undoing, going on from an edited message."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from arenas import ALPHA, LUNCH, Slow, add, alive, clever, make
from toolmend.base.errors import BadOption, UnknownName
from toolmend.extras.arena import Arena, Contestant
from toolmend.extras.arena.turns import answers_to
from toolmend.models.scripted import Scripted


@alive
async def test_one_box_speaks_to_both(arena: Arena) -> None:
    desk = await arena.open("ann")
    await desk.send("both", LUNCH)
    view = desk.view()
    assert view.left.turns[0].reply == view.right.turns[0].reply == add("Lunch with Ada")
    assert view.left.world.rows[0].cells == ("2024-05-03", "12:00", "Lunch with Ada", "30 min")
    assert view.left.world.changes == ("+ 2024-05-03  12:00  Lunch with Ada  30 min",)


@alive
async def test_words_go_left_right_or_to_both(arena: Arena) -> None:
    desk = await arena.open("ann")
    for to, turns in (("left", (1, 0)), ("right", (1, 1)), ("both", (2, 2))):
        await desk.send(to, LUNCH)
        assert (len(desk.view().left.turns), len(desk.view().right.turns)) == turns


@alive
async def test_one_side_is_corrected_while_the_other_waits(arena: Arena) -> None:
    desk = await arena.open("ann")
    await desk.send("both", LUNCH)
    await desk.correct("left", "It starts at one.")
    view = desk.view()
    first, second = view.left.turns
    assert (first.undone, first.corrected_by, second.amends, second.correction) == (True, 1, 0, True)
    assert view.left.world.changes == ("2024-05-03  12:00 → 13:00  Lunch with Ada  30 min",)
    assert len(view.right.turns) == 1


@alive
async def test_undo_puts_back_what_a_correction_had_undone(arena: Arena) -> None:
    desk = await arena.open("ann")
    await desk.send("left", LUNCH)
    await desk.correct("left", "It starts at one.")
    assert await desk.undo("left") == "It starts at one."
    view = desk.view()
    assert view.left.turns[0].undone is False
    assert view.left.world.text == "2024-05-03  12:00  Lunch with Ada  30 min"


@alive
async def test_retry_asks_again_and_leaves_one_turn(arena: Arena) -> None:
    desk = await arena.open("ann")
    await desk.send("left", LUNCH)
    await desk.correct("left", "It starts at one.")
    await desk.retry("left")
    view = desk.view()
    assert [turn.correction for turn in view.left.turns] == [False, True]
    assert [row.was[1] for row in view.left.world.rows] == ["12:00"]


@alive
async def test_an_edited_message_begins_a_new_talk_from_there(arena: Arena) -> None:
    desk = await arena.open("ann")
    await desk.send("left", LUNCH)
    await desk.send("left", "Lunch with Bob on 2024-05-04")
    old = desk.view().left.conversation
    await desk.edit("left", 1, "Lunch with Cyd on 2024-05-05")
    view = desk.view().left
    assert [turn.said for turn in view.turns] == [LUNCH, "Lunch with Cyd on 2024-05-05"]
    assert view.world.text.splitlines() == [
        "2024-05-03  12:00  Lunch with Ada  30 min",
        "2024-05-05  12:00  Lunch with Cyd  30 min",
    ]
    assert view.origin == "goes on from message 2 of an earlier talk, edited"
    assert [turn.said for turn in (await arena.conversation(old)).turns][1] == "Lunch with Bob on 2024-05-04"


@alive
async def test_clear_begins_anew_and_the_old_talk_keeps_its_address(arena: Arena) -> None:
    desk = await arena.open("ann")
    await desk.send("both", LUNCH)
    old = desk.view().left.conversation
    await desk.clear("both")
    assert desk.view().left.turns == desk.view().right.turns == ()
    assert len((await arena.conversation(old)).turns) == 1


@alive
async def test_stop_ends_a_reply_and_what_was_said_can_be_tried_again(place: Path) -> None:
    slow = Slow()
    arena = make(place, {slow.name: slow, ALPHA.model: Scripted(clever, ALPHA.model)})
    desk = await arena.open("ann")
    flow = desk.send("both", LUNCH)
    await slow.begun.wait()
    with pytest.raises(BadOption, match="the left side is still answering"):
        desk.send("left", "more")
    assert desk.view().left.partial == add("Lunch with Ada")[:10]
    await desk.stop("left")
    await flow
    view = desk.view()
    assert (view.left.turns, view.left.waiting, len(view.right.turns)) == ((), LUNCH, 1)
    assert view.left.problem == "stopped"
    slow.go.set()
    await desk.retry("left")
    assert [turn.said for turn in desk.view().left.turns] == [LUNCH]
    arena.close()


@alive
async def test_the_work_goes_on_when_nobody_watches(place: Path) -> None:
    slow = Slow()
    arena = make(place, {slow.name: slow})
    desk = await arena.open("ann")
    watching = asyncio.ensure_future(desk.send("left", LUNCH))
    await slow.begun.wait()
    watching.cancel()  # the page was closed
    slow.go.set()
    while desk.busy:
        await asyncio.sleep(0)
    assert len((await arena.open("ann")).view().left.turns) == 1
    arena.close()


@alive
async def test_a_model_that_cannot_answer_is_one_line(place: Path) -> None:
    arena = make(place, {"scripted/oracle": Scripted([add("x")], "scripted/oracle")})
    desk = await arena.open("ann")
    await desk.set("left", toolbox="shop")
    desk.left.talk._parts = _broken
    await desk.send("left", "Hello")
    assert desk.view().left.problem == "no model 'x' here"
    arena.close()


async def _broken() -> tuple[object, object]:
    raise BadOption("no model 'x' here")


@alive
async def test_what_means_nothing_is_refused_before_anything_runs(arena: Arena) -> None:
    desk = await arena.open("ann")
    for wrong in (
        lambda: desk.send("both", "  "),
        lambda: desk.send("left", "x" * 9_000),
        lambda: desk.send("middle", "x"),  # type: ignore[arg-type]
        lambda: desk.correct("left", "No."),
        lambda: desk.retry("left"),
        lambda: desk.edit("left", 0, "x"),
        lambda: desk.copy("left"),
    ):
        with pytest.raises(BadOption):
            wrong()
    with pytest.raises(BadOption):
        await desk.undo("left")
    with pytest.raises(UnknownName):
        await desk.set("left", contestant=Contestant("builtin/none"))
    with pytest.raises(UnknownName):
        await desk.set("left", toolbox="kitchen")
    assert desk.view().left.busy is False


@alive
async def test_settings_begin_a_new_talk_with_them(arena: Arena) -> None:
    desk = await arena.open("ann")
    await desk.send("left", LUNCH)
    await desk.set("left", toolbox="dungeon", system="Be brief.", temperature=0.5)
    view = desk.view().left
    assert (view.turns, view.toolbox, view.system, view.temperature) == ((), "dungeon", "Be brief.", 0.5)
    assert view.world.mono and desk.view().right.toolbox == "calendar"


@alive
async def test_a_refused_call_shows_the_words_of_its_tool(place: Path) -> None:
    broken = Scripted([add("Lunch", "2024-02-30"), add("Lunch")], "maker/broken-1b")
    arena = make(place, {broken.name: broken})
    desk = await arena.open("ann")
    await desk.send("left", "Lunch on February 30")
    (turn,) = desk.view().left.turns
    assert (turn.shown, len(turn.errors), "2024-02-30" in turn.errors[0]) == (True, 1, True)
    await desk.correct("left", "On the first of March.")
    assert desk.view().left.turns[1].errors == ()
    arena.close()


@alive
async def test_a_mistake_without_a_word_about_it_is_not_given(arena: Arena) -> None:
    desk = await arena.open("ann")
    await desk.send("both", LUNCH)
    with pytest.raises(BadOption, match="say what is wrong with that reply"):
        desk.copy("left")
    await desk.copy("left", text="It starts at one.")
    assert desk.view().right.turns[-1].said == "It starts at one."


def test_a_computed_question_brings_its_answers() -> None:
    assert answers_to("At 07:00 or 19:00?") == (("at 07:00", "at 07:00"), ("19:00", "19:00"))
    assert answers_to("Which is right? 1: time 19:00. 2: duration 45. Or say it in your words.") == (
        ("time 19:00", "1"),
        ("duration 45", "2"),
    )
    assert answers_to("At what time?") == answers_to("") == ()


def test_a_world_says_what_can_be_said_in_it(arena: Arena) -> None:
    about = arena.about("calendar")
    assert (about.title, about.tools[0]) == ("calendar", ("add calendar entry", "Add an entry to the calendar."))
    assert about.examples == arena.talks.choices.toolboxes["calendar"]().openings()
