"""Ten thousand scripted faults through both adapters, by way of the runner and a temporary store.

    python benchmarks/faults.py [10000]

Every chat meets one or two faults of all the kinds in tests/fakes, drawn by a seed. Bars: no exception but
ModelError, no sample lost or doubled, no key in a reply or an error; a second run without faults heals every error.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fakes.storm import KEY, storm


def main() -> int:
    """Print what came of it; 1 where a bar is not met."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    os.environ["STORM_KEY"] = KEY
    began, cpu = time.perf_counter(), time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        # A chat meets 1.5 faults, and a sample that is tried again has several chats: a good half as many samples do.
        tally = anyio.run(lambda: storm(int(wanted * 0.55) // 4 * 4, Path(folder), key_env="STORM_KEY"))
    met = sum(tally.faults.values())
    print(f"{tally.samples:,} samples, {tally.chats:,} chats, {met:,} faults of {len(tally.faults)} kinds")
    print(f"{time.perf_counter() - began:.0f} s wall, {time.process_time() - cpu:.0f} s CPU (client and server)")
    for outcome, count in sorted(tally.outcomes.items()):
        print(f"{count:>8,}  {outcome}")
    bars = {
        "uncaught exceptions": len(tally.uncaught),
        "samples lost": tally.lost,
        "samples doubled": tally.doubled,
        "keys shown": tally.leaks,
        "good samples asked again": tally.asked_again,
        "errors left after the second run": tally.broken,
    }
    for bar, count in bars.items():
        print(f"{count:>8,}  {bar}{'' if count == 0 else '   <- the bar is 0'}")
    print(*tally.uncaught[:10], sep="\n", end="")
    return int(any(bars.values()) or met < wanted)


if __name__ == "__main__":
    sys.exit(main())
