"""Worlds that need nothing else, each in the registry under its lower-case name; those of extras are found here too."""

from __future__ import annotations

from typing import Any

from toolmend.registry import toolboxes
from toolmend.tools.toolboxes.calendar import Calendar

__all__ = ["Calendar"]


def __getattr__(name: str) -> Any:
    if name.lower() != name and toolboxes.target(name.lower()).endswith(f":{name}"):
        return toolboxes.get(name.lower())
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
