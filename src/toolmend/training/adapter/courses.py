"""What an adapter is taught: lessons by their seeds, and the talks of an exam. Made talks, or those of a data folder
(docs/datasets.md), in whatever notation these are: a suite that played no part says how good it is.

    sft         every right reply of a conversation
    hindsight   request, worse answer, what is wrong with it, better answer: the last is learned (Liu et al. 2023, §3),
                and as many plain conversations, the paper's term against overfitting

Mistakes of the model that is taught are lessons, too: collected from its greedy replies in simulated talks. A talk is
the same for a seed and the same replies, so these are what is kept.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Protocol

import anyio

from toolmend.errors import BadFile, BadOption
from toolmend.messages import Message, Request
from toolmend.models import Model
from toolmend.training.adapter.calendar_talks import CalendarTalk
from toolmend.training.adapter.exam import GREEDY, ExamTalk
from toolmend.training.adapter.rows import MAX_ROW, Row, Tokens, row_of
from toolmend.training.adapter.talks import SimulatedTalk, Turn
from toolmend.training.adapter.tool_talks import ToolTalk
from toolmend.training.adapter.written_talks import HandTalk, written_talk
from toolmend.training.datasets.lines import ChatMessage, Hindsight, load

LEAST = 16
WORSE, BETTER = "A worse answer:", "A better answer:"
TALKS: Mapping[str, Callable[..., SimulatedTalk]] = {"calendar": CalendarTalk, "tools": ToolTalk}
"""Talks about the calendar, and over made-up tools."""
WRITTEN: Mapping[str, dict[str, float]] = {"calendar": {"calendar": 0.75}, "tools": {"tools": 0.85, "calendar": 0.05}}
"""By the kind of talks, the shares of rows that are written talks, and about what."""
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
            talk: SimulatedTalk | HandTalk = self.mistaken(seed // 4)
        else:
            talk = self._written(seed) or self._talk(seed)
        return row_of(talk.system, talk.play(), tokens)

    def mistaken(self, seed: int) -> SimulatedTalk:
        """A talk in which a mistake was made: they are gone through in turns."""
        chosen, kind = key = sorted(self.own)[seed % len(self.own)]
        return TALKS[kind](chosen, own=lambda turns, said: self.own[key].get(len(turns), ""))

    def _written(self, seed: int) -> HandTalk | None:
        """The talk by hand that a seed draws, where it draws one."""
        drawn = Random(seed).random()
        for about, share in WRITTEN[self.kinds[seed % len(self.kinds)]].items():
            if drawn < share:
                return written_talk(about, seed)
            drawn -= share
        return None

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


@dataclass(frozen=True, slots=True)
class DataCourse:
    """The talks of a folder. `name` tells folders and methods apart."""

    name: str
    talks: tuple[tuple[ChatMessage, ...], ...]

    title = "taught from talks that were corrected"
    toolbox = ""

    def row(self, seed: int, tokens: Tokens) -> Row | None:
        """The row of a seed's talk, of the next where nothing that is learned fits. Raises BadOption if none does."""
        rounds, place = divmod(seed, len(self.talks))
        order = Random(rounds).sample(range(len(self.talks)), len(self.talks))
        for number in order[place:] + order[:place]:
            if row := _row(self.talks[number], tokens):
                return row
        raise BadOption(f"no reply that is learned ends within {MAX_ROW} tokens")

    def exam(self, count: int) -> Iterator[ExamTalk]:
        """None."""
        return iter(())


def data_course(folder: Path, method: str) -> DataCourse:
    """The course of a folder's part `train`. Raises BadFile, BadOption where there is too little."""
    data = load(folder)
    talks = [chat.messages for chat in data.chat]
    if method == "hindsight":
        looked_back = [hindsight_talk(line) for line in data.hindsight]
        talks = looked_back + Random(1).sample(talks, min(len(talks), len(looked_back)))
    file = "hindsight" if method == "hindsight" else "chat"
    count = len(getattr(data, file))
    if count < LEAST:
        raise BadOption(f"{folder}/train/{file}.jsonl has {count} lines; {method} needs at least {LEAST}")
    digest = hashlib.sha256(repr(talks).encode()).hexdigest()[:12]
    return DataCourse(f"{method} {digest}", tuple(talks))


def hindsight_talk(line: Hindsight) -> tuple[ChatMessage, ...]:
    """The attempts as one conversation in which the last answer is learned.

    The markers of quality stand in every other one (by its id), so that the model answers without them as well.
    """
    marked = Random(line.id).random() < 0.5
    talk = [replace(said, learn=False) for said in line.messages]
    for attempt in line.attempts:
        last = attempt is line.attempts[-1]
        if marked and talk and talk[-1].role == "user":
            marker = BETTER if attempt.quality == "good" else WORSE
            talk[-1] = replace(talk[-1], content=f"{talk[-1].content} {marker}".strip())
        talk.append(ChatMessage("assistant", attempt.content, last))
        talk += [] if last else [ChatMessage("user", attempt.wrong)]
    return tuple(talk)


def _row(talk: Sequence[ChatMessage], tokens: Tokens) -> Row | None:
    """The talk up to the last turn that fits; None where nothing in it is learned."""
    ids, marks = list[int](), list[bool]()
    for said in talk:
        opening = tokens.opening(said.role)
        text = [*tokens.text(said.content), tokens.end]
        if len(ids) + len(opening) + len(text) > MAX_ROW:
            break
        ids += [*opening, *text, *tokens.newline]
        learned = said.role == "assistant" and said.learn
        marks += [False] * len(opening) + [learned] * len(text) + [False] * len(tokens.newline)
    return Row(tuple(ids), tuple(marks)) if any(marks) else None
