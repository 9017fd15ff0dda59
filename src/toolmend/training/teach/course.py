"""Lessons over somebody's own tools, and, so that nothing is forgotten, talks over made-up tools between them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from toolmend.training.adapter.exam import ExamTalk
from toolmend.training.adapter.rows import Row, Tokens, row_of
from toolmend.training.adapter.tool_talks import ToolTalk
from toolmend.training.teach.kit import Kit
from toolmend.training.teach.talk import TaughtTalk

OTHER = 3  # one talk of so many is over made-up tools


@dataclass(frozen=True, slots=True)
class Taught:
    """The course of a kit: rows to learn from, and its exam."""

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
        talk = TaughtTalk(self.kit, seed) if seed % OTHER else ToolTalk(seed)
        return row_of(talk.system, talk.play(), tokens)

    def exam(self, count: int) -> Iterator[ExamTalk]:
        """So many talks of held-out wordings."""
        return (ExamTalk.of(TaughtTalk(self.kit, seed, held_out=True)) for seed in range(count))
