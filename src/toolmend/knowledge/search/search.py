"""Passages for a question: words and vectors, fused by rank, weighed by fit and a little by trust, spread over sources.

Says how well the best fits; whether that is enough is answer.py's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property
from pathlib import Path

from toolmend.knowledge.chunks import Chunk
from toolmend.knowledge.library import Library
from toolmend.knowledge.search.ann import FROM, Faiss
from toolmend.knowledge.search.dense import Exact, Index
from toolmend.knowledge.search.embedder import DEFAULT, Embedder, Vectors, load_embedder
from toolmend.knowledge.search.fit import Asked, fit
from toolmend.knowledge.search.fulltext import FullText
from toolmend.knowledge.search.question import Question, read_question
from toolmend.knowledge.search.shelf import Shelf
from toolmend.knowledge.search.spans import best_spans
from toolmend.knowledge.trust import Others, Trust, judge

EACH = 50  # passages of either kind
_RANKS = 60  # Cormack, Clarke & Büttcher 2009
_READ = 20  # passages whose text is read for the span that answers
_FUSED = 2.0  # what the ranks weigh, beside how sure the words make
_UNSHOWN = 0.65  # a number was asked for and none is there
_TRUST = 0.1  # the most trusted weighs a twentieth more, the least a twentieth less


@dataclass(frozen=True)
class Hit:
    """A passage for a question, and the span of its source that answers best.

    `score` is what it was ranked by, `sure` (0 to 1) how well its words answer, `cosine` how near its vector is. Ranks
    count from 1; None: not found so.
    """

    chunk: Chunk
    start: int
    end: int
    score: float
    sure: float
    cosine: float
    trust: float
    by_words: int | None
    by_vector: int | None


class Search:
    """Searching a library; what is not indexed yet is indexed first. `day` is the day trust is judged on."""

    def __init__(self, library: Library, embedder: str | Embedder = DEFAULT, *, day: date | None = None) -> None:
        self.library, self.embedder = library, load_embedder(embedder)
        self.shelf = Shelf(library, self.embedder)
        self.words = FullText(self.shelf.engine)
        self.day = day or datetime.now(UTC).date()
        self._seen: tuple[int, int] | None = None
        self._stamp: tuple[int, int, int] | None = None
        self._index: Index | None = None
        self._trust: dict[str, Trust] = {}
        self._texts: dict[str, str] = {}

    def update(self) -> int:
        """Index what is not; how many passages that were."""
        return sum(self.shelf.update())

    def find(self, question: str, k: int = 5, *, sources: Sequence[str] | None = None, each: int = 0) -> list[Hit]:
        """The `k` best passages, of `sources` alone if given; at most `each` of one source (0: any number)."""
        index, (passages, _) = self._fresh(), self._seen or (0, 0)
        among = self.shelf.ids_of(list(sources)) if sources is not None else None
        taken = read_question(question)
        worded = self.words.search(taken.stems, EACH, among)
        near = self._near(index, question, among)
        fused = fuse([worded, [number for number, _ in near]])
        if not fused:
            return []
        asked = Asked.of(taken, self.words.counts(taken.stems), passages)
        held, most = self.words.stems(list(fused)), max(fused.values())
        fits = {number: fit(asked, held[number]) for number in held}
        first = {number: fits[number] + _FUSED * fused[number] / most for number in held}
        chosen = sorted(first, key=lambda number: (-first[number], number))[:_READ]
        read = [
            _Read(number, chunk, *self._span(taken, asked, fits[number], chunk), _FUSED * fused[number] / most)
            for number, chunk in self.shelf.chunks(chosen).items()
        ]
        cosines, words = dict(near), {number: rank for rank, number in enumerate(worded, start=1)}
        ranks = {number: rank for rank, (number, _) in enumerate(near, start=1)}
        hits = []
        for one in read if each else _may_win(read, k):
            trust, number = self.trust(one.chunk.source).score, one.number
            score = one.rough * (1 + _TRUST * (trust - 0.5))
            cosine, by = cosines.get(number, 0.0), (words.get(number), ranks.get(number))
            hits.append(Hit(one.chunk, *one.span, score, one.sure, cosine, trust, *by))
        hits.sort(key=lambda hit: (-hit.score, hit.chunk.source, hit.chunk.position))
        return spread(hits, each)[:k]

    def by_words(self, question: str, k: int) -> list[Chunk]:
        """The `k` best passages by full text alone, to compare with."""
        self.update()
        return self._ordered(self.words.search(read_question(question).stems, k))

    def by_vector(self, question: str, k: int) -> list[Chunk]:
        """The `k` best passages by vectors alone, to compare with."""
        return self._ordered([number for number, _ in self._near(self._fresh(), question, None)[:k]])

    def _ordered(self, ids: list[int]) -> list[Chunk]:
        chunks = self.shelf.chunks(ids)
        return [chunks[number] for number in ids]

    def _span(self, question: Question, asked: Asked, fits: float, chunk: Chunk) -> tuple[tuple[int, int], float]:
        """The best span of a passage that fits so well, and how sure its words make."""
        text = self._text(chunk.source)
        spans = best_spans(question, asked, text, chunk.start, chunk.end)
        if not spans:
            return (chunk.start, chunk.end), 0.0
        best = spans[0]
        whole = (2 * fits + best.share) / 3
        return (best.start, best.end), whole * (1.0 if best.shown else _UNSHOWN)

    def _text(self, source: str) -> str:
        if source not in self._texts:
            self._texts[source] = self.library.source(source).text
        return self._texts[source]

    def trust(self, source: str) -> Trust:
        """How far a source may be trusted on the day of this search."""
        if source not in self._trust:
            self._trust[source] = judge(self.library.source(source), self.day, self._others)
        return self._trust[source]

    @cached_property
    def _others(self) -> Others:
        return Others.of(self.library.sources(), self.library.outside())

    def way(self) -> str:
        """How vectors are compared, and where; whatever is not indexed yet is indexed first."""
        return self._fresh().way

    def _fresh(self) -> Index:
        """The vectors, opened again whenever the library changed."""
        before = self.shelf.stamp()
        if self._index is None or before != self._stamp:
            self.update()
            # What came into the library while this was indexed is not in: the next question sees a later history.
            self._stamp = (before[0], self.shelf.stamp()[1], before[2])
            self._seen = self.shelf.state()
            self._index = self._open(self._seen)
            self._trust, self._texts = {}, {}
            self.__dict__.pop("_others", None)
        return self._index

    def _open(self, state: tuple[int, int]) -> Index:
        if kept := self.shelf.in_database():
            return kept
        ids, matrix = self.shelf.vectors()
        return Exact(ids, matrix) if len(ids) < FROM else Faiss(ids, matrix, self._file(state))

    def _file(self, state: tuple[int, int]) -> Path | None:
        """Where the built index of this state is kept: beside the library's file."""
        if "://" in self.library.place:
            return None
        return Path(f"{self.library.place}-{state[0]}x{state[1]}.faiss")

    def _near(self, index: Index, question: str, among: Sequence[int] | None) -> list[tuple[int, float]]:
        if not self._seen or not self._seen[0]:
            return []
        vector: Vectors = self.embedder.embed([question], question=True)[0]
        return [(number, cosine) for number, cosine in index.search(vector, EACH, among) if cosine > 0]


def fuse(rankings: Sequence[Sequence[int]]) -> dict[int, float]:
    """Reciprocal rank fusion: the sum of 1 / (60 + rank) over the rankings, for everything in any of them."""
    fused: dict[int, float] = {}
    for ranking in rankings:
        for rank, number in enumerate(ranking, start=1):
            fused[number] = fused.get(number, 0.0) + 1 / (_RANKS + rank)
    return fused


def spread(hits: Sequence[Hit], each: int) -> list[Hit]:
    """The hits in order, at most `each` of one source (0: all)."""
    kept, seen = [], dict[str, int]()
    for hit in hits:
        seen[hit.chunk.source] = seen.get(hit.chunk.source, 0) + 1
        if not each or seen[hit.chunk.source] <= each:
            kept.append(hit)
    return kept


@dataclass(frozen=True)
class _Read:
    """A passage that was read: the span that answers, how sure its words make, and what its ranks weigh."""

    number: int
    chunk: Chunk
    span: tuple[int, int]
    sure: float
    ranked: float

    @property
    def rough(self) -> float:
        """What it is worth before trust."""
        return self.sure + self.ranked


def _may_win(read: Sequence[_Read], k: int) -> list[_Read]:
    """Those that trust could bring among the `k` best: to judge a source costs more than to read it."""
    least = sorted((each.rough for each in read), reverse=True)[k - 1 : k]
    bar = least[0] * (1 - _TRUST / 2) / (1 + _TRUST / 2) if least else 0.0
    return [each for each in read if each.rough >= bar]
