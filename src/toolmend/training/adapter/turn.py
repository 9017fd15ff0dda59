"""A turn of a talk that is learned from: what was said, and the reply."""

from __future__ import annotations

from dataclasses import dataclass, field

from toolmend.language.resolve.background import Background


@dataclass(frozen=True, slots=True)
class Turn:
    """What was said, the reply, and whether it is learned (a wrong one is only shown). `op` names the kind of request,
    `against` is what the words of the reply are computed against."""

    said: str
    reply: str
    learned: bool
    op: str
    against: Background = field(default=Background(), compare=False, repr=False)
