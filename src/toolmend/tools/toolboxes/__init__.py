"""Worlds that need nothing else. Each is in registry.py under its lower-case name."""

from toolmend.extras.worlds.dungeon import Dungeon
from toolmend.extras.worlds.growth import Growth
from toolmend.extras.worlds.shop import Shop
from toolmend.tools.toolboxes.calendar import Calendar

__all__ = ["Calendar", "Dungeon", "Growth", "Shop"]
