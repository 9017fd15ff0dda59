"""What a visitor may name is a key of what the operator offered; nothing else is read, loaded or opened."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from arenas import ALPHA, LUNCH, alive, make
from toolmend import registry
from toolmend.base import db
from toolmend.base.errors import BadOption, UnknownName
from toolmend.extras.arena import Arena, Contestant, records
from toolmend.extras.arena.choices import WORLDS
from toolmend.extras.arena.queue import PROMPT, QueuePrompt, items_of_prompts


@pytest.fixture
def plugin(monkeypatch: pytest.MonkeyPatch) -> None:
    """A toolbox and a strategy of another package, which cannot even be imported without being noticed."""
    for table in (registry.toolboxes, registry.strategies):
        monkeypatch.setattr(table, "_foreign", {"plugged": "antigravity:fly"})


def noticing(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names that are turned into models, strategies, toolboxes, suites, files or modules from now on."""
    names: list[str] = []
    for target in (
        "toolmend.registry.load_object",
        "toolmend.base.options.split_name",
        "toolmend.strategies.split_name",
        "toolmend.tools.Toolbox.load",
        "toolmend.extras.arena.choices.load_suite",
        "builtins.open",
        "pathlib.Path.read_text",
        "pathlib.Path.open",
    ):
        monkeypatch.setattr(target, lambda name, *_rest, **_given: names.append(str(name)))
    return names


NAMES: dict[str, dict[str, Any]] = {
    "memory": {"toolbox": "memory"},
    "knowledge": {"toolbox": "knowledge"},
    "plug-in": {"toolbox": "plugged"},
    "file": {"toolbox": "/tmp/evil.py"},
    "module": {"toolbox": "json:loads"},
    "command": {"toolbox": "mcp:touch /nowhere"},
    "toolbox with options": {"toolbox": "calendar?x=1"},
    "table": {"contestant": Contestant(ALPHA.model, "auto?table=/dev/zero")},
    "option": {"contestant": Contestant(ALPHA.model, "freyr?retries=1")},
    "plug-in strategy": {"contestant": Contestant(ALPHA.model, "plugged")},
    "no strategy": {"contestant": Contestant(ALPHA.model, "")},
    "folder": {"contestant": Contestant("/etc", "oneline")},
    "model with options": {"contestant": Contestant(f"{ALPHA.model}?url=http://x", "oneline")},
}


@pytest.mark.parametrize("changes", NAMES.values(), ids=NAMES)
@alive
async def test_a_name_that_is_not_offered_is_refused_and_nothing_is_made_of_it(
    place: Path, plugin: None, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any]
) -> None:
    arena = make(place)
    desk = await arena.open("ann")
    before = desk.view()
    names = noticing(monkeypatch)
    with pytest.raises(UnknownName):
        await desk.set("both", **changes)
    assert (names, desk.view()) == ([], before)
    monkeypatch.undo()
    arena.close()


@alive
async def test_an_offered_name_with_another_after_it_changes_no_side(arena: Arena) -> None:
    desk = await arena.open("ann")
    with pytest.raises(UnknownName):
        await desk.set("both", toolbox="shop", contestant=Contestant("nobody"))
    assert (desk.view().left.toolbox, desk.view().right.toolbox) == ("calendar", "calendar")


@pytest.mark.parametrize("toolbox", [(), []])
def test_an_arena_without_a_world_is_refused(place: Path, toolbox: Any) -> None:
    with pytest.raises(BadOption, match="at least one toolbox"):
        make(place, toolbox=toolbox)


def test_what_is_shown_to_choose_from_is_what_is_offered(place: Path, plugin: None) -> None:
    spelled = "toolmend.tools.toolboxes.calendar:Calendar"
    arena = Arena(place, [Contestant("builtin/small", "freyr?retries=1")], toolbox=("shop", spelled))
    assert arena.toolboxes == [*WORLDS, spelled]
    assert arena.strategies == [
        "auto",
        "freyr",
        "freyr_paper",
        "native",
        "oneline",
        "react",
        "spoken",
        "freyr?retries=1",
    ]
    arena.close()


def test_every_toolbox_that_ships_is_offered_but_memory_and_knowledge() -> None:
    assert sorted(WORLDS) == [name for name in registry.toolboxes.shipped() if name not in ("memory", "knowledge")]


@pytest.mark.parametrize("name", ["memory", "knowledge", "toolmend.extras.memory.toolbox:MemoryTools"])
def test_what_would_open_the_operators_store_is_refused_however_it_is_spelled(place: Path, name: str) -> None:
    with pytest.raises(BadOption, match="what your own store holds"):
        make(place, toolbox=("calendar", name))


@alive
async def test_what_is_not_offered_any_more_is_shown_and_neither_loaded_nor_asked(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spelled = "toolmend.tools.toolboxes.calendar:Calendar"
    first = make(place, toolbox=("calendar", spelled))
    desk = await first.open("ann")
    await desk.set("left", toolbox=spelled)
    await desk.send("left", LUNCH)
    await desk.send("right", "Hello")
    said = desk.view()
    with db.writing(first.records.engine) as connection:  # as a visitor could before names were looked up
        setup = json.dumps(desk.right.talk.setup.to_json()).replace('"oneline"', '"auto?table=/dev/zero"')
        row = records.conversations.c.id == desk.view().right.conversation
        connection.execute(sa.update(records.conversations).where(row).values(setup=setup))
    first.close()
    second = make(place)
    again = await second.open("ann")
    assert (again.view().left.turns, again.view().right.turns) == (said.left.turns, said.right.turns)
    names = noticing(monkeypatch)
    await again.send("both", LUNCH)
    assert f"unknown toolbox '{spelled}'" in again.view().left.problem
    assert "unknown strategy 'auto?table=/dev/zero'" in again.view().right.problem
    assert names == []
    monkeypatch.undo()
    await again.set("both", contestant=ALPHA, toolbox="calendar")
    await again.send("left", LUNCH)
    assert again.view().left.world.text == "2024-05-03  12:00  Lunch with Ada  30 min"
    second.close()


@alive
async def test_a_queue_asks_for_worlds_that_are_offered(place: Path) -> None:
    arena = make(place)
    arena.records.add_items("q", PROMPT, 1, items_of_prompts([QueuePrompt("What do you know?", "memory")]))
    with pytest.raises(UnknownName, match="toolbox"):
        await arena.battle("ann", queue="q")
    arena.close()
