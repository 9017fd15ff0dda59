"""Passages for a question: words and vectors, fused by rank, weighed by fit and a little by trust.

Says how well the best fits; whether that is enough is answer.py's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

import numpy as np
from numpy.typing import NDArray

from toolmend.extras.knowledge.chunks import Chunk
from toolmend.extras.knowledge.library import Library
from toolmend.extras.knowledge.search.embedder import Embedder, Hashed, Vectors
from toolmend.extras.knowledge.search.fit import QueryTerms, best_spans, fit
from toolmend.extras.knowledge.search.question import Query, read_question
from toolmend.extras.knowledge.search.shelf import Shelf
from toolmend.extras.knowledge.source import Source
from toolmend.extras.knowledge.trust import Others, judge

EACH = 50  # passages of either kind
_RANKS = 60  # Cormack, Clarke & Büttcher 2009
_READ = 20  # passages whose text is read for the span that answers
_FUSED = 2.0  # what the ranks weigh, beside how sure the words make
_UNSHOWN = 0.65  # a number was asked for and none is there
_TRUST = 0.1  # the most trusted weighs a twentieth more, the least a twentieth less


@dataclass(frozen=True)
class Hit:
    """A passage for a question, and the span of its source that answers best.

    `score` is what it was ranked by, `sure` (0 to 1) how well its words answer, `cosine` how near its vector is.
    """

    chunk: Chunk
    start: int
    end: int
    score: float
    sure: float
    cosine: float
    trust: float


class Search:
    """Searching a library; what is not indexed yet is indexed first. `day` is the day trust is judged on."""

    def __init__(self, library: Library, embedder: Embedder | None = None, *, day: date | None = None) -> None:
        self.library, self.embedder = library, embedder or Hashed()
        self.shelf = Shelf(library, self.embedder)
        self.day = day or datetime.now(UTC).date()
        self._stamp: tuple[int, int, int] | None = None
        self._ids, self._matrix = np.zeros(0, dtype=np.int64), np.zeros((0, 0), dtype=np.float32)
        self._trust: dict[str, float] = {}
        self._sources: dict[str, Source] = {}
        self._others: Others | None = None

    def update(self) -> int:
        """Index what is not; how many passages that were."""
        return sum(self.shelf.update())

    def find(self, question: str, k: int = 5) -> list[Hit]:
        """The `k` best passages."""
        taken, near = read_question(question), self.near(question)
        fused = fuse([self.shelf.worded(taken.stems, EACH), [number for number, _ in near]])
        if not fused:
            return []
        asked = QueryTerms.of(taken, self.shelf.counts(taken.stems), len(self._ids))
        held, most, cosines = self.shelf.stems(list(fused)), max(fused.values()), dict(near)
        fits = {number: fit(asked, held[number]) for number in held}
        ranked = {number: _FUSED * fused[number] / most for number in held}
        chosen = sorted(held, key=lambda number: (-(fits[number] + ranked[number]), number))[:_READ]
        hits = []
        for number, chunk in self.shelf.chunks(chosen).items():
            (start, end), sure = self._span(taken, asked, fits[number], chunk)
            trust = self._score(chunk.source)
            score = (sure + ranked[number]) * (1 + _TRUST * (trust - 0.5))
            hits.append(Hit(chunk, start, end, score, sure, cosines.get(number, 0.0), trust))
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk.source, hit.chunk.position))[:k]

    def _span(self, question: Query, asked: QueryTerms, fits: float, chunk: Chunk) -> tuple[tuple[int, int], float]:
        """The best span of a passage that fits so well, and how sure its words make."""
        text = self._source(chunk.source).text
        spans = best_spans(question, asked, text, chunk.start, chunk.end)
        if not spans:
            return (chunk.start, chunk.end), 0.0
        best = spans[0]
        whole = (2 * fits + best.share) / 3
        return (best.start, best.end), whole * (1.0 if best.shown else _UNSHOWN)

    def _source(self, source: str) -> Source:
        if source not in self._sources:
            self._sources[source] = self.library.source(source)
        return self._sources[source]

    def _score(self, source: str) -> float:
        """How far a source may be trusted on the day of this search."""
        if source not in self._trust:
            self._others = self._others or Others.of(self.library.sources(), self.library.outside())
            self._trust[source] = judge(self._source(source), self.day, self._others).score
        return self._trust[source]

    def fresh(self) -> None:
        """Read the vectors again where the library changed; what is not indexed yet is indexed first."""
        before = self.shelf.stamp()
        if before != self._stamp:
            self.update()
            # What came into the library while this was indexed is not in: the next question sees a later history.
            self._stamp = (before[0], self.shelf.stamp()[1], before[2])
            self._trust, self._sources, self._others = {}, {}, None
            self._ids, self._matrix = self.shelf.vectors()

    def near(self, question: str) -> list[tuple[int, float]]:
        """The passages whose vectors are nearest, as number and cosine: every one is compared."""
        self.fresh()
        if not len(self._ids):
            return []
        vector: Vectors = self.embedder.embed([question], question=True)[0]
        return [(number, cosine) for number, cosine in best(self._ids, self._matrix @ vector, EACH) if cosine > 0]


def fuse(rankings: Sequence[Sequence[int]]) -> dict[int, float]:
    """Reciprocal rank fusion: the sum of 1 / (60 + rank) over the rankings, for everything in any of them."""
    fused: dict[int, float] = {}
    for ranking in rankings:
        for rank, number in enumerate(ranking, start=1):
            fused[number] = fused.get(number, 0.0) + 1 / (_RANKS + rank)
    return fused


def best(ids: NDArray[np.int64], scores: NDArray[np.float32], k: int) -> list[tuple[int, float]]:
    """The `k` greatest scores with their numbers; among equals the smaller number first."""
    if k < len(scores):
        near = np.argpartition(-scores, k - 1)[:k]
        least = scores[near].min()
        near = np.flatnonzero(scores >= least)
    else:
        near = np.arange(len(scores))
    ordered = near[np.lexsort((ids[near], -scores[near]))][: max(k, 0)]
    return [(int(ids[row]), float(scores[row])) for row in ordered]
