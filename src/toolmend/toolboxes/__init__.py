"""Worlds that need nothing else. Each registers in registry.py under its lower-case name."""

from toolmend.toolboxes.calendar import Calendar

__all__ = ["Calendar"]
