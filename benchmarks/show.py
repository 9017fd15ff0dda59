"""How long `toolmend show` takes on a store of a million samples: whole processes, the start of the program included.

    python benchmarks/show.py [SAMPLES] [--old]        default: 1000000, which takes 5 GB of disk and some minutes

Two stores: 100 runs, of which the last is shown, and all samples in one run. The first `show` of a run adds up what its
samples count for and keeps the report, the second finds it; with --old nothing was counted as samples were stored, as
in stores of earlier versions, and the first `show` reads every sample. A sample is a request, two thirds of them
answered wrong and corrected, with one control branch: up to 12 events, 2 kB. Fifty dialogues are kept as a run keeps
them, then copied by SQL. Python's compiled files are kept from process to process, as for anybody who has started the
program before.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from toolmend.base.events import Asked, Called, Corrected, Event, Finished, Marked, Read, Replied, Tried
from toolmend.base.messages import Call, CallResult, Usage
from toolmend.base.mistakes import Correction, Kind, Mark, Mistake
from toolmend.evals.metrics.counted import count
from toolmend.evals.store import RunConfig, Sample, Store, StoredContestant

MODELS = ("scripted/one", "scripted/two")
CASES = 25
TEMPLATES = len(MODELS) * CASES
CONFIG = RunConfig("bench", "0" * 16, tuple(StoredContestant(model, "oneline") for model in MODELS))
TIMES = 3
COMPILED = tempfile.TemporaryDirectory()

COPY_SAMPLES = """
WITH RECURSIVE copies(n) AS (SELECT :first UNION ALL SELECT n + 1 FROM copies WHERE n < :last)
INSERT INTO samples SELECT id + n * {width}, :run, "case" || '|' || model || '|' || strategy || '|' || n || '|' || arm,
"case", model, strategy, n, arm, seed, status, detail, started, seconds, "schema", events
FROM copies, (SELECT * FROM samples WHERE id <= {width})
"""
COPY_COUNTED = """
WITH RECURSIVE copies(n) AS (SELECT :first UNION ALL SELECT n + 1 FROM copies WHERE n < :last)
INSERT INTO counted SELECT sample + n * {width}, :run, version, n, kind, numbers
FROM copies, (SELECT * FROM counted WHERE sample <= {width})
"""


def dialogue(case: int, model: int) -> tuple[Event, ...]:
    """Right at once, fixed when told, or never right."""
    wrong = Mistake(Kind.WRONG_VALUE, "time", "action.add_calendar_entry", "17:00", "05:00")
    fate = (case + model) % 3
    events: list[Event] = []
    for turn in range(1 if fate == 0 else 2):
        time_ = "17:00" if turn >= fate else "05:00"
        arguments = {"title": f"Meeting {case}", "date": "2024-11-11", "time": time_, "duration": 30}
        text = "action.add_calendar_entry(" + ", ".join(f"{name}={value!r}" for name, value in arguments.items()) + ")"
        call = Call("action.add_calendar_entry", arguments, id=f"c{turn}")
        events.append(Asked(turn, "Add a meeting with Fred on Nov 11 at 5PM", amends=turn - 1 if turn else None))
        if turn:
            events.append(Corrected(turn, Correction("The time is wrong.", 2, wrong), amends=0))
        events += [
            Replied(turn, text, model=MODELS[model], usage=Usage(812, 37, 0.0123 + case / 1000)),
            Read(turn, (call,)),
            Called(turn, call, CallResult(call.id, "added")),
            Marked(turn, (Mark.FIXED if turn else Mark.CORRECT,) if turn >= fate else (Mark.MISTAKE,), step=0)
            if turn >= fate
            else Marked(turn, (Mark.MISTAKE,), (wrong,), step=0),
        ]
        if turn < fate:
            after = () if case % 2 else (wrong,)
            events.append(Tried(turn, "level 0", Correction("Try again.", 0), text, (), after, (wrong,)))
    return (*events, Finished())


def build(path: Path, runs: int, samples: int) -> str:
    """A store of so many finished runs with so many samples altogether; the id of the last run."""
    copies = samples // runs // TEMPLATES
    with Store(path) as store:
        ids = [store.open_run(replace(CONFIG, seeds=(number,))) for number in range(runs)]
        for case in range(CASES):
            for number, model in enumerate(MODELS):
                events = dialogue(case, number)
                sample = Sample(f"main/case {case}", model, "oneline", events=events, seconds=0.1)
                store.commit(ids[0], sample, count(sample, {}))
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA synchronous=OFF")
            for number, run in enumerate(ids):
                span = {"run": run, "first": max(1, number * copies), "last": (number + 1) * copies - 1}
                for statement in (COPY_SAMPLES, COPY_COUNTED):
                    connection.execute(statement.format(width=TEMPLATES), span)
                connection.commit()
            if "--old" in sys.argv:
                connection.execute("DELETE FROM counted")
                connection.commit()
        for run in ids:
            store.finish(run)
        return ids[-1]


@dataclass(frozen=True, order=True)
class Used:
    """What one process took: wall seconds, seconds of CPU, megabytes at its peak."""

    wall: float
    cpu: float
    peak: float

    def __str__(self) -> str:
        return f"{self.wall:>8.2f} {self.cpu:>6.2f}"


def show(path: Path, *arguments: str) -> Used:
    """One `toolmend show`."""
    command = [sys.executable, "-m", "toolmend.apps.cli", "show", "--store", str(path), *arguments]
    start = time.perf_counter()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = COMPILED.name
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return Used(time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def median(path: Path, *arguments: str) -> Used:
    """The middle one of several."""
    return sorted(show(path, *arguments) for _ in range(TIMES))[TIMES // 2]


def report(path: Path, title: str, run: str) -> None:
    """A line: the first `show`, the median of some more, and the list of all runs."""
    first = show(path, run)
    print(f"{title:22} {first} {first.peak:>8.0f} {median(path, run)} {median(path, '--list')}", end="", flush=True)
    print(f" {path.stat().st_size / 1e9:>5.1f}", flush=True)


def main(samples: int) -> None:
    """Print both."""
    print(f"start of the program alone (show --help): {median(Path('unused'), '--help').wall:.2f} s")
    print(f"{'seconds: wall, CPU':22} {'first':>15} {'peak MB':>8} {'again':>15} {'--list':>15} {'GB':>5}")
    for runs in (100, 1):
        with tempfile.TemporaryDirectory() as folder:
            warm, path = Path(folder) / "warm.db", Path(folder) / "million.db"
            show(warm, build(warm, 1, 2 * TEMPLATES))
            last = build(path, runs, samples)
            report(path, f"{runs} x {samples // runs:,} samples", last)


if __name__ == "__main__":
    main(int(next((word for word in sys.argv[1:] if word != "--old"), 1_000_000)))
