"""Memory as tools for a model, a server, MCP: remember, recall, forget. Every rule is the room's own.

Forgetting is a call of effect "danger", which a policy may put to a person. The database is opened when a tool is first
called, where runs are kept unless said otherwise.
"""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from toolmend.base.errors import BadOption, ToolError, UnknownName
from toolmend.evals.store.place import default_place
from toolmend.extras.memory.memory import marked, number_of
from toolmend.extras.memory.recall import recall
from toolmend.extras.memory.stream import Stream
from toolmend.extras.memory.tables import Which
from toolmend.tools import Toolbox, tool

T = TypeVar("T")

SPACE = "TOOLMEND_MEMORY"
"""The environment variable that names the namespace."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of something to remember: its id, and whether it is new."""

    id: str
    text: str
    new: bool


class MemoryTools(Toolbox):
    """The tools of one namespace, opened when needed: that of `stream`, else `namespace` at `place`, "" being
    TOOLMEND_MEMORY or "default", where runs are kept."""

    receiver = "memory"
    place, namespace = "", ""

    def __init__(self, stream: Stream | None = None) -> None:
        if stream is not None:
            self.stream = stream

    @cached_property
    def stream(self) -> Stream:
        """The stream, opened now."""
        return Stream(self.place or default_place(), self.namespace or os.environ.get(SPACE) or "default")

    @tool(undo="_unremember")
    def remember(self, text: str, expires: dt.date | None = None) -> Kept:
        """Keep a fact for later talks; one that is known already is not kept twice.

        Args:
            text: one short statement that stands on its own, for example "Anna's train leaves at 9:40 on Friday"
            expires: the day from which it is of no use any more, as YYYY-MM-DD
        """
        over, before = expires.isoformat() if expires else "", self.stream.newest()
        kept = _tried(lambda: self.stream.remember(text, who="assistant", expires=over))
        return Kept(kept.id, kept.text, kept.number > before)

    @tool(effect="read", foreign=True)
    def recall(self, question: str, most: int = 5) -> str:
        """Find what is known from earlier talks; "Nothing is remembered." where nothing is.

        Args:
            question: what to look for, in words
            most: how many memories at most
        """
        found = _tried(lambda: recall(self.stream, question, max(1, min(most, 20))))
        return marked([recalled.memory for recalled in found]) or "Nothing is remembered."

    @tool(effect="danger")
    def forget(self, id: str = "", containing: str = "") -> str:
        """Forget for good what was remembered, with everything that was made of it.

        Args:
            id: the id of one memory, like m12
            containing: words that all memories to be forgotten contain
        """
        which = _tried(lambda: Which((number_of(id),) if id else (), containing))
        gone = _tried(lambda: self.stream.forget(which))
        return f"Forgotten: {', '.join(f'm{number}' for number in gone)}." if gone else "Nothing like it is remembered."

    def _unremember(self, kept: Kept) -> None:
        if kept.new:
            self.stream.forget(Which((number_of(kept.id),)), did="unremembered")


def _tried(act: Callable[[], T]) -> T:
    """What it gives; what it refuses goes to the model."""
    try:
        return act()
    except (BadOption, UnknownName) as error:
        raise ToolError(str(error)) from error
