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
from toolmend.knowledge.search.fulltext import FullText, Stems
from toolmend.knowledge.search.question import Question, read_question
from toolmend.knowledge.search.shelf import Shelf
from toolmend.knowledge.search.spans import best_spans
from toolmend.knowledge.trust import Others, Trust, judge

EACH = 50  # passages of either kind
_RANKS = 60  # Cormack, Clarke & Büttcher 2009
_READ = 20  # passages whose text is read for the span that answers
_FUSED = 2.0  # what the ranks weigh, beside how sure the words make
_UNSHOWN = 0.8  # a number was asked for and none is there
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
        first = {number: fit(asked, held[number]) + _FUSED * fused[number] / most for number in held}
        chosen = sorted(first, key=lambda number: (-first[number], number))[:_READ]
        hits = []
        for number, chunk in self.shelf.chunks(chosen).items():
            (start, end), sure = self._span(taken, asked, held[number], chunk)
            trust = self.trust(chunk.source).score
            score = (sure + _FUSED * fused[number] / most) * (1 + _TRUST * (trust - 0.5))
            hits.append(
                Hit(
                    chunk,
                    start,
                    end,
                    score,
                    sure,
                    dict(near).get(number, 0.0),
                    trust,
                    _rank(worded, number),
                    _rank([each for each, _ in near], number),
                )
            )
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

    def _span(self, question: Question, asked: Asked, held: Stems, chunk: Chunk) -> tuple[tuple[int, int], float]:
        """The best span of a passage, and how sure its words make."""
        text = self._text(chunk.source)
        spans = best_spans(question, asked, text, chunk.start, chunk.end)
        if not spans:
            return (chunk.start, chunk.end), 0.0
        best = spans[0]
        whole = (2 * fit(asked, held) + best.share) / 3
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

    def _fresh(self) -> Index:
        """The vectors in memory, read again whenever the library changed."""
        self.update()
        state = self.shelf.state()
        if self._index is None or state != self._seen:
            ids, matrix = self.shelf.vectors()
            self._index = Exact(ids, matrix) if len(ids) < FROM else Faiss(ids, matrix, self._file(state))
            self._seen, self._trust = state, {}
            self._texts = {}
            self.__dict__.pop("_others", None)
        return self._index

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


def _rank(ranking: Sequence[int], number: int) -> int | None:
    return ranking.index(number) + 1 if number in ranking else None
