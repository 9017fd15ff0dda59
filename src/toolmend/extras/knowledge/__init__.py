"""Knowledge: sources collected from files, kept with every state, cut into chunks, judged with reasons, quoted exactly.

Layer 4 (docs/knowledge.md). Searching, answering and remembering are built on this, not in it: they get sources, chunks
with offsets, quotes that can be verified, and a trust for each source and day.
"""

from __future__ import annotations

from toolmend.extras.knowledge.address import canonical, source_id
from toolmend.extras.knowledge.chunks import Chunk, chunks_of
from toolmend.extras.knowledge.library import Library
from toolmend.extras.knowledge.outcome import Outcome
from toolmend.extras.knowledge.outside import Outside
from toolmend.extras.knowledge.source import Found, Source, find_quote
from toolmend.extras.knowledge.tags import tags_of
from toolmend.extras.knowledge.trust import Others, Trust, judge

__all__ = [
    "Chunk",
    "Found",
    "Library",
    "Others",
    "Outcome",
    "Outside",
    "Source",
    "Trust",
    "canonical",
    "chunks_of",
    "find_quote",
    "judge",
    "source_id",
    "tags_of",
]
