"""The dungeon of Freyr's experiment, rebuilt: levels as values, sixteen tools, a text for models, a map."""

from toolmend.extras.worlds.dungeon.dungeon import Dungeon, cases

__all__ = ["Dungeon", "cases"]
