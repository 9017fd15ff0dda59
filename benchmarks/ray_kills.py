"""A run over a Ray cluster of two nodes in two processes on this machine, whose workers are killed at random moments.

    python benchmarks/ray_kills.py [KILLS [ATTEMPTS]]        default: 20 kills, 30 attempts at each case of `calendar`

The store is PostgreSQL, where a server is installed, else SQLite. Every kill is a SIGKILL for a worker that plays.
Afterwards every sample must be in the store once, each the same as in a run of one process, but for times, and the
report the same to the letter; exits 1 where it is not. A worker that follows another takes seconds: so does each kill.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from toolmend.base.events import to_json
from toolmend.evals.store import Store

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from clusters import two_nodes
from postgres import binaries, started

COMMAND = [sys.executable, "-m", "toolmend.apps.cli"]


def workers() -> list[int]:
    """The process ids of the workers below this process."""
    parents, names = dict[int, int](), dict[int, str]()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            names[int(folder.name)] = (folder / "cmdline").read_text()
        except OSError:  # gone in the meantime
            continue

    def ours(process: int) -> bool:
        return process == os.getpid() or (process in parents and ours(parents[process]))

    return [process for process, name in names.items() if name.startswith("ray::_Worker.play") and ours(process)]


def played(place: str) -> tuple[dict[str, Any], str]:
    """The events of every sample by key, without times, and the report without the number of the run."""
    with Store(place, create=False) as store:
        (run,) = store.runs()
        assert run.status == "finished", run.status
        kept = {sample.key: timeless([to_json(event) for event in sample.events]) for sample in store.samples(run.id)}
    shown = subprocess.run([*COMMAND, "show", run.id, "--store", place], check=True, capture_output=True, text=True)
    return kept, shown.stdout.replace(run.id, "RUN")


def timeless(value: Any) -> Any:
    """JSON without what a clock said."""
    if isinstance(value, dict):
        return {name: timeless(each) for name, each in value.items() if name != "seconds"}
    return [timeless(each) for each in value] if isinstance(value, list) else value


def killed(playing: subprocess.Popen[bytes], kills: int, pause: float) -> int:
    """How many workers were killed before the run was over, each after `pause` seconds at most."""
    chance, done, began = random.Random(23), 0, time.monotonic()
    while playing.poll() is None and done < kills:
        time.sleep(chance.uniform(0, pause))
        if here := workers():
            os.kill(chance.choice(here), signal.SIGKILL)
            done += 1
            print(f"{time.monotonic() - began:6.1f} s: worker {done} killed", flush=True)
    playing.wait()
    return done


def main(kills: int, attempts: int) -> int:
    """Play it both ways; 1 if a sample is lost, double or another one, or the report is."""
    asked = ["run", "calendar", "--model", "scripted/echo", "--attempts", str(attempts), "--temperature", "0.7"]
    with ExitStack() as stack:
        folder, server = stack.enter_context(tempfile.TemporaryDirectory()), binaries()
        places = [f"{folder}/{name}.db" for name in ("alone", "spread")]
        if server and find_spec("psycopg"):
            running = stack.enter_context(started(server))
            places = [stack.enter_context(running.database()) for _ in places]
        began = time.monotonic()
        subprocess.run([*COMMAND, *asked, "--headline", "--store", places[0]], check=True, stdout=subprocess.DEVNULL)
        pause = (time.monotonic() - began) / 5
        address, began = stack.enter_context(two_nodes()), time.monotonic()
        spread = subprocess.Popen(
            [*COMMAND, *asked, "--headline", "--store", places[1], "--on", "ray"],
            env={**os.environ, "RAY_ADDRESS": address},
        )
        done, seconds = killed(spread, kills, pause), time.monotonic() - began
        (alone, told), (over, told_over) = (played(place) for place in places)
    lost, other = alone.keys() - over.keys(), [key for key in alone if key in over and alone[key] != over[key]]
    print(
        f"{places[1].partition(':')[0]}: {done} workers killed in {seconds:.0f} s · {len(alone)} samples alone, ",
        end="",
    )
    print(f"{len(over)} over Ray · {len(lost)} lost · {len(over.keys() - alone.keys())} too many · ", end="")
    print(f"{len(other)} other than alone · report {'the same' if told == told_over else 'ANOTHER'}")
    wrong = lost or other or len(over) > len(alone) or told != told_over
    return 1 if wrong or spread.returncode or done < kills else 0


if __name__ == "__main__":
    sys.exit(main(*([int(word) for word in sys.argv[1:]] + [20, 30][len(sys.argv) - 1 :])))
