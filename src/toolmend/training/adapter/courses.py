"""What an adapter is taught: lessons by their seeds, and the talks of an exam."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from toolmend.training.adapter.own_mistakes import NO_MISTAKES, OwnMistakes
from toolmend.training.adapter.rows import Row, Tokens, row_of
from toolmend.training.adapter.talks import Lessons
from toolmend.training.adapter.talks_exam import CALENDAR_SYSTEM, ExamTalk, exam_talks
from toolmend.training.adapter.tool_talks import tool_lessons


class Course(Protocol):
    """What is taught: lessons by their seeds, and the talks of an exam. `name` tells courses apart."""

    @property
    def name(self) -> str:
        """Another name is another course."""

    @property
    def title(self) -> str:
        """What its adapter is, in a line."""

    @property
    def toolbox(self) -> str:
        """The only toolbox it is for; "" for any."""

    def row(self, seed: int, tokens: Tokens) -> Row | None:
        """The row of a seed's talk."""

    def exam(self, count: int) -> Iterator[ExamTalk]:
        """So many talks that are never trained on."""


@dataclass(frozen=True, slots=True)
class MadeTalks:
    """Simulated talks about the calendar, over made-up tools ("tools"), or of both in turns. Every fourth has a mistake
    of the model's `own` in it, where there are any."""

    name: str = "calendar"
    own: OwnMistakes = NO_MISTAKES
    title = "taught to say which words mean what"

    @property
    def toolbox(self) -> str:
        """The calendar, where nothing else is taught."""
        return "calendar" if self.name == "calendar" else ""

    def row(self, seed: int, tokens: Tokens) -> Row | None:
        """The row of a seed's talk; of "both", every second is about made-up tools."""
        if self.own and seed % 4 == 0:
            return row_of(*self.own.lesson(seed // 4), tokens)
        if self.name == "tools" or (self.name == "both" and seed % 2):
            system, turns = tool_lessons(seed)
            return row_of(system, turns, tokens)
        return row_of(CALENDAR_SYSTEM, Lessons(seed).play(), tokens)

    @property
    def of_tools(self) -> tuple[bool, ...]:
        """The kinds of its talks: whether they are over made-up tools."""
        return (False, True) if self.name == "both" else (self.name == "tools",)

    def after(self, mistakes: OwnMistakes) -> MadeTalks:
        """The course that goes on from these mistakes, too."""
        return replace(self, own=self.own.with_those(mistakes))

    def exam(self, count: int) -> Iterator[ExamTalk]:
        """So many held-out talks."""
        return exam_talks(self.name, count)
