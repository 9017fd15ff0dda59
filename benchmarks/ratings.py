"""How fast ratings are, on one core. Run: PYTHONPATH=src python benchmarks/ratings.py [MOST_VOTES]

100,000 votes on 50 contestants, a quarter tied, from arrays: each job beside floors of the same run. Then growth to
MOST_VOTES (10,000,000): what fit and sandwich, and reading a file, take. In the table: beside evalica.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from rows import Peer, Row, in_turns
from threadpoolctl import threadpool_limits

from toolmend.extras.arena.ratings import Votes, elo, fit, read_votes
from toolmend.extras.arena.ratings.pairs import count_pairs
from toolmend.extras.arena.ratings.votes import Labels

CONTESTANTS, VOTES = 50, 100_000
PROMPTS = 2_000


def played(number: int, seed: int = 0) -> Votes:
    """Votes as Bradley–Terry has them, a quarter made ties; pairs, sides and prompts at random."""
    random = np.random.default_rng(seed)
    theta = random.normal(0, 1, CONTESTANTS)
    a = random.integers(0, CONTESTANTS, number, dtype=np.int32)
    b = (a + random.integers(1, CONTESTANTS, number, dtype=np.int32)) % CONTESTANTS
    winner = (random.random(number) > 1 / (1 + np.exp(theta[b] - theta[a]))).astype(np.int8)
    winner[random.random(number) < 0.25] = 2
    prompt = Labels(random.integers(0, PROMPTS, number, dtype=np.int32), tuple(f"p{i}" for i in range(PROMPTS)))
    return Votes(tuple(f"m{i}" for i in range(CONTESTANTS)), a, b, winner, prompt=prompt)


def best(job: Callable[[], object], times: int) -> float:
    """Seconds of one core, of the fastest run."""
    seconds = []
    for _ in range(times):
        start = time.process_time()
        job()
        seconds.append(time.process_time() - start)
    return min(seconds)


def elo_floor(votes: Votes) -> None:
    """Elo as a plain loop over whole numbers: the least that Python does for each vote."""
    ratings = [1000.0] * len(votes.names)
    for a, b, winner in zip(votes.a.tolist(), votes.b.tolist(), votes.winner.tolist(), strict=True):
        move = 32 * ((1.0, 0.0, 0.5)[winner] - 1 / (1 + 10 ** ((ratings[b] - ratings[a]) / 400)))
        ratings[a] += move
        ratings[b] -= move


def rows() -> Iterator[Row]:
    """A fit with its intervals beside evalica's, which has none."""
    votes = played(VOTES)
    columns = [[votes.names[place] for place in side] for side in (votes.a, votes.b)]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file, threadpool_limits(1):
        json.dump([*columns, votes.winner.tolist()], file)
        file.flush()
        with Peer("evalica", file.name) as evalica:
            ours, peer = in_turns(lambda: 1000 * best(lambda: fit(votes), 1), evalica.turn)
    yield Row("rank: a fit of 100,000 votes", "evalica, no intervals", "ms of CPU", ours, peer)


def speed() -> None:
    """The bars."""
    votes = played(VOTES)
    keys = votes.a.astype(np.intp)
    floor = best(lambda: np.bincount(keys * 200 + votes.b * 4 + votes.winner), 20)
    loop = best(lambda: elo_floor(votes), 3)
    jobs: dict[str, tuple[Callable[[], object], int]] = {
        "count the votes": (lambda: count_pairs(votes), 20),
        "fit + sandwich": (lambda: fit(votes), 20),
        "fit + sandwich by prompt": (lambda: fit(votes, cluster="prompt"), 5),
        "Elo, once in order": (lambda: elo(votes, rounds=0), 1),
        "Elo, mean of 100 orders": (lambda: elo(votes, rounds=100), 1),
    }
    print(f"{VOTES:,} votes, {CONTESTANTS} contestants, one core")
    print(f"  {'floor: one bincount of the votes':40} {1000 * floor:>10,.2f} ms")
    print(f"  {'floor: Elo as a loop of Python':40} {1000 * loop:>10,.2f} ms")
    for name, (job, times) in jobs.items():
        took = best(job, times)
        print(f"  {name:40} {1000 * took:>10,.2f} ms  {took / floor:>9,.1f} bincounts  {took / loop:>7,.2f} loops")


def growth(number: int) -> None:
    """One size, in a process of its own: its peak of memory is that of this size."""
    votes = played(number)
    fitted = best(lambda: fit(votes), 3)
    tracemalloc.start()
    fit(votes)
    beside = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "votes.csv"
        words = ("a", "b", "tie")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write("a,b,winner\n")
            for start in range(0, number, 100_000):
                piece = slice(start, start + 100_000)
                rows = zip(votes.a[piece].tolist(), votes.b[piece].tolist(), votes.winner[piece].tolist(), strict=True)
                stream.write("".join(f"m{a},m{b},{words[w]}\n" for a, b, w in rows))
        read = best(lambda: read_votes(path), 1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"  {number:>12,} {1000 * fitted:>12,.1f} {beside:>12,.1f} {read:>12,.2f} {peak:>12,.0f}",
        flush=True,
    )


def main() -> None:
    """Print every figure."""
    if sys.argv[1:2] == ["--growth"]:
        with threadpool_limits(1):
            growth(int(sys.argv[2]))
        return
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    print("growth; before anything else, because a process begins with the peak of its parent")
    print(f"  {'votes':>12} {'fit, ms':>12} {'fit, + MB':>12} {'file, s':>12} {'peak MB':>12}", flush=True)
    number = 10_000
    while number <= most:
        subprocess.run([sys.executable, __file__, "--growth", str(number)], check=True)
        number *= 10
    with threadpool_limits(1):
        speed()


if __name__ == "__main__":
    main()
