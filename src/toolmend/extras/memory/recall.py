"""What is recalled for a question: recency, importance and relevance, each brought to 0..1 and added with open weights.

After Generative Agents (Park et al. 2023, arXiv 2304.03442, section 4.1): min-max over the memories at hand, a weighted
sum, exponential decay of 0.995 an hour. Two things differ on purpose. Age counts from when something was said, not from
when it was last recalled: what is asked for often would stay young, and hide what is newer. And what has too little to
do with the question is not recalled at all, so that "not in memory" is an answer.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from toolmend.base.errors import BadOption
from toolmend.extras.knowledge.search.words import content
from toolmend.extras.memory.memory import Memory
from toolmend.extras.memory.stream import Stream

DECAY = 0.995
"""What is left of recency after an hour; half of it after 138 hours."""
_K1, _B = 1.2, 0.5  # of BM25; texts are short: their length says little


@dataclass(frozen=True, slots=True)
class Weights:
    """What each part counts. `least` is the relevance below which nothing is recalled."""

    recency: float = 1.0
    importance: float = 1.0
    relevance: float = 1.0
    decay: float = DECAY
    least: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what is no weight."""
        if min(self.recency, self.importance, self.relevance, self.least) < 0 or not 0 < self.decay <= 1:
            raise BadOption(f"weights are 0 or more, the decay above 0 and at most 1: {self}")


PUBLISHED = Weights()
"""As published: all 1, nothing left out."""
USUAL = Weights(recency=0.25, importance=0.1, relevance=1.0, least=0.5)
"""The default, chosen on the dev half of benchmarks/memory_stories (docs/memory.md)."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """A memory with its score and the three parts of it; relevance as it was before it was brought to 0..1."""

    memory: Memory
    score: float
    recency: float
    importance: float
    relevance: float


def recall(stream: Stream, question: str, k: int = 5, *, weights: Weights = USUAL, at: str = "") -> list[Recalled]:
    """The `k` best memories of a stream for a question, the best first; none where nothing has to do with it.

    Where a memory is contradicted by a newer one of the same speaker, the newer stands before it.
    """
    now = at or stream.clock()
    every = [memory for memory in stream.memories(at=now) if memory.at <= now]
    return newest_first(rank(every, question, now, weights), every)[:k]


def rank(memories: Sequence[Memory], question: str, now: str, weights: Weights = USUAL) -> list[Recalled]:
    """Memories by their score, best first; among equals the newer first."""
    raw = relevance(question, [f"{memory.who}: {memory.text}" for memory in memories])
    kept = [
        (memory, value) for memory, value in zip(memories, raw, strict=True) if value > 0 and value >= weights.least
    ]
    recency = spread([weights.decay ** hours(memory.at, now) for memory, _ in kept])
    importance = spread([memory.importance for memory, _ in kept])
    relevant = spread([value for _, value in kept])
    made = []
    for (memory, value), young, weighty, near in zip(kept, recency, importance, relevant, strict=True):
        score = weights.recency * young + weights.importance * weighty + weights.relevance * near
        made.append(Recalled(memory, score, young, weighty, value))
    return sorted(made, key=lambda recalled: (recalled.score, recalled.memory.at, recalled.memory.number), reverse=True)


def newest_first(ranked: Sequence[Recalled], every: Sequence[Memory]) -> list[Recalled]:
    """The same order, but what contradicts a memory and is newer comes before it, called up if need be.

    Only of the same speaker: nobody takes back what somebody else said.
    """
    by_number = {recalled.memory.number: recalled for recalled in ranked}
    known = {memory.number: memory for memory in every}
    made: dict[int, Recalled] = {}

    def place(recalled: Recalled) -> None:
        if recalled.memory.number in made:
            return
        others = (known[other] for other in recalled.memory.contradicts if other in known)
        newer = [other for other in others if other.who == recalled.memory.who]
        for other in sorted(newer, key=lambda memory: (memory.at, memory.number), reverse=True):
            if (other.at, other.number) > (recalled.memory.at, recalled.memory.number):
                place(
                    by_number.get(
                        other.number, Recalled(other, recalled.score, 0.0, other.importance, recalled.relevance)
                    )
                )
        made.setdefault(recalled.memory.number, recalled)

    for hit in ranked:
        place(hit)
    return list(made.values())


def spread(values: Sequence[float]) -> list[float]:
    """Min-max: the least becomes 0, the greatest 1. Where all are the same they tell nothing apart, and stay."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    return [(value - low) / (high - low) for value in values] if high > low else list(values)


def hours(since: str, now: str) -> float:
    """Hours between two moments, 0 where the first is the later one."""
    return max(0.0, (datetime.fromisoformat(now) - datetime.fromisoformat(since)).total_seconds() / 3600)


def relevance(question: str, texts: Sequence[str]) -> list[float]:
    """How much each text has to do with a question, 0 to 1: BM25 (Robertson and Zaragoza 2009, equation 3.15) as a
    share of what a text that says every word would have. So 0.5 means about: half of what the question says, rare
    words counting more."""
    asked = list(dict.fromkeys(_stems(question)))
    counted = [Counter(_stems(text)) for text in texts]
    if not asked or not counted:
        return [0.0] * len(counted)
    weights = {stem: _rarity(sum(stem in counts for counts in counted), len(counted)) for stem in asked}
    whole = sum(weights.values())
    usual = sum(counts.total() for counts in counted) / len(counted) or 1.0
    return [sum(weights[stem] * _said(counts, stem, usual) for stem in asked) / whole for counts in counted]


@lru_cache(1 << 15)
def _stems(text: str) -> tuple[str, ...]:
    return tuple(content(text))


def _rarity(holding: int, every: int) -> float:
    return math.log(1 + (every - holding + 0.5) / (holding + 0.5))


def _said(counted: Counter[str], stem: str, usual: float) -> float:
    """From 0 to 1: whether, and how much, a text says a stem."""
    times = counted[stem]
    if not times:
        return 0.0
    length = 1 - _B + _B * counted.total() / usual
    return min(1.0, times * (_K1 + 1) / (times + _K1 * length))
