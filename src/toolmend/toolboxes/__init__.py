"""Worlds that need nothing else. Each is in registry.py under its lower-case name."""

from toolmend.toolboxes.calendar import Calendar
from toolmend.toolboxes.dungeon import Dungeon
from toolmend.toolboxes.growth import Growth
from toolmend.toolboxes.shop import Shop

__all__ = ["Calendar", "Dungeon", "Growth", "Shop"]
