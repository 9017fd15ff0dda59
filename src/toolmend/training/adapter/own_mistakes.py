"""Mistakes of the model that is taught: collected from its greedy replies in simulated talks, and made lessons of.

A talk is the same for a seed and the same replies, so these are what is kept.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import anyio

from toolmend.errors import BadFile
from toolmend.messages import Message, Request
from toolmend.models import Model
from toolmend.training.adapter.talks import Lessons, Turn
from toolmend.training.adapter.talks_exam import CALENDAR_SYSTEM, GREEDY
from toolmend.training.adapter.tool_talks import ToolTalk

Replies = Mapping[int, str]
"""A model's replies by the number of their turn in a talk."""


@dataclass(frozen=True, slots=True)
class OwnMistakes:
    """Replies, a mistake among them, by the seed of their talk: about the calendar (`calendar`), over made-up
    tools (`tools`)."""

    calendar: Mapping[int, Replies]
    tools: Mapping[int, Replies]

    def lesson(self, seed: int) -> tuple[str, list[Turn]]:
        """The system text and turns of a talk in which a mistake was made: they are gone through in turns."""
        kept = self.tools if self.tools and (seed % 2 or not self.calendar) else self.calendar
        chosen = sorted(kept)[seed // 2 % len(kept)]
        replies = kept[chosen]
        return talk_with(kept is self.tools, chosen, lambda turns, said: replies.get(len(turns), ""))

    def with_those(self, others: OwnMistakes) -> OwnMistakes:
        """These and others."""
        return OwnMistakes({**self.calendar, **others.calendar}, {**self.tools, **others.tools})

    def __bool__(self) -> bool:
        return bool(self.calendar or self.tools)


NO_MISTAKES = OwnMistakes({}, {})


def talk_with(tools: bool, seed: int, reply: Callable[[Sequence[Turn], str], str]) -> tuple[str, list[Turn]]:
    """The talk of a seed where requests are answered by `reply` ("" for what is due); mistakes are complained about."""
    if tools:
        talk = ToolTalk(seed, own=reply)
        return talk.system, talk.play()
    return CALENDAR_SYSTEM, Lessons(seed, own=reply).play()


def collect(model: Model, seeds: Iterable[int], out: Path, *, tools: bool, stop: Callable[[], bool]) -> tuple[int, int]:
    """The mistakes a model makes in the talks of these seeds, appended to a file of JSON lines; replies and mistakes.

    Raises what the model raises.
    """
    asked = mistaken = 0
    for seed in seeds:
        given: dict[int, str] = {}
        system = ToolTalk(seed).system if tools else CALENDAR_SYSTEM

        def reply(turns: Sequence[Turn], said: str, system: str = system, given: dict[int, str] = given) -> str:
            told = [m for turn in turns for m in (Message("user", turn.said), Message("assistant", turn.reply))]
            request = Request((Message("system", system), *told, Message("user", said)), options=GREEDY)
            given[len(turns)] = text = anyio.run(model.reply, request).text
            return text

        _, turns = talk_with(tools, seed, reply)
        wrong = sum(not turn.learned and turn.reply == given.get(place) for place, turn in enumerate(turns))
        asked, mistaken = asked + len(given), mistaken + wrong
        if wrong:
            row = {"tools": tools, "seed": seed, "replies": given}  # the right ones, too: chance has gone on with each
            with out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        if stop():
            break
    return asked, mistaken


def read_mistakes(path: Path) -> OwnMistakes:
    """What `collect` wrote; nothing where there is no file. Raises BadFile with the line that cannot be read."""
    kept: dict[bool, dict[int, dict[int, str]]] = defaultdict(dict)
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
            kept[bool(row["tools"])][int(row["seed"])] = {int(turn): str(text) for turn, text in row["replies"].items()}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadFile(path, f"line {number} is no mistake that was collected ({error})") from error
    return OwnMistakes(kept[False], kept[True])
