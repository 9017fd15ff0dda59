"""Lessons over somebody's own tools, and, so that nothing is forgotten, written talks over other tools between them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from toolmend.training.adapter.rows import Row, Tokens, row_of
from toolmend.training.adapter.written_talks import written_talk
from toolmend.training.teach.kit import Kit
from toolmend.training.teach.talk import TaughtTalk

OTHER = 3  # one talk of so many is over other tools
_LOOKED_AT = 20  # held-out talks


@dataclass(frozen=True, slots=True)
class Taught:
    """The course of a kit: rows to learn from, and those of held-out wordings."""

    kit: Kit
    title: str

    toolbox = ""  # it is not made for others, but does not refuse them

    @property
    def name(self) -> str:
        """Tells courses apart: other tools or examples make another one."""
        kit = self.kit
        digest = hashlib.sha256(repr((kit.specs, kit.tools, kit.held, kit.fixed, sorted(kit.changes.items()))).encode())
        return f"own {digest.hexdigest()[:12]}"

    def row(self, seed: int, tokens: Tokens) -> Row | None:
        """The row of a seed's talk."""
        if seed % OTHER:
            own = TaughtTalk(self.kit, seed)
            return row_of(own.system, own.play(), tokens)
        other = written_talk("tools", seed // OTHER)
        return row_of(other.system, other.turns, tokens)

    def kept_back(self, tokens: Tokens) -> Sequence[Row]:
        """The rows of talks of held-out wordings."""
        talks = (TaughtTalk(self.kit, seed, held_out=True) for seed in range(_LOOKED_AT))
        return [row for talk in talks if (row := row_of(talk.system, talk.play(), tokens))]
