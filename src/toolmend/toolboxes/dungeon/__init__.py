"""The dungeon of Freyr's experiment, rebuilt: levels as values, sixteen tools, a text for models, a map."""

from toolmend.toolboxes.dungeon.dungeon import Dungeon, cases
from toolmend.toolboxes.dungeon.level import (
    Attack,
    Corridor,
    Encounter,
    Enemy,
    Level,
    Room,
    Trap,
    Treasure,
)
from toolmend.toolboxes.dungeon.rules import CASES, PUBLISHED, Limits

__all__ = [
    "CASES",
    "PUBLISHED",
    "Attack",
    "Corridor",
    "Dungeon",
    "Encounter",
    "Enemy",
    "Level",
    "Limits",
    "Room",
    "Trap",
    "Treasure",
    "cases",
]
