"""A dungeon in a given state, for tests."""

from __future__ import annotations

from typing import Any

from toolmend.extras.worlds.dungeon import Dungeon


def dungeon_of(state: Any, limits: str = "published") -> Dungeon:
    """A dungeon under these limits that became that state."""
    made = Dungeon(limits=limits)
    made.set_state(state)
    return made
