"""A mistake of one model given to the other, with what was said to it."""

from __future__ import annotations

from pathlib import Path

from arenas import alive, make
from toolmend.models.scripted import Scripted

WRONG = 'action.add_calendar_entry("Meeting with Fred", date="2023-11-31", time="17:00", duration=30)'
RIGHT = 'action.add_calendar_entry(title="Meeting with Fred", date="2023-11-11", time="17:00", duration=30)'


@alive
async def test_a_mistake_is_given_to_the_other_model_with_its_correction(place: Path) -> None:
    arena = make(place, {"maker/left-1b": Scripted([WRONG]), "maker/right-1b": Scripted([RIGHT])})
    desk = await arena.open("ann")
    await desk.send("left", "Add a meeting with Fred on Nov 11 at 5PM")
    await desk.correct("left", "It is on the eleventh.")
    source = desk.view().left.conversation
    await desk.copy("left", turn=0)
    view = desk.view().right
    given, mended = view.turns
    assert (given.given, given.calls) == (True, desk.view().left.turns[0].calls)
    assert (mended.said, mended.calls) == ("It is on the eleventh.", (RIGHT,))
    assert view.origin == "copied from maker/left-1b · oneline, its reply 1 given"
    assert view.conversation != source
    again = await arena.conversation(view.conversation)
    assert again.origin == view.origin and again.turns == view.turns
    arena.close()
