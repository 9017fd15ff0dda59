"""Worlds to play in: a dungeon, a shop, and one that grows to any number of tools."""
