"""How well a library answers, and how fast. Run: PYTHONPATH=src python benchmarks/knowledge.py [PART…] [--million]

quality: the questions of tests/extras/knowledge/questions.jsonl, seed sources and docs, by half, and those of fresh.jsonl;
BM25 alone and dense alone beside; with --onnx FOLDER another embedder, too. end: a question from end to end in a
library of 5,000 passages. exact: dense search alone, 100,000 vectors of 384 numbers. On one thread.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path

import numpy as np
from rows import Row, in_turns
from threadpoolctl import threadpool_limits

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "extras" / "knowledge")]
from questions import KINDS, SEED, Asked, Gold, fill, gold, questions  # noqa: E402

from toolmend.extras.knowledge import Chunk, Library, Source  # noqa: E402
from toolmend.extras.knowledge.collect import Item  # noqa: E402
from toolmend.extras.knowledge.collect.finish import finished  # noqa: E402
from toolmend.extras.knowledge.search import SURE, Embedder, Search, answer  # noqa: E402
from toolmend.extras.knowledge.search.question import read_question  # noqa: E402
from toolmend.extras.knowledge.search.search import best  # noqa: E402

AS_OF = date(2026, 11, 20)
SHARED = Path(os.environ.get("TOOLMEND_SHARED") or ROOT.parent / "shared")
Ranking = Callable[[str], Sequence[Chunk]]


def quality(folder: Path, embedder: Embedder | None) -> None:
    with Library(folder / "questions.db") as library:
        fill(library, SHARED / SEED)
        search = Search(library, embedder, day=AS_OF)
        began = time.perf_counter()
        count = search.update()
        print(f"\n{search.embedder.name}: {count} passages indexed in {time.perf_counter() - began:.1f} s")
        for asked in (questions(), questions("fresh.jsonl")):
            where = gold(library, asked)
            lost = [each for each, found in where.items() if found is None]
            kept = [each for each in asked if each.kind == "none" or where[each.question]]
            print(f"{len(kept)} questions; {len(lost)} left out, their sources are not here or were rewritten")
            _recalls(search, kept, where)
            _answers(search, kept, where)


def _recalls(search: Search, asked: list[Asked], where: dict[str, Gold | None]) -> None:
    hits = {each.question: search.find(each.question, 20) for each in asked}
    ways: dict[str, Ranking] = {
        "hybrid": lambda q: [hit.chunk for hit in hits[q]],
        "hybrid, at most two of a source": lambda q: _capped([hit.chunk for hit in hits[q]], 2),
        "hybrid, one of a source": lambda q: _capped([hit.chunk for hit in hits[q]], 1),
        "BM25 alone": lambda q: _ordered(search, search.shelf.worded(read_question(q).stems, 5)),
        "dense alone": lambda q: _ordered(search, [number for number, _ in search.near(q)[:5]]),
    }
    half = _halves(asked)[-1]
    print(
        f"{'evidence recall':<32}"
        + "".join(f"{f'{kind} @{k}':>11}" for kind in KINDS[:2] for k in (1, 5))
        + f"   {half} @5"
    )
    for name, ranking in ways.items():
        cells = [_recall(ranking, asked, where, kind, k) for kind in KINDS[:2] for k in (1, 5)]
        tests = [_recall(ranking, [q for q in asked if q.half == half], where, kind, 5) for kind in KINDS[:2]]
        print(f"{name:<32}" + "".join(f"{each:>11.3f}" for each in cells) + "   " + " ".join(f"{t:.3f}" for t in tests))


def _halves(asked: list[Asked]) -> list[str]:
    return sorted({each.half for each in asked})


def _ordered(search: Search, ids: list[int]) -> list[Chunk]:
    chunks = search.shelf.chunks(ids)
    return [chunks[number] for number in ids]


def _recall(ranking: Ranking, asked: list[Asked], where: dict[str, Gold | None], kind: str, k: int) -> float:
    found = []
    for each in asked:
        spot = where.get(each.question)
        if each.kind == kind and spot:
            found.append(any(spot.within(chunk) for chunk in ranking(each.question)[:k]))
    return float(np.mean(found)) if found else float("nan")


def _capped(chunks: Sequence[Chunk], most: int) -> list[Chunk]:
    seen: dict[str, int] = {}
    kept = []
    for chunk in chunks:
        seen[chunk.source] = seen.get(chunk.source, 0) + 1
        if seen[chunk.source] <= most:
            kept.append(chunk)
    return kept


def _answers(search: Search, asked: list[Asked], where: dict[str, Gold | None]) -> None:
    halves = _halves(asked)
    print(f"answers at {SURE} (set on dev)   " + "".join(f"{half:>7}" for half in halves))
    said = {each.question: answer(search, each.question) for each in asked}
    for kind, label in zip(KINDS, ("answered, shared words", "answered, no shared word", "not in memory"), strict=True):
        cells = []
        for half in halves:
            some = [said[each.question].found for each in asked if (each.kind, each.half) == (kind, half)]
            cells.append(np.mean(some) if kind != "none" else 1 - np.mean(some))
        print(f"  {label:<28}" + "".join(f"{each:>7.3f}" for each in cells))
    right = []
    for each in asked:
        spot, told = where.get(each.question), said[each.question]
        if told.found and spot:
            right.append(any(q.quote.source == spot.source and q.quote.start < spot.end and spot.start < q.quote.end
                             for q in told.quotes))  # fmt: skip
    print(f"  of the answers to answerable ones {np.mean(right):.3f} quote words of the span ({len(right)} answers)")


def made(count: int, width: int = 384) -> tuple[np.ndarray, np.ndarray]:
    """Vectors in 200 clusters of 48 hidden dimensions, noised, and questions drawn alike."""
    random = np.random.default_rng(0)
    centres = random.normal(size=(200, 48)).astype(np.float32)
    lift = random.normal(size=(48, width)).astype(np.float32) / 7
    rows = np.empty((count + 1000, width), dtype=np.float32)
    for at in range(0, len(rows), 50_000):
        part = rows[at : at + 50_000]
        hidden = centres[random.integers(0, 200, len(part))] + random.normal(size=(len(part), 48)).astype(np.float32)
        part[:] = hidden @ lift + 0.1 * random.normal(size=part.shape).astype(np.float32)
        part /= np.linalg.norm(part, axis=1, keepdims=True)
    return rows[:count], rows[count:]


def exact(count: int, asked: int) -> None:
    """Every vector compared, ten nearest, one question at a time, by the clock and by one core."""
    print(f"\ndense search alone, {count:,} × 384, ten nearest, one question at a time", flush=True)
    rows, questions = made(count)
    ids, clock, core = np.arange(count, dtype=np.int64), [], []
    for vector in questions[:asked]:
        began, spent = time.perf_counter(), time.process_time()
        best(ids, rows @ vector, 10)
        core.append(1000 * (time.process_time() - spent))
        clock.append(1000 * (time.perf_counter() - began))
    told = [f"median {np.median(ms):.2f}, p95 {np.percentile(ms, 95):.2f} ms" for ms in (clock, core)]
    print(f"  {told[0]} by the clock; {told[1]} of one core; {rows.nbytes / 1e9:.2f} GB of vectors")


def rows() -> Iterator[Row]:
    """Every vector compared, here and by faiss; the same ten come first."""
    import faiss

    vectors, questions = made(20_000)
    ids, index = np.arange(len(vectors), dtype=np.int64), faiss.IndexFlatIP(vectors.shape[1])
    index.add(vectors)
    faiss.omp_set_num_threads(1)

    def cpu(search: Callable[[np.ndarray], object]) -> float:
        spent = time.process_time()
        for vector in questions[:200]:
            search(vector)
        return 5 * (time.process_time() - spent)

    with threadpool_limits(1):
        ours, peer = in_turns(
            lambda: cpu(lambda vector: best(ids, vectors @ vector, 10)),
            lambda: cpu(lambda vector: index.search(vector[None], 10)),
        )
    yield Row("know: ten nearest of 20,000 vectors", "faiss, flat", "ms of CPU", ours, peer)


def end_to_end(folder: Path, count: int = 5_000) -> None:
    """A question to a library of synthetic pages, everything included."""
    random = np.random.default_rng(0)
    ends = ("", "ta", "ron", "sel", "mi")
    words = np.array([f"{a}{b}{c}" for a in "bdfgklmn" for b in ("ar", "el", "in", "om", "ut") for c in ends])
    weights = 1 / np.arange(1, len(words) + 1)
    with Library(folder / "big.db") as library:
        for page in range(count // 50):
            some = random.choice(words, (50, 150), p=weights / weights.sum())
            text = "\n\n".join(" ".join(each).capitalize() + "." for each in some)
            source = Source("", f"https://p.example/{page}", "page", text)
            library.keep(finished(source, Item(b"", "", source.url)))
        search = Search(library, day=AS_OF)
        began = time.perf_counter()
        passages = search.update()
        print(f"\nend to end: {passages:,} passages indexed, {passages / (time.perf_counter() - began):,.0f} a second")
        began, worked = time.perf_counter(), time.process_time()
        answer(search, " ".join(words[40:44]))
        took = f"{time.perf_counter() - began:.2f} s, {time.process_time() - worked:.2f} s of one core"
        print(f"  the first question, with loading: {took}")
        clock, core = [], []
        for at in range(100):
            began, worked = time.perf_counter(), time.process_time()
            answer(search, " ".join(random.choice(words, 5)) + f" {at}")
            core.append(1000 * (time.process_time() - worked))
            clock.append(1000 * (time.perf_counter() - began))
        for label, ms in (("the clock", clock), ("one core", core)):
            print(f"  every further one, ms of {label}: median {np.median(ms):.0f}, p95 {np.percentile(ms, 95):.0f}")


PARTS = ("quality", "end", "exact")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all if none is named")
    parser.add_argument("--onnx", help="a folder with another embedder, measured beside")
    parser.add_argument("--count", type=int, default=100_000, help="vectors")
    parser.add_argument("--questions", type=int, default=200, help="questions to the vectors, 1,000 at most")
    parser.add_argument("--passages", type=int, default=5_000, help="of the library that is asked from end to end")
    given = parser.parse_args()
    parts = given.parts or PARTS
    if unknown := set(parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    with tempfile.TemporaryDirectory() as name, threadpool_limits(1):
        folder = Path(name)
        if "quality" in parts:
            quality(folder, None)
            if given.onnx:
                from onnx_embedder import OnnxEmbedder

                quality(folder, OnnxEmbedder(Path(given.onnx)))
        if "end" in parts:
            end_to_end(folder, given.passages)
        if "exact" in parts:
            exact(given.count, given.questions)


if __name__ == "__main__":
    main()
