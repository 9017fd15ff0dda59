"""What is taught: lessons by their seeds, and the talks that are kept back. Written talks, or those of a data folder
(docs/datasets.md), in whatever notation these are: a suite that played no part says how good it is.

    sft         every right reply of a conversation
    hindsight   request, worse answer, what is wrong with it, better answer: the last is learned (Liu et al. 2023, §3),
                and as many plain conversations, the paper's term against overfitting
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Protocol

from toolmend.base.errors import BadOption
from toolmend.training.adapter.own_mistakes import OwnReply
from toolmend.training.adapter.rows import MAX_ROW, Row, Tokens, row_of
from toolmend.training.adapter.written_talks import HandTalk, written_talk, written_talks
from toolmend.training.datasets.lines import ChatMessage, Hindsight, load

LEAST = 16
WORSE, BETTER = "A worse answer:", "A better answer:"
KINDS = ("calendar", "tools")
"""What written talks are about."""
_BESIDES = 0.08  # share of talks about the calendar where tools are taught: it is a toolbox, too
_OWN = 3  # one row of so many has a mistake of the model's own


class Course(Protocol):
    """What is taught: lessons by their seeds. `name` tells courses apart."""

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

    def kept_back(self, tokens: Tokens) -> Sequence[Row]:
        """The rows of talks that are never trained on."""


@dataclass(frozen=True, slots=True)
class WrittenCourse:
    """Written talks about the calendar, over tools, or of "both" in turns; every third has a mistake of the model's
    `own` in it, where there are any."""

    name: str = "calendar"
    own: tuple[OwnReply, ...] = ()
    title = "taught to say which words mean what"

    @property
    def toolbox(self) -> str:
        """The calendar, where nothing else is taught."""
        return "calendar" if self.name == "calendar" else ""

    @property
    def kinds(self) -> Sequence[str]:
        """The kinds of its talks."""
        return KINDS if self.name == "both" else (self.name,)

    def row(self, seed: int, tokens: Tokens) -> Row | None:
        """The row of a seed's talk."""
        talk = self.talk(seed)
        return row_of(talk.system, talk.turns, tokens)

    def talk(self, seed: int) -> HandTalk:
        """The talk of a seed; mistakes are gone through in turns."""
        if self.own and seed % _OWN == 0:
            return self.own[seed // _OWN % len(self.own)].told(Random(seed))
        return written_talk(self._about(seed), seed // len(self.kinds))

    def _about(self, seed: int) -> str:
        kind = self.kinds[seed % len(self.kinds)]
        return "calendar" if Random(f"about {seed}").random() < _BESIDES else kind

    def picked(self, count: int, seed: int) -> Mapping[str, Sequence[int]]:
        """So many of its talks, by what they are about: their numbers."""
        counts = Counter(self._about(number) for number in range(count))
        sizes = {about: len(written_talks(about)) for about in sorted(counts)}
        return {about: Random(seed).sample(range(size), min(counts[about], size)) for about, size in sizes.items()}

    def kept_back(self, tokens: Tokens) -> Sequence[Row]:
        """The rows of talks that are never trained on."""
        talks = (talk for kind in self.kinds for talk in written_talks(f"kept_{kind}"))
        return [row for talk in talks if (row := row_of(talk.system, talk.turns, tokens))]

    def after(self, mistakes: Sequence[OwnReply]) -> WrittenCourse:
        """The course that goes on from these mistakes, too."""
        return replace(self, own=(*self.own, *mistakes))


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

    def kept_back(self, tokens: Tokens) -> Sequence[Row]:
        """None."""
        return ()


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
        path = folder if folder.is_file() else folder / "train" / f"{file}.jsonl"
        raise BadOption(f"{path} has {count} lines; {method} needs at least {LEAST}")
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
