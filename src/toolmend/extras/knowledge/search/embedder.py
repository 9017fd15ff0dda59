"""What turns texts into vectors: one method, and the embedder that needs nothing.

The name is kept with the vectors, so whatever changes them is part of it. Knows no index.
"""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from toolmend.extras.knowledge.search.words import content

Vectors = NDArray[np.float32]

DIMENSION = 384
_PARTS = 0.4  # what all parts of a word weigh together, beside the word's 1
_PAIR = 0.3


class Embedder(Protocol):
    """Texts to vectors of one length."""

    @property
    def name(self) -> str:
        """What is kept with the vectors."""
        ...

    def embed(self, texts: Sequence[str], *, question: bool = False) -> Vectors:
        """A row of length 1 for each text, (texts, dimension); a text that says nothing may be a row of zeros."""
        ...


class Hashed:
    """The embedder that needs nothing: stems, pairs of neighbours, and runs of four letters of them, hashed with signs
    into 384 numbers (Weinberger et al. 2009).

    A text's vector depends on the text alone, so that nothing is to be fitted and nothing goes out of date. Rare words
    are told from frequent ones by the search, which knows how many passages hold them.
    """

    name = "hashed-1"

    def embed(self, texts: Sequence[str], *, question: bool = False) -> Vectors:
        """A row for each text."""
        rows = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            found = content(text)
            for word, count in Counter(found).items():
                places, weights = _word(word)
                np.add.at(row, places, weights * (1 + math.log(count)))
            for pair, count in Counter(pairwise(found)).items():
                place, sign = _place(" ".join(pair))
                row[place] += sign * _PAIR * (1 + math.log(count))
        length = np.linalg.norm(rows, axis=1, keepdims=True)
        scaled: Vectors = np.divide(rows, length, out=np.zeros_like(rows), where=length > 0)
        return scaled


@lru_cache(1 << 16)
def _word(word: str) -> tuple[np.ndarray, np.ndarray]:
    """Where a word and its parts stand, and what they weigh there."""
    marked = f"<{word}>"
    parts = [marked[at : at + 4] for at in range(len(marked) - 3)] if len(marked) > 5 else []
    named = [(word, 1.0), *((f"#{part}", _PARTS / math.sqrt(len(parts))) for part in parts)]
    placed = [(*_place(name), weight) for name, weight in named]
    places = np.array([place for place, _, _ in placed])
    return places, np.array([sign * weight for _, sign, weight in placed], dtype=np.float32)


def _place(name: str) -> tuple[int, int]:
    number = zlib.crc32(name.encode(errors="surrogatepass"))
    return (number >> 1) % DIMENSION, 1 if number & 1 else -1
