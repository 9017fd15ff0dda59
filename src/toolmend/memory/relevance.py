"""How much each of several texts has to do with a question, 0 to 1. Three ways behind one: words, vectors, or both.

`Words` needs nothing; `Vectors` takes any embedder of the knowledge room. Knows no memory.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from toolmend.knowledge.search.embedder import Embedder, load_embedder
from toolmend.knowledge.search.words import content

_K1, _B = 1.2, 0.5  # texts are short: their length says little


class Relevance(Protocol):
    """One method."""

    def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        """A number from 0 (nothing to do with it) to 1 for each text."""
        ...


class Words:
    """BM25 (Robertson and Zaragoza 2009, equation 3.15) as a share of what a text that says every word would have.

    So 0.5 means about: half of what the question says, rare words counting more.
    """

    def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        """The share of each text."""
        asked = list(dict.fromkeys(_stems(question)))
        counted = [Counter(_stems(text)) for text in texts]
        if not asked or not counted:
            return [0.0] * len(counted)
        weights = {stem: _rarity(sum(stem in each for each in counted), len(counted)) for stem in asked}
        whole = sum(weights.values())
        usual = sum(each.total() for each in counted) / len(counted) or 1.0
        return [sum(weights[stem] * _said(each, stem, usual) for stem in asked) / whole for each in counted]


class Vectors:
    """The cosine of an embedder's vectors, 0 where it is negative. What was embedded once is kept in memory."""

    def __init__(self, embedder: str | Embedder = "hashed") -> None:
        self.embedder = load_embedder(embedder)
        self._known: dict[str, list[float]] = {}

    def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        """The cosine of each text."""
        import numpy as np

        if missing := [text for text in dict.fromkeys(texts) if text not in self._known]:
            rows = self.embedder.embed(missing)
            self._known |= {text: row.tolist() for text, row in zip(missing, rows, strict=True)}
        if not texts:
            return []
        asked = self.embedder.embed([question], question=True)[0]
        matrix = np.array([self._known[text] for text in texts], dtype=np.float32)
        return [max(0.0, min(1.0, float(each))) for each in matrix @ asked]


class Both:
    """The mean of words and vectors, or of any two ways."""

    def __init__(self, first: Relevance | None = None, second: Relevance | None = None) -> None:
        self._ways = (first or Words(), second or Vectors())

    def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        """The mean for each text."""
        one, other = (way(question, texts) for way in self._ways)
        return [(a + b) / 2 for a, b in zip(one, other, strict=True)]


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
