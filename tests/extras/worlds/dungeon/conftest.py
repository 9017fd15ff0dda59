"""A small dungeon for the tests: three rooms, two corridors, an enemy with an attack, a trap and a treasure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from toolmend.base.messages import Call
from toolmend.extras.worlds.dungeon import Dungeon

Refused = Callable[..., str]
BITE = ("Bite", "Sharp teeth", "damage", "XXOO", "XOOO", 3.0, 0.9)


@pytest.fixture
def dungeon() -> Dungeon:
    """Hall (0, 0), Cellar east of it, Tower north of it; a rat with a bite in the hall, a pit and a chest in cells.

    The current place is the cellar.
    """
    made = Dungeon()
    made.create_room("Hall", "A wide hall")
    made.create_room("Tower", "A high tower", "Hall", "north")
    made.create_room("Cellar", "A damp cellar", "Hall", "east")
    made.add_trap("Hall-Cellar", "Pit", "A deep pit", "You fall", 1)
    made.add_treasure("Hall-Cellar", "Chest", "An old chest", "Coins", 2)
    made.add_enemy("Hall", "Rat", "A fat rat", "rodent", 5, 0.5, 0.25, 1, -1)
    made.add_attack("Hall", -1, "Rat", *BITE)
    made.add_treasure("Cellar", "Barrel", "A barrel", "Wine", -1)
    return made


@pytest.fixture
def refused() -> Refused:
    """Run a call that must be refused: the world is as it was, and the words say why."""

    def run(box: Dungeon, tool: str, **arguments: Any) -> str:
        before = box.level
        result = box.run_sync(Call(tool, arguments))
        assert box.level is before
        assert result.fault == "refused", result
        return str(result.error)

    return run
