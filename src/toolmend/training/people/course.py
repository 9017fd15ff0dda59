"""The course of people's talks beside written ones: one row of two is a person's. What is kept back is told by the
first words of a talk, so that it is kept back in whatever file it stands, and however often.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from toolmend.base.errors import BadOption
from toolmend.training.adapter.courses import LEAST, WrittenCourse
from toolmend.training.adapter.own_mistakes import OwnReply
from toolmend.training.adapter.rows import Row, Tokens, row_of
from toolmend.training.adapter.written_talks import HandTalk
from toolmend.training.people.retelling import TalkPool
from toolmend.training.people.talk_lines import PeopleTalk, read_talks

_KEPT, _EXAM = 50, 200
"""One talk of so many is kept back; so many rows of them are the exam at most."""


@dataclass(frozen=True)
class PeopleCourse:
    """Talks of people, told otherwise each time, in turns with written ones."""

    talks: tuple[PeopleTalk, ...]
    written: WrittenCourse
    name: str

    title = "taught by people's sentences which words mean what"
    toolbox = ""

    @cached_property
    def _pools(self) -> tuple[TalkPool, TalkPool]:
        """What is taught, and what is kept back."""
        kept = [_kept(talk) for talk in self.talks]
        parts = (
            [talk for talk, back in zip(self.talks, kept, strict=True) if back is which] for which in (False, True)
        )
        taught, back = (TalkPool(tuple(part)) for part in parts)
        return taught, back

    def row(self, seed: int, tokens: Tokens) -> Row | None:
        """The row of a seed's talk."""
        if seed % 2:
            return self.written.row(seed // 2, tokens)
        talk = self.talk(seed // 2)
        return row_of(talk.system, talk.turns, tokens)

    def talk(self, seed: int) -> HandTalk:
        """A person's talk by its seed."""
        return self._pools[0].told(seed)

    def picked(self, count: int, seed: int) -> Mapping[str, Sequence[int]]:
        """Written talks in which the net is asked to reply."""
        return self.written.picked(count, seed)

    def kept_back(self, tokens: Tokens) -> Sequence[Row]:
        """The rows of talks that are never trained on, the written ones' too."""
        back = self._pools[1]
        talks = [back.told(seed) for seed in range(min(len(back), _EXAM))]
        own = [row for talk in talks if (row := row_of(talk.system, talk.turns, tokens))]
        return [*own, *self.written.kept_back(tokens)]

    def after(self, mistakes: Sequence[OwnReply]) -> PeopleCourse:
        """The course that goes on from these mistakes, too."""
        return replace(self, written=self.written.after(mistakes))


def _kept(talk: PeopleTalk) -> bool:
    return int(hashlib.sha256(talk.turns[0].said.casefold().encode()).hexdigest(), 16) % _KEPT == 0


def people_course(paths: Sequence[Path], written: str = "both") -> PeopleCourse:
    """The course of files of talks beside the written ones of a kind. Raises BadFile, BadOption where there is too
    little."""
    talks = tuple(talk for path in paths for talk in read_talks(path))
    if len(talks) < LEAST:
        told = ", ".join(map(str, paths))
        raise BadOption(f"{told}: {len(talks)} {'talk' if len(talks) == 1 else 'talks'}; at least {LEAST} are needed")
    digest = hashlib.sha256(repr(talks).encode()).hexdigest()[:12]
    return PeopleCourse(talks, WrittenCourse(written), f"people {digest} and {written}")
