"""Lessons over somebody's own tools, and, so that nothing is forgotten, talks over made-up tools between them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from toolmend.training.adapter.rows import Row, Tokens, row_of
from toolmend.training.adapter.talks_exam import ExamTalk
from toolmend.training.adapter.tool_talks import tool_lessons
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
        if seed % OTHER == 0:
            system, turns = tool_lessons(seed)
            return row_of(system, turns, tokens)
        talk = TaughtTalk(self.kit, seed)
        return row_of(talk.system, talk.play(), tokens)

    def exam(self, count: int) -> Iterator[ExamTalk]:
        """So many talks of held-out wordings."""
        for seed in range(count):
            talk = TaughtTalk(self.kit, seed, held_out=True)
            yield ExamTalk(talk.system, talk.specs, talk.specs, talk.play())
