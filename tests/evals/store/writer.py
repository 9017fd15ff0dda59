"""A process that writes: commits COUNT samples of one run that are not there yet, and prints each key once it is kept.

    python writer.py STORE COUNT

Run by test_processes.py, which kills it. It says "opening" before it touches the store.
"""

from __future__ import annotations

import sys

from toolmend.base.events import Asked, Marked, Replied
from toolmend.base.mistakes import Mark
from toolmend.evals.store import RunConfig, Sample, Store


def main(place: str, count: int) -> None:
    """Write what is missing."""
    print("opening", flush=True)
    with Store(place) as store:
        run = store.open_run(RunConfig("killed"))
        done = store.done_keys(run)
        for attempt in range(count):
            events = (Asked(0, "x" * attempt), Replied(0, "y" * 300), Marked(0, (Mark.CORRECT,)))
            sample = Sample("case", "m", "s", attempt, events=events)
            if sample.key not in done and store.commit(run, sample):
                print(sample.key, flush=True)
        print("all", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
