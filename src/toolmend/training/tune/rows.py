"""A conversation as ids with a mark for what is learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from toolmend.messages import ToolSpec
from toolmend.training.datasets.lines import Said


@dataclass(frozen=True)
class Row:
    """One conversation: `learn[i]` says whether `ids[i]` is to be predicted from the ids before it."""

    ids: tuple[int, ...]
    learn: tuple[bool, ...]


class Form(Protocol):
    """How a base writes conversations."""

    def row(self, messages: Sequence[Said], tools: Sequence[ToolSpec]) -> Row:
        """The conversation as ids; the assistant's messages are learned unless their `learn` is False."""
        ...
