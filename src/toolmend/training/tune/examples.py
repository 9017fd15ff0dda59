"""Lines of a data folder as examples of a method: which messages stand in a row, and which of them are learned.

    sft         every right reply of a conversation
    hindsight   request, worse answer, what is wrong with it, better answer: the last is learned (Liu et al. 2023, §3)
    preference  the prompt with the chosen reply, and with the rejected one

Knows lines and rows, no files and no model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from toolmend.errors import BadOption
from toolmend.training.datasets.lines import Hindsight, Pair, Said
from toolmend.training.datasets.reader import Data
from toolmend.training.tune.rows import Form, Row
from toolmend.training.tune.stream import LENGTHS, Example

WORSE, BETTER = "A worse answer:", "A better answer:"
LEAST, LEAST_HELD = 16, 4
NEEDED = {"sft": "chat", "hindsight": "hindsight", "preference": "pairs"}


@dataclass(frozen=True)
class Examples:
    """Those to learn from and those held out; how many were left out: too long, nothing to learn, broken lines."""

    train: tuple[Example, ...]
    held: tuple[Example, ...]
    long: int
    empty: int
    skipped: int


def make_examples(train: Data, held: Data, method: str, form: Form, longest: int, seed: int) -> Examples:
    """The examples of both splits, those of more than `longest` tokens left out."""
    longest = min(longest, LENGTHS[-1])
    kept: list[tuple[Example, ...]] = []
    long = empty = 0
    for data in (train, held):
        found = _examples(data, method, form, seed)
        short = [each for each in found if max(len(row.ids) for row in each) <= longest]
        kept.append(tuple(each for each in short if all(any(row.learn) for row in each)))
        long, empty = long + len(found) - len(short), empty + len(short) - len(kept[-1])
    learned, held_out = kept
    return Examples(learned, held_out, long, empty, train.skipped + held.skipped)


def enough(examples: Examples, folder: object, method: str) -> None:
    """Raise BadOption that says what is missing where there is too little to learn from, or to stop by."""
    why = (
        f" ({examples.long} too long, {examples.empty} with nothing to learn)" if examples.long + examples.empty else ""
    )
    for split, found, least in (("train", examples.train, LEAST), ("test", examples.held, LEAST_HELD)):
        if len(found) < least:
            more = least - len(found)
            raise BadOption(
                f"too few examples: {folder}/{split}/{NEEDED[method]}.jsonl gives {len(found)}{why}, "
                f"{method} needs at least {least}: {more} more"
            )


def _examples(data: Data, method: str, form: Form, seed: int) -> list[Example]:
    if method == "preference":
        return [_pair(each, form) for each in data.pairs]
    chats = [(form.row(each.messages, each.tools),) for each in data.chat]
    if method == "sft":
        return [*chats]
    looked_back = [(hindsight_row(each, form, seed),) for each in data.hindsight]
    # Plain conversations beside, one for each sequence: the paper's term against overfitting (§3, equation 4).
    return [*looked_back, *Random(seed).sample(chats, min(len(chats), len(looked_back)))]


def _pair(pair: Pair, form: Form) -> tuple[Row, Row]:
    before = _history(pair.messages)
    chosen, rejected = ([replace(said, learn=True) for said in side] for side in (pair.chosen, pair.rejected))
    return form.row([*before, *chosen], pair.tools), form.row([*before, *rejected], pair.tools)


def hindsight_row(line: Hindsight, form: Form, seed: int) -> Row:
    """The sequence as one conversation in which the last answer is learned.

    The markers of quality stand in every other one (by seed and id), so that the model answers without them as well.
    """
    marked = Random(f"{seed}/{line.id}").random() < 0.5
    messages = _history(line.messages)
    for attempt in line.attempts:
        marker = (BETTER if attempt.quality == "good" else WORSE) if marked else ""
        if messages and messages[-1].role == "user" and marker:
            messages[-1] = replace(messages[-1], content=f"{messages[-1].content} {marker}".strip())
        last = attempt is line.attempts[-1]
        messages.append(Said("assistant", attempt.content, attempt.calls, learn=last))
        if not last:
            messages.append(Said("user", attempt.wrong))
    return form.row(messages, line.tools)


def _history(messages: Sequence[Said]) -> list[Said]:
    return [replace(said, learn=False) for said in messages]
