"""A data folder (docs/datasets.md) as a course: every right reply of its talks, or what was learned in hindsight.

    sft         every right reply of a conversation
    hindsight   request, worse answer, what is wrong with it, better answer: the last is learned (Liu et al. 2023, §3),
                and as many plain conversations, the paper's term against overfitting

Plain ChatML, in whatever notation the data are. Knows no exam: a suite that played no part says how good it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from toolmend.errors import BadOption
from toolmend.training.adapter.rows import MAX_ROW, Row, Tokens
from toolmend.training.adapter.talks_exam import ExamTalk
from toolmend.training.datasets.lines import Hindsight, Said, load

LEAST = 16
WORSE, BETTER = "A worse answer:", "A better answer:"


@dataclass(frozen=True, slots=True)
class DataCourse:
    """The talks of a folder. `name` tells folders and methods apart."""

    name: str
    talks: tuple[tuple[Said, ...], ...]

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


def hindsight_talk(line: Hindsight) -> tuple[Said, ...]:
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
        talk.append(Said("assistant", attempt.content, last))
        talk += [] if last else [Said("user", attempt.wrong)]
    return tuple(talk)


def _row(talk: Sequence[Said], tokens: Tokens) -> Row | None:
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
