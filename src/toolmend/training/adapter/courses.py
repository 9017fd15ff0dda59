"""What an adapter is taught: lessons by their seeds, and the talks of an exam.

Mistakes of the model that is taught are lessons, too: collected from its greedy replies in simulated talks. A talk is
the same for a seed and the same replies, so these are what is kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Protocol

import anyio

from toolmend.errors import BadFile
from toolmend.messages import Message, Request
from toolmend.models import Model
from toolmend.training.adapter.calendar_talks import CalendarTalk
from toolmend.training.adapter.rows import Row, Tokens, row_of
from toolmend.training.adapter.talks import SimulatedTalk, Turn
from toolmend.training.adapter.talks_exam import GREEDY, ExamTalk
from toolmend.training.adapter.tool_talks import ToolTalk
from toolmend.training.adapter.written_talks import written_talk

TALKS: Mapping[str, Callable[..., SimulatedTalk]] = {"calendar": CalendarTalk, "tools": ToolTalk}
"""Talks about the calendar, and over made-up tools."""
WRITTEN: Mapping[str, Mapping[str, float]] = {"calendar": {"calendar": 0.7}, "tools": {"tools": 0.3, "calendar": 0.2}}
"""By the kind of talks, the shares of rows that are talks written by hand, and about what."""
OwnMistakes = Mapping[tuple[int, str], Mapping[int, str]]
"""A model's replies by their turn, a mistake among them, in the talk of a seed and a kind."""


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
    """Talks of one kind, or of "both" in turns: some written by hand, else simulated; every fourth has a mistake of the
    model's `own` in it, where there are any."""

    name: str = "calendar"
    own: OwnMistakes = field(default_factory=dict)
    title = "taught to say which words mean what"

    @property
    def toolbox(self) -> str:
        """The calendar, where nothing else is taught."""
        return "calendar" if self.name == "calendar" else ""

    @property
    def kinds(self) -> Sequence[str]:
        """The kinds of its talks."""
        return tuple(TALKS) if self.name == "both" else (self.name,)

    def row(self, seed: int, tokens: Tokens) -> Row | None:
        """The row of a seed's talk."""
        if self.own and seed % 4 == 0:
            talk = self.mistaken(seed // 4)
            return row_of(talk.system, talk.play(), tokens)
        drawn = Random(seed).random()
        for about, share in WRITTEN[self.kinds[seed % len(self.kinds)]].items():
            if drawn < share:
                written = written_talk(about, seed)
                return row_of(written.system, written.turns, tokens)
            drawn -= share
        talk = self._talk(seed)
        return row_of(talk.system, talk.play(), tokens)

    def mistaken(self, seed: int) -> SimulatedTalk:
        """A talk in which a mistake was made: they are gone through in turns."""
        chosen, kind = key = sorted(self.own)[seed % len(self.own)]
        return TALKS[kind](chosen, own=lambda turns, said: self.own[key].get(len(turns), ""))

    def _talk(self, seed: int, *, held_out: bool = False) -> SimulatedTalk:
        return TALKS[self.kinds[seed % len(self.kinds)]](seed, held_out=held_out)

    def exam(self, count: int) -> Iterator[ExamTalk]:
        """So many held-out talks."""
        return (ExamTalk.of(self._talk(seed, held_out=True)) for seed in range(count))

    def after(self, mistakes: OwnMistakes) -> MadeTalks:
        """The course that goes on from these mistakes, too."""
        return replace(self, own={**self.own, **mistakes})


def collect(model: Model, seeds: Iterable[int], out: Path, kind: str, stop: Callable[[], bool]) -> tuple[int, int]:
    """The mistakes a model makes in the talks of these seeds, appended to a file of JSON lines; replies and mistakes.

    Raises what the model raises.
    """
    asked = mistaken = 0
    for seed in seeds:
        talk, given = TALKS[kind](seed), dict[int, str]()

        def reply(turns: Sequence[Turn], said: str, system: str = talk.system, given: dict[int, str] = given) -> str:
            told = [m for turn in turns for m in (Message("user", turn.said), Message("assistant", turn.reply))]
            request = Request((Message("system", system), *told, Message("user", said)), options=GREEDY)
            given[len(turns)] = text = anyio.run(model.reply, request).text
            return text

        talk.own = reply
        turns = talk.play()
        wrong = sum(not turn.learned and turn.reply == given.get(place) for place, turn in enumerate(turns))
        asked, mistaken = asked + len(given), mistaken + wrong
        if wrong:
            row = {"kind": kind, "seed": seed, "replies": given}  # the right ones, too: chance has gone on with each
            with out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        if stop():
            break
    return asked, mistaken


def read_mistakes(path: Path) -> OwnMistakes:
    """What `collect` wrote; nothing where there is no file. Raises BadFile with the line that cannot be read."""
    kept: dict[tuple[int, str], dict[int, str]] = {}
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
            kept[int(row["seed"]), row["kind"]] = {int(turn): str(text) for turn, text in row["replies"].items()}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadFile(path, f"line {number} is no mistake that was collected ({error})") from error
    return kept
