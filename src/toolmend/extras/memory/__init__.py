"""The memory of an assistant: a stream of what was said, done and corrected, recalled, and forgotten.

Layer 4 (docs/memory.md). `Stream` keeps, `recall` ranks, `Remembering` listens to a talk and tells it what is known.
Asks no model.
"""

from __future__ import annotations

from toolmend.extras.memory.context import Remembering
from toolmend.extras.memory.memory import Memory
from toolmend.extras.memory.preferences import Preferences
from toolmend.extras.memory.recall import PUBLISHED, USUAL, Weights, recall
from toolmend.extras.memory.stream import Stream
from toolmend.extras.memory.tables import Which

__all__ = [
    "PUBLISHED",
    "USUAL",
    "Memory",
    "Preferences",
    "Remembering",
    "Stream",
    "Weights",
    "Which",
    "recall",
]
