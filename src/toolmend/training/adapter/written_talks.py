"""Talks that were written by hand, each by another kind of person, with the replies that are due.

A file of data/written has a talk a paragraph: `@ ` before a tool as the notation shows it (without any: the calendar),
`> ` before what is said, then the lines of the reply; `~ ` before those of a wrong one, which is shown and not learned:
what is said next mends it. Knows nothing of rows and tokens.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from random import Random

from toolmend.strategies.spoken_signature import system_of
from toolmend.training.adapter.calendar_adding import CALENDAR_SYSTEM
from toolmend.training.adapter.talks import Turn

_WORDS = re.compile(r'"[^"]*"')
LOWERED = 0.25
"""The share of talks that are learned as they would be typed in a hurry: no capitals."""


@dataclass(frozen=True, slots=True)
class HandTalk:
    """The system text and the turns."""

    system: str
    turns: tuple[Turn, ...]

    def play(self) -> Sequence[Turn]:
        """The turns, as a simulated talk gives them."""
        return self.turns


@cache
def written_talks(about: str) -> tuple[HandTalk, ...]:
    """Those of a file, "calendar" or "tools", in its order."""
    text = files(__package__).joinpath(f"data/written/{about}.txt").read_text(encoding="utf-8")
    return tuple(_talk(block.splitlines()) for block in text.strip().split("\n\n"))


def written_talk(about: str, seed: int) -> HandTalk:
    """The talk of a seed: all are gone through in a new order again and again, some of them without capitals."""
    talks = written_talks(about)
    rounds, place = divmod(seed, len(talks))
    talk = talks[Random(rounds).sample(range(len(talks)), len(talks))[place]]
    lowered = Random(seed).random() < LOWERED
    return HandTalk(talk.system, tuple(map(_lowered, talk.turns))) if lowered else talk


def _talk(lines: Sequence[str]) -> HandTalk:
    tools = [line[2:] for line in lines if line.startswith("@ ")]
    turns: list[Turn] = []
    for line in lines[len(tools) :]:
        if line.startswith("> "):
            turns.append(Turn(line[2:], "", True, "written"))
            continue
        last = turns.pop()
        reply = f"{last.reply}\n{line.removeprefix('~ ')}".strip()
        turns.append(Turn(last.said, reply, not line.startswith("~ "), "written"))
    return HandTalk(system_of(tools) if tools else CALENDAR_SYSTEM, tuple(turns))


def _lowered(turn: Turn) -> Turn:
    return Turn(turn.said.lower(), _WORDS.sub(lambda words: words[0].lower(), turn.reply), turn.learned, turn.op)
