"""A run over a Ray cluster of two nodes in two processes on this machine, whose workers are killed at random moments.

    python benchmarks/ray_kills.py [KILLS [ATTEMPTS]]        default: 20 kills, 60 attempts at each case of `dungeon`

Every kill is a SIGKILL for a worker that plays. Afterwards every sample must be in the store once, and each the same as
in a run of one process, but for times; exits 1 where it is not. A bare kill of a Ray worker costs seconds: so do these.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from toolmend.store import Store


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


def played(place: Path) -> dict[str, Any]:
    """The events of every sample by key, without times."""
    with Store(place, create=False) as store:
        (run,) = store.runs()
        assert run.status == "finished", run.status
        from toolmend.events import to_json

        return {sample.key: timeless([to_json(event) for event in sample.events]) for sample in store.samples(run.id)}


def timeless(value: Any) -> Any:
    """JSON without what a clock said."""
    if isinstance(value, dict):
        return {name: timeless(each) for name, each in value.items() if name != "seconds"}
    return [timeless(each) for each in value] if isinstance(value, list) else value


def main(kills: int, attempts: int) -> int:
    """Play it both ways; 1 if a sample is lost, double or another one."""
    from ray.cluster_utils import Cluster

    folder = Path(tempfile.mkdtemp())
    asked = ["run", "dungeon", "--model", "scripted/echo", "--attempts", str(attempts), "--temperature", "0.7"]
    command = [sys.executable, "-m", "toolmend.apps.cli", *asked, "--headline", "--store"]
    subprocess.run([*command, str(folder / "alone.db")], check=True, stdout=subprocess.DEVNULL)
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "300")  # a busy machine is slow to start one
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    try:
        environment = {**os.environ, "RAY_ADDRESS": cluster.address}
        spread = subprocess.Popen([*command, str(folder / "spread.db"), "--on", "ray"], env=environment)
        chance, done, began = random.Random(23), 0, time.monotonic()
        while spread.poll() is None and done < kills:
            time.sleep(chance.uniform(0.2, 4))
            if playing := workers():
                os.kill(chance.choice(playing), signal.SIGKILL)
                done += 1
                print(f"{time.monotonic() - began:6.1f} s: worker {done} killed", flush=True)
        spread.wait()
    finally:
        cluster.shutdown()
    alone, over = played(folder / "alone.db"), played(folder / "spread.db")
    lost, other = alone.keys() - over.keys(), [key for key in alone if key in over and alone[key] != over[key]]
    print(f"{done} workers killed · {len(alone)} samples alone, {len(over)} over Ray · {len(lost)} lost · ", end="")
    print(f"{len(over.keys() - alone.keys())} too many · {len(other)} other than alone")
    print(json.dumps({"kills": done, "samples": len(over), "lost": len(lost), "other": len(other)}))
    return 1 if lost or other or len(over) > len(alone) or spread.returncode or done < kills else 0


if __name__ == "__main__":
    sys.exit(main(*([int(word) for word in sys.argv[1:]] + [20, 60][len(sys.argv) - 1 :])))
