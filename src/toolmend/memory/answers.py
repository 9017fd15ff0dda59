"""An answer in the words of the memories themselves: who said what and when, or that it is not in memory."""

from __future__ import annotations

import re
from dataclasses import dataclass

from toolmend.memory.memory import Memory
from toolmend.memory.recall import USUAL, Recalled, Weights, recall
from toolmend.memory.relevance import Relevance, Words
from toolmend.memory.stream import Stream

NOT_THERE = "That is not in memory."

SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'“])")


@dataclass(frozen=True, slots=True)
class Answer:
    """What memory says: the sentence, the memory it is from, others that say otherwise, and all that was recalled."""

    text: str
    memory: Memory | None = None
    against: tuple[Memory, ...] = ()
    recalled: tuple[Recalled, ...] = ()

    def __str__(self) -> str:
        """`user, 2026-03-02: I am allergic to nuts. [m3]`, and who says otherwise."""
        if self.memory is None:
            return NOT_THERE
        said = f"{self.memory.who}, {self.memory.at[:10]}: {self.text} [{self.memory.id}]"
        return "\n".join(
            [said, *(f"  but {other.who}, {other.at[:10]}: {other.text} [{other.id}]" for other in self.against)]
        )


def answer(
    stream: Stream,
    question: str,
    k: int = 5,
    *,
    weights: Weights = USUAL,
    relevance: Relevance | None = None,
    at: str = "",
) -> Answer:
    """The best sentence of the best memory; what contradicts it stands beside. Asks no model."""
    found = recall(stream, question, k, weights=weights, relevance=relevance, at=at)
    if not found:
        return Answer(NOT_THERE)
    best = found[0].memory
    now = at or stream.clock()
    known = {each.number: each for each in stream.memories(at=now)}
    against = tuple(known[each] for each in best.contradicts if each in known and known[each].at <= now)
    return Answer(sentence(best.text, question), best, against, tuple(found))


def sentence(text: str, question: str) -> str:
    """The sentence of a text that has most to do with a question; the first among equals."""
    parts = SENTENCE.split(text)
    scores = Words()(question, parts)
    return parts[scores.index(max(scores))]
