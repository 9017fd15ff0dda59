"""How well a library answers, and how fast. Run: PYTHONPATH=src python benchmarks/knowledge.py

Quality: the questions of tests/knowledge/questions.jsonl, seed sources and docs, by half; BM25 alone and dense alone
beside; with --onnx FOLDER another embedder, too.
Speed: dense search alone at 100,000 vectors of 384 numbers, and a question from end to end.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import date
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "knowledge"))
from questions import KINDS, Asked, Gold, fill, gold, questions  # noqa: E402

from toolmend.knowledge import Chunk, Library, Source  # noqa: E402
from toolmend.knowledge.collect.finish import finished  # noqa: E402
from toolmend.knowledge.search import SURE, Search, answer  # noqa: E402
from toolmend.knowledge.search.ann import Faiss  # noqa: E402
from toolmend.knowledge.search.dense import Exact, Index  # noqa: E402

AS_OF = date(2026, 11, 20)
SHARED = Path(os.environ.get("TOOLMEND_SHARED") or ROOT.parent / "shared")
Ranking = Callable[[str], Sequence[Chunk]]


def quality(folder: Path, embedder: str) -> None:
    asked = questions()
    with Library(folder / "questions.db") as library:
        fill(library, SHARED if SHARED.is_dir() else None)
        search = Search(library, embedder, day=AS_OF)
        search.shelf.clear()
        began = time.perf_counter()
        count = search.update()
        print(f"\n{search.embedder.name}: {count} passages indexed in {time.perf_counter() - began:.1f} s")
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
        "BM25 alone": lambda q: search.by_words(q, 5),
        "dense alone": lambda q: search.by_vector(q, 5),
    }
    print(
        f"{'evidence recall':<32}"
        + "".join(f"{f'{kind} @{k}':>11}" for kind in KINDS[:2] for k in (1, 5))
        + "   test @5"
    )
    for name, ranking in ways.items():
        cells = [_recall(ranking, asked, where, kind, k) for kind in KINDS[:2] for k in (1, 5)]
        tests = [_recall(ranking, [q for q in asked if q.half == "test"], where, kind, 5) for kind in KINDS[:2]]
        print(f"{name:<32}" + "".join(f"{each:>11.3f}" for each in cells) + "   " + " ".join(f"{t:.3f}" for t in tests))


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
    print(f"answers at {SURE} (set on dev)        dev   test")
    said = {each.question: answer(search, each.question) for each in asked}
    for kind, label in zip(KINDS, ("answered, shared words", "answered, no shared word", "not in memory"), strict=True):
        cells = []
        for half in ("dev", "test"):
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


def p95(index: Index, asked: np.ndarray) -> str:
    """Median and 95th percentile in ms: of the clock, and of one core, which a busy machine does not change."""
    clock, core = [], []
    for vector in asked:
        began, spent = time.perf_counter(), time.process_time()
        index.search(vector, 10)
        core.append(1000 * (time.process_time() - spent))
        clock.append(1000 * (time.perf_counter() - began))
    told = [f"median {np.median(ms):.2f}, p95 {np.percentile(ms, 95):.2f}" for ms in (clock, core)]
    return f"{told[0]} ms by the clock; {told[1]} ms of one core"


def speed(count: int) -> None:
    rows, asked = made(count)
    ids = np.arange(count, dtype=np.int64)
    exact = Exact(ids, rows)
    print(f"\ndense search alone, {count:,} × 384, ten nearest, one question at a time")
    print(f"  exact: {p95(exact, asked[:200])}")
    some = np.sort(np.random.default_rng(1).choice(count, count // 100, replace=False)).tolist()
    began = time.perf_counter()
    for vector in asked[:50]:
        exact.search(vector, 10, some)
    print(f"  exact on 1 % of them: {20 * (time.perf_counter() - began):.2f} ms")
    if not find_spec("faiss"):
        print("  faiss is not installed")
        return
    truth = [{number for number, _ in exact.search(vector, 10)} for vector in asked[:200]]
    began = time.perf_counter()
    index = Faiss(ids, rows)
    built = time.perf_counter() - began
    got = [{number for number, _ in index.search(vector, 10)} for vector in asked[:200]]
    recall = np.mean([len(one & other) / 10 for one, other in zip(truth, got, strict=True)])
    print(f"  faiss: {p95(index, asked)}; recall@10 {recall:.3f}; built in {built:.1f} s")


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
            library.keep(finished(Source("", f"https://p.example/{page}", "page", text)))
        search = Search(library, day=AS_OF)
        began = time.perf_counter()
        passages = search.update()
        print(f"\nend to end: {passages:,} passages indexed, {passages / (time.perf_counter() - began):,.0f} a second")
        began = time.perf_counter()
        answer(search, " ".join(words[40:44]))
        print(f"  the first question, with loading and trust: {time.perf_counter() - began:.2f} s")
        spent = []
        for at in range(20):
            began = time.perf_counter()
            answer(search, " ".join(random.choice(words, 5)) + f" {at}")
            spent.append(1000 * (time.perf_counter() - began))
        print(f"  every further one: median {np.median(spent):.0f} ms, p95 {np.percentile(spent, 95):.0f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--onnx", help="a folder with another embedder, measured beside")
    parser.add_argument("--near", default="", help="the cosine from which on that one answers")
    parser.add_argument("--million", action="store_true", help="a million vectors, too: 5 GB of memory")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        quality(Path(folder), "hashed")
        if given.onnx:
            quality(Path(folder), f"onnx/{given.onnx}" + (f"?near={given.near}" if given.near else ""))
        end_to_end(Path(folder))
    with threadpool_limits(1):
        speed(100_000)
        if given.million:
            speed(1_000_000)


if __name__ == "__main__":
    main()
