"""What tells the sides of a blind battle apart although no name is shown: pace, refusals, names that are words."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from arenas import ALPHA, BETA, LUNCH, Slow, alive, clever, make
from toolmend.base.errors import BadOption
from toolmend.base.messages import Reply, Request
from toolmend.extras.arena import Arena, Desk, DeskView
from toolmend.extras.arena.judges.anonymize import NameMask
from toolmend.extras.arena.page.battling import together
from toolmend.models import Model
from toolmend.models.scripted import Scripted


def failing(_request: Request) -> Reply:
    raise BadOption("maker/alpha-7b does not answer")


def like(view: DeskView) -> None:
    """The sides show the same but for their letters."""
    left, right = (replace(side, side="left", name="", world=view.left.world) for side in (view.left, view.right))
    assert left == right


async def fought(place: Path, fast: Model, slow: Slow) -> tuple[Arena, Desk]:
    """A battle in which one side is done and the other is not."""
    arena = make(place, {fast.name: fast, slow.name: slow})
    desk = await arena.battle("ann", LUNCH)
    await slow.begun.wait()
    quick = desk.left if desk.right.talk.setup.contestant.model == slow.name else desk.right
    while quick.busy:
        await asyncio.sleep(0)
    return arena, desk


@alive
@pytest.mark.parametrize("script", [clever, failing])
async def test_whoever_is_done_first_shows_nothing(tmp_path: Path, script: object) -> None:
    slow = Slow(BETA.model)
    arena, desk = await fought(tmp_path / "a.db", Scripted(script, ALPHA.model), slow)  # type: ignore[arg-type]
    like(together(desk.view()))
    with pytest.raises(BadOption, match=r"^the sides are still answering; wait, or stop them$"):
        desk.send("both", "And at one.")
    slow.go.set()
    assert desk.flow is not None
    await desk.flow
    arena.close()


@alive
async def test_stopped_in_the_middle_both_sides_have_answered_or_neither(tmp_path: Path) -> None:
    slow = Slow(BETA.model)
    arena, desk = await fought(tmp_path / "a.db", Scripted(clever, ALPHA.model), slow)
    await desk.stop("both")
    like(together(desk.view()))
    assert [side.talk.turns for side in (desk.left, desk.right)] == [[], []]
    slow.go.set()
    flow = desk.send("both", LUNCH)
    await flow
    assert [len(side.talk.turns) for side in (desk.left, desk.right)] == [1, 1]
    arena.close()


@alive
async def test_a_prompt_that_is_refused_leaves_the_open_battle(tmp_path: Path) -> None:
    arena = make(tmp_path / "a.db")
    desk = await arena.battle("ann", LUNCH)
    with pytest.raises(BadOption, match="8,000 are the most"):
        await arena.battle("ann", "x" * 8_001)
    assert await arena.battle_of("ann") is desk
    assert desk.flow is not None
    await desk.flow
    arena.close()


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("ollama/orca-mini", "I am Orca Mini.", "I am [model]."),
        ("ollama/orca-mini:latest", "orca says so", "[model] says so"),
        ("builtin/small", "a small lunch", "a small lunch"),
        ("smol/calendar", "in the calendar", "in the calendar"),
    ],
)
def test_names_without_a_number_are_masked_unless_they_are_words(name: str, text: str, shown: str) -> None:
    assert NameMask([name]).text(text) == shown
