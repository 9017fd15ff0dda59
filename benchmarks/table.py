"""One table of ratios, each against a peer in the same run: so a busy machine slows both. Kept in docs/benchmarks.md.

    python benchmarks/table.py [--dry] [PART …]        --dry prints and keeps nothing; parts: see PARTS, default: all

A ratio that is a fifth worse than the one kept is red. A part whose peer is not installed, or that fails, is named in
the page with the reason. Figures of one thing alone are printed by its own benchmark.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from importlib.util import find_spec
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


@dataclass(frozen=True)
class Part:
    """Some ratios, the module that their peer is in ("" where it is always here), and what they are."""

    make: Callable[[], Iterator[Ratio]]
    module: str
    about: str


def main() -> int:
    """Print the table, and keep it unless `--dry`; 1 if something got worse by a fifth."""
    asked = [word for word in sys.argv[1:] if word != "--dry"]
    if unknown := set(asked) - set(PARTS):
        sys.exit(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    text = KEPT.read_text(encoding="utf-8") if KEPT.exists() else ""
    rows = {line.split("|")[1].strip(): line for line in text.splitlines() if line.startswith("|")}
    for head in ("what", "---"):
        rows.pop(head, None)
    machine, worse = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}", 0
    left_out = dict(re.findall(r"^- (\w+): (.+)$", text, re.MULTILINE))
    for name in asked or PARTS:
        left_out.pop(name, None)
        try:
            for ratio in ratios(PARTS[name]):
                old = rows.get(ratio.what)
                before = float(old.split("|")[3]) if old else None
                red = before is not None and ratio.worse_than(before)
                worse += red
                rows[ratio.what] = row(ratio, before, machine)
                told = f"{ratio.what:<42}{ratio.peer:<28}{ratio.value:>8.2f}{kept(before):>8}"
                print(f"{RED}{told}{PLAIN}" if red else told, flush=True)
        except Missing as error:
            left_out[name] = f"{PARTS[name].about}: {error}"
            print(f"{name}: {left_out[name]}", flush=True)
        if "--dry" not in sys.argv:  # after each part: whoever ends it has what was done
            absent = "".join(f"- {name}: {why}\n" for name, why in left_out.items())
            told = f"\nNot run, and why:\n\n{absent}" if absent else ""
            KEPT.write_text(HEAD + "\n".join(rows.values()) + "\n" + told, encoding="utf-8")
    return 1 if worse else 0


class Missing(Exception):
    """A part that cannot be run here."""


def row(ratio: Ratio, before: float | None, machine: str) -> str:
    """A line of the page."""
    better = "more" if ratio.up else "less"
    told = f"| {ratio.what} | {ratio.peer} | {ratio.value:.2f} | {kept(before)} | {better} |"
    return f"{told} {date.today()} | {machine} |"


def kept(before: float | None) -> str:
    """The ratio of the last time."""
    return "–" if before is None else f"{before:.2f}"


def ratios(part: Part) -> Iterator[Ratio]:
    """The ratios of a part. Raises Missing."""
    if part.module and not find_spec(part.module):
        raise Missing(f"{part.module} is not installed")
    try:
        yield from part.make()
    except (subprocess.SubprocessError, OSError, LookupError, ValueError, AttributeError) as error:
        raise Missing(f"it failed ({type(error).__name__}: {str(error)[:160]})") from error


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


def engine() -> Iterator[Ratio]:
    """Seconds of a talk of six turns with builtin/small."""
    taken = re.search(r"numpy takes ([\d.]+) of it", printed("engine.py"))
    yield Ratio("builtin: a talk of six turns", "KerasHub, on JAX", float(taken[1] if taken else ""), up=False)


def keras() -> Iterator[Ratio]:
    """Seconds with the engine behind `keras/…`."""
    for task, name, ratio in re.findall(
        r"^ +([a-z ]+?) +(generate|transformers) .* ([\d.]+) x$", printed("keras_engine.py", "small"), re.MULTILINE
    ):
        yield Ratio(f"keras: {task}", f"{name} of {PEERS[name]}", 1 / float(ratio), up=False)


def rating() -> Iterator[Ratio]:
    """A fit with intervals of 100,000 votes beside one without."""
    told = printed("ratings.py", "0")
    took = dict(re.findall(r"^  (fit \+ sandwich|evalica: fit, from names) +([\d.,]+) ms", told, re.MULTILINE))
    ours, theirs = (float(took[name].replace(",", "")) for name in ("fit + sandwich", "evalica: fit, from names"))
    yield Ratio("rank: a fit of 100,000 votes", "evalica", ours / theirs, up=False)


def searching() -> Iterator[Ratio]:
    """Milliseconds of one core of a question to 20,000 vectors, all of them looked at, beside an index that guesses."""
    told = printed("knowledge.py", "exact", "faiss", "--count", "20000")
    took = dict(re.findall(r"(exact|32 cells):.*median ([\d.]+), p95 [\d.]+ ms of one core", told))
    yield Ratio("know: dense search", "faiss, 32 cells", float(took["exact"]) / float(took["32 cells"]), up=False)


def judging() -> Iterator[Ratio]:
    """Texts read and judged a second."""
    rate = dict(re.findall(r"^(\S.*?) +([\d,]+) texts a second", printed("bfcl_peer.py"), re.MULTILINE))
    if "bfcl-eval" not in rate:
        raise Missing("TOOLMEND_BFCL names no Python that has bfcl-eval")
    theirs = float(rate["bfcl-eval"].replace(",", ""))
    yield Ratio("grade: texts a second", "BFCL's checker", float(rate["toolmend"].replace(",", "")) / theirs, up=True)


def unmeasured() -> Iterator[Ratio]:
    """Peers for which there is no command yet."""
    raise Missing("no command here plays it yet")
    yield


PEERS = {"generate": "KerasHub", "transformers": "transformers"}
PARTS = {
    "start": Part(starting, "click", "the start of the program against a bare interpreter"),
    "serve": Part(serving, "uvicorn", "the server against a bare pass-through"),
    "run": Part(running, "", "the runner against bare lines of JSON"),
    "inspect": Part(unmeasured, "inspect_ai", "the runner against Inspect AI"),
    "engine": Part(engine, "keras_hub", "the embedded model against KerasHub"),
    "keras": Part(keras, "keras_hub", "the engine of keras/… against KerasHub and transformers"),
    "rank": Part(rating, "evalica", "ratings against evalica"),
    "know": Part(searching, "faiss", "dense search against faiss"),
    "grade": Part(judging, "", "grading against BFCL's checker"),
    "llama": Part(unmeasured, "llama_cpp", "the engine of gguf/… against llama.cpp's own Python binding"),
}


def printed(name: str, *words: str) -> str:
    """What a benchmark prints."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, str(ROOT / "benchmarks" / name), *words]
    return subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True, timeout=1800).stdout


if __name__ == "__main__":
    sys.exit(main())
