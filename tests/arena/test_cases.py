"""A case that is loaded: what it says next, how replies are held against it, and giving mistakes to the other model."""

from __future__ import annotations

from pathlib import Path

from arenas import alive, make
from toolmend.arena import Arena, Contestant
from toolmend.arena.views import TurnView
from toolmend.mistakes import Mark
from toolmend.models.scripted import Scripted

CASE = "calendar:complete/dialogue"
WRONG = 'action.add_calendar_entry("Meeting with Fred", date="2023-11-11", time="05:00", duration=30)'
RIGHT = WRONG.replace("05:00", "17:00")


def fred(place: Path, *replies: str) -> Arena:
    return make(place, {"maker/left-1b": Scripted(replies), "maker/right-1b": Scripted([RIGHT])})


@alive
async def test_the_case_says_what_comes_next(place: Path) -> None:
    arena = fred(place, RIGHT)
    desk = await arena.open("ann")
    await desk.set("left", case=CASE)
    assert desk.view().left.next == "Add a meeting with Fred on Nov 11 at 5PM"
    await desk.send("left", desk.view().left.next)
    view = desk.view().left
    assert (view.turns[0].judged, view.turns[0].marks) == ("case", (Mark.CORRECT,))
    assert view.next == "The current year is 2024."
    arena.close()


@alive
async def test_a_suggested_correction_that_works_is_marked_as_a_fix(place: Path) -> None:
    arena = fred(place, WRONG, RIGHT)
    desk = await arena.open("ann")
    await desk.set("left", case=CASE)
    await desk.send("left", desk.view().left.next)
    (turn,) = desk.view().left.turns
    assert (turn.marks, turn.mistakes) == ((Mark.MISTAKE,), ("time has the wrong value: 05:00 instead of 17:00",))
    assert desk.suggestions("left")
    await desk.correct("left", 0)
    first, second = desk.view().left.turns
    assert (first.undone, second.marks, second.glyphs) == (True, (Mark.FIXED,), "🥦")
    arena.close()


@alive
async def test_a_mistake_that_comes_back_after_its_correction_recurs(place: Path) -> None:
    arena = fred(place, WRONG)
    desk = await arena.open("ann")
    await desk.set("left", case=CASE)
    await desk.send("left", desk.view().left.next)
    await desk.correct("left", 0)
    assert [turn.glyphs for turn in desk.view().left.turns] == ["(🍄)", "(🍄)"]
    arena.close()


@alive
async def test_a_mistake_is_given_to_the_other_model_with_its_correction(place: Path) -> None:
    arena = fred(place, WRONG)
    desk = await arena.open("ann")
    await desk.set("left", case=CASE)
    await desk.send("left", desk.view().left.next)
    await desk.correct("left", "It is in the afternoon.")
    source = desk.view().left.conversation
    await desk.copy("left", turn=0)
    view = desk.view().right
    given, mended = view.turns
    assert (given.given, given.calls, given.marks) == (True, desk.view().left.turns[0].calls, (Mark.MISTAKE,))
    assert (mended.said, mended.marks) == ("It is in the afternoon.", (Mark.FIXED,))
    assert view.origin == "copied from maker/left-1b · oneline, its reply 1 given"
    assert mended.glyphs == "🥦" and view.conversation != source
    again = await arena.conversation(view.conversation)
    assert again.origin == view.origin and again.turns == view.turns
    arena.close()


@alive
async def test_the_worlds_of_an_undone_and_a_standing_call_are_told_apart(place: Path) -> None:
    arena = fred(place, WRONG, RIGHT)
    desk = await arena.open("ann")
    await desk.set("both", case=CASE)
    await desk.send("both", "Add a meeting with Fred on Nov 11 at 5PM")
    await desk.correct("left", 0)
    assert desk.view().left.world.text == desk.view().right.world.text == "2023-11-11  17:00  Meeting with Fred  30 min"
    arena.close()


async def denied(place: Path, case: str, reply: str, suite: str) -> TurnView:
    """The first turn of a case in which the reply's call is not allowed to run."""
    model = Scripted([reply], "maker/left-1b")
    arena = Arena(
        place, [Contestant(model.name, "oneline")], models={model.name: model}, suites=[suite], approve="write=deny"
    )
    desk = await arena.open("ann")
    await desk.set("left", case=case)
    await desk.send("left", desk.view().left.next)
    [turn] = desk.view().left.turns
    arena.close()
    return turn


@alive
async def test_a_denied_call_is_held_against_what_the_case_asked_for(place: Path) -> None:
    turn = await denied(place, CASE, WRONG, "calendar")
    assert (turn.judged, turn.mistakes) == ("case", ("time has the wrong value: 05:00 instead of 17:00",))


@alive
async def test_a_world_that_nothing_was_allowed_to_change_is_no_mistake(place: Path) -> None:
    right = 'create_room("Gate Hall", "A portcullis, and a brazier on either side of it")'
    turn = await denied(place, "dungeon:stories/gatehouse", right, "dungeon")
    assert (turn.judged, turn.marks, turn.mistakes) == ("tool", (), ())


def test_the_shipped_cases_are_listed(arena: Arena) -> None:
    (found,) = [case for case in arena.cases if case.id == CASE]
    assert (found.toolbox, found.prompts[1]) == ("calendar", "The current year is 2024.")
