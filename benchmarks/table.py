"""One table of ratios, each against a peer in the same run: so a busy machine slows both. Kept in docs/benchmarks.md.

    python benchmarks/table.py [--dry]        --dry prints and keeps nothing

A ratio that is a fifth worse than the one kept is red. Figures of one thing alone are printed by its own benchmark.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "docs" / "benchmarks.md"
WORSE, RED, PLAIN = 1.2, "\033[31m", "\033[0m"
HEAD = """\
# Benchmarks

Ratios against a peer measured in the same run, by `make bench`, which writes this page. Absolute times belong to one
machine and one hour: see [log.md](log.md) for those.

| what | against | ratio | before | better | day | machine |
|---|---|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Ratio:
    """Ours through the peer's; `up`: more is better."""

    what: str
    peer: str
    value: float
    up: bool

    def worse_than(self, before: float) -> bool:
        """By a fifth or more."""
        return before / self.value >= WORSE if self.up else self.value / before >= WORSE


def main() -> int:
    """Print the table, and keep it unless `--dry`; 1 if something got worse by a fifth."""
    lines = KEPT.read_text(encoding="utf-8").splitlines() if KEPT.exists() else []
    rows = {line.split("|")[1].strip(): line for line in lines if line.startswith("|") and not line.startswith("|---")}
    rows.pop("what", None)
    machine, worse = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}", 0
    for ratio in ratios():
        old = rows.get(ratio.what)
        before = float(old.split("|")[3]) if old else None
        red = before is not None and ratio.worse_than(before)
        worse += red
        told = f"{before:.2f}" if before is not None else "–"
        better = "more" if ratio.up else "less"
        rows[ratio.what] = (
            f"| {ratio.what} | {ratio.peer} | {ratio.value:.2f} | {told} | {better} | {date.today()} | {machine} |"
        )
        print(f"{RED if red else ''}{ratio.what:<42}{ratio.peer:<28}{ratio.value:>8.2f}{told:>8}{PLAIN if red else ''}")
    if "--dry" not in sys.argv:
        KEPT.write_text(HEAD + "\n".join(rows.values()) + "\n", encoding="utf-8")
    return 1 if worse else 0


def ratios() -> Iterator[Ratio]:
    """Every ratio whose peer is here."""
    yield from starting()
    yield from serving()
    yield from running()


def starting() -> Iterator[Ratio]:
    """CPU of a process that starts, compiled files in place, against importing click and nothing else."""
    with tempfile.TemporaryDirectory() as compiled:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled, "PYTHONPATH": str(ROOT / "src")}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)

        def cpu(*words: str) -> float:
            taken = []
            for _ in range(7):
                process = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL, env=environment)
                _, status, used = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                taken.append(used.ru_utime + used.ru_stime)
            return min(taken)

        bare = cpu("-c", "pass")
        yield Ratio("import toolmend", "a bare interpreter", cpu("-c", "import toolmend") / bare, up=False)
        click = cpu("-c", "import click")
        yield Ratio("toolmend --help", "import click", cpu("-m", "toolmend.apps.cli", "--help") / click, up=False)


def serving() -> Iterator[Ratio]:
    """Throughput and median latency of `toolmend serve`."""
    for line in printed("server.py", "3").splitlines():
        figures = re.findall(r"[\d.,]+", line[17:])
        if len(figures) == 9:
            scene, peer = line[:17].strip(), "a bare pass-through"
            yield Ratio(f"serve, {scene}: requests a second", peer, float(figures[2]), up=True)
            yield Ratio(f"serve, {scene}: median latency", peer, float(figures[8]), up=False)


def running() -> Iterator[Ratio]:
    """CPU of a sample, log and all, against bare lines of JSON, which log far less."""
    figures = printed("runner.py", "1500").splitlines()[-1].split()
    yield Ratio("run: CPU a sample", "a bare line of JSON", float(figures[1]) / float(figures[5]), up=False)


def printed(name: str, *words: str) -> str:
    """What a benchmark prints."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, str(ROOT / "benchmarks" / name), *words]
    return subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":
    sys.exit(main())
