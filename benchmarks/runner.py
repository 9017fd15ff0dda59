"""CPU per sample of the runner with an instant model, full log included.

    python benchmarks/runner.py [1000 10000 100000]

The floor beside it: the same number of dialogues as bare JSON lines, one flush each, which logs far less. In the table
stands Inspect AI with its instant model: as many epochs of one sample, one text compared, no tool called.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import anyio
from rows import Peer, Row, in_turns

from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.store import Store
from toolmend.evals.suites.suite import load_suite, select
from toolmend.models.scripted import Scripted

RIGHT = 'action.add_calendar_entry("Meeting with Fred", date="2023-11-11", time="17:00", duration=30)'


def main() -> None:
    """Print a row per size."""
    print(
        f"{'samples':>8} {'ms CPU/sample':>14} {'ms wall/sample':>15} "
        f"{'peak MB':>8} {'store MB':>9} {'floor ms CPU':>13}"
    )
    for size in [int(text) for text in sys.argv[1:]] or [1_000, 10_000, 100_000]:
        cpu, wall, stored = measure(size)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{size:>8} {cpu:>14.3f} {wall:>15.3f} {peak:>8.0f} {stored:>9.1f} {floor(size):>13.4f}")


def measure(size: int) -> tuple[float, float, float]:
    """Milliseconds of CPU and wall per one-step sample, and the store's megabytes."""
    suite = select(load_suite("calendar"), ["reliability"])
    plan = Plan.make(suite, [Scripted([RIGHT])], ["oneline"], attempts=size, temperature=0.7)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "bench.db") as store:
        cpu, wall = time.process_time(), time.perf_counter()
        anyio.run(run, plan, store)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        stored = sum(path.stat().st_size for path in Path(folder).iterdir()) / 1e6
    return cpu / size * 1000, wall / size * 1000, stored


def floor(size: int) -> float:
    """Milliseconds of CPU per line of a bare log with the same texts."""
    with tempfile.TemporaryFile("w") as file:
        began = time.process_time()
        for number in range(size):
            file.write(json.dumps({"case": number, "reply": RIGHT, "mark": "correct"}) + "\n")
            file.flush()
        return (time.process_time() - began) / size * 1000


def rows() -> Iterator[Row]:
    """Ours beside Inspect AI's."""
    with Peer("inspect_ai", RIGHT) as inspect:
        ours, peer = in_turns(lambda: measure(100)[0], inspect.turn, 3)
    yield Row("run: CPU of a sample, log and all", "Inspect AI, mockllm", "ms of CPU", ours, peer, bar=0.02)


if __name__ == "__main__":
    main()
