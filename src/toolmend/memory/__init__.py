"""The memory of an assistant: a stream of what was said, done and corrected, recalled, reflected on, and forgotten.

Layer 4 (docs/memory.md). `Stream` keeps, `recall` ranks, `Remembering` listens to a talk and tells it what is known.
Works without any model; one may write reflections and summaries.
"""

from __future__ import annotations

from toolmend.memory.answers import Answer, answer
from toolmend.memory.context import Remembering
from toolmend.memory.memory import Memory
from toolmend.memory.preferences import Preferences
from toolmend.memory.recall import PUBLISHED, USUAL, Recalled, Weights, recall
from toolmend.memory.reflection import reflect
from toolmend.memory.stream import Stream
from toolmend.memory.which import Which
from toolmend.memory.window import Window

__all__ = [
    "PUBLISHED",
    "USUAL",
    "Answer",
    "Memory",
    "Preferences",
    "Recalled",
    "Remembering",
    "Stream",
    "Weights",
    "Which",
    "Window",
    "answer",
    "recall",
    "reflect",
]
