"""What keeping a sample costs: commits per second and CPU per commit, each sample in a transaction of its own.

    python benchmarks/store.py [SAMPLES ...] [URL]        default: 1000 10000, in a new SQLite file each

A sample is a request, a wrong reply, a correction and a fixed reply: 11 events, 1.8 kB of JSON.
"CPU" is user + system time of this process, making the sample not included. At a URL runs are added to what is there
and deleted again. Knows nothing of the runner; how long a report takes is in show.py.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from toolmend.base.events import Asked, Called, Corrected, Event, Marked, Read, Replied
from toolmend.base.messages import Call, CallResult, Usage
from toolmend.base.mistakes import Correction, Kind, Mark, Mistake
from toolmend.evals.store import RunConfig, Sample, Store, StoredContestant

CONFIG = RunConfig("bench", "0" * 32, (StoredContestant("scripted/instant", "oneline", "0" * 32),), attempts=5)


def dialogue() -> tuple[Event, ...]:
    """Eleven events as the session gives them."""
    arguments = {"title": "Meeting with Fred", "date": "2024-11-11", "time": "17:00", "duration": 30}
    text = 'action.add_calendar_entry(title="Meeting with Fred", date="2024-11-11", time="17:00", duration=30)'
    wrong = Mistake(Kind.WRONG_VALUE, "time", "action.add_calendar_entry", "17:00", "05:00")
    events: list[Event] = []
    for turn in (0, 1):
        call = Call("action.add_calendar_entry", arguments, id=f"c{turn}")
        events.append(Asked(turn, "Add a meeting with Fred on Nov 11 at 5PM", amends=turn - 1 if turn else None))
        if turn:
            events.append(Corrected(turn, Correction("The time is wrong.", 2, wrong), amends=0))
        events += [
            Replied(turn, text, model="scripted/instant", usage=Usage(812, 37, 0.0123)),
            Read(turn, (call,)),
            Called(turn, call, CallResult(call.id, "added")),
            Marked(turn, (Mark.FIXED,)) if turn else Marked(turn, (Mark.MISTAKE,), (wrong,)),
        ]
    return tuple(events)


def measure(place: str, count: int) -> None:
    """Commit `count` samples into a new run, read them back, and print what each took."""
    events = dialogue()
    made = [
        Sample(f"case {number}", "scripted/instant", "oneline", seed=number, events=events, started="2024-11-11T17:00Z")
        for number in range(count)
    ]
    with Store(place) as store:
        run = store.open_run(CONFIG)
        wall, cpu = time.perf_counter(), time.process_time()
        for sample in made:
            store.commit(run, sample)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(f"{count:>9,} {count / wall:>11,.0f} {cpu / count * 1e6:>10.0f}", end="")
        for read in (store.done_keys, lambda run: list(store.samples(run))):
            start = time.perf_counter()
            read(run)
            print(f" {time.perf_counter() - start:>10.3f}", end="")
        size = Path(place).stat().st_size / 1e6 if "://" not in place else 0.0
        print(f" {size:>8.1f}", flush=True)
        store.delete_run(run)


def main(words: list[str]) -> None:
    """Measure each size."""
    counts = [int(word) for word in words if "://" not in word] or [1000, 10_000]
    url = next((word for word in words if "://" in word), None)
    print("  samples   commits/s CPU µs each  done_keys s  samples s    MB")
    with tempfile.TemporaryDirectory() as folder:
        for count in counts:
            measure(url or f"{folder}/{count}.db", count)


if __name__ == "__main__":
    main(sys.argv[1:])
