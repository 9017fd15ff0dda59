"""One table of ratios against peers of the same run, kept in docs/benchmarks.md.

    python benchmarks/table.py [--dry] [PART …]        --dry keeps nothing; parts: see PARTS, default: all

A ratio that is a fifth worse than the one kept is red. A part that cannot be measured is a row that says why. What a
part measures is the `rows()` of its own file.
"""

from __future__ import annotations

import importlib
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import date

from rows import ROOT, Row

KEPT = ROOT / "docs" / "benchmarks.md"
WORSE, RED, PLAIN = 1.2, "\033[31m", "\033[0m"
HEAD = """\
# Benchmarks

Ours beside a peer, by `make bench`, which writes this page (`make bench PART="serve rank"`: some parts). Only ratios
mean something: both sides took turns in one run, on a machine that other work kept busy. `load` is how many processes
wanted one of its cores when the row was made. *before* is the ratio that stood here until then; a ratio that got worse
by a fifth is printed in red. What the parts are: `benchmarks/table.py`.

| part | what | against | unit | ours | peer | ratio | bar | before | better | day, machine, load |
|---|---|---|---|---|---|---|---|---|---|---|
"""
# Names of files with `rows()`.
PARTS = {
    "start": "start",
    "serve": "server",
    "run": "runner",
    "grade": "bfcl_peer",
    "rank": "ratings",
    "gguf": "gguf_engine",
    "train": "training",
    "builtin": "engine",
    "keras": "keras_engine",
    "know": "knowledge",
}
Cells = list[str]  # of a line of the page
RATIO, PAGE = 6, len(HEAD.splitlines()[-2].split("|")) - 2


def main() -> int:
    """Print the table, and keep it unless `--dry`; 1 if something got worse by a fifth."""
    asked = [word for word in sys.argv[1:] if word != "--dry"] or list(PARTS)
    if unknown := set(asked) - set(PARTS):
        sys.exit(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    page, reds = read(), 0
    for part in asked:
        before = {cells[1]: cells for cells in page[part] if cells[RATIO]}
        made = list[Cells]()
        for line in measured(part):
            if isinstance(line, str):  # what was measured before stands
                made += [cells for what, cells in before.items() if what not in {new[1] for new in made}]
                made.append([part, f"not measured: {line}", *[""] * (PAGE - 3), date.today().isoformat()])
                print(f"{part:<9}{made[-1][1]}", flush=True)
                continue
            old = float(before[line.what][RATIO]) if line.what in before else None
            red = old is not None and (old / line.ratio if line.more else line.ratio / old) >= WORSE
            made.append(cells_of(part, line, old))
            text = f"{part:<9}{line.what:<38}{line.against:<28}" + "".join(f"{cell:>10}" for cell in made[-1][4:9])
            print(f"{RED}{text}{PLAIN}" if red else text, flush=True)
            reds += red
        page[part] = made
        if "--dry" not in sys.argv:  # after each part: whoever ends it has what was done
            lines = [f"| {' | '.join(cells)} |\n" for name in PARTS for cells in page[name]]
            KEPT.write_text(HEAD + "".join(lines), encoding="utf-8")
    return 1 if reds else 0


def read() -> dict[str, list[Cells]]:
    """The page's lines by part."""
    page: dict[str, list[Cells]] = {part: [] for part in PARTS}
    for line in KEPT.read_text(encoding="utf-8").splitlines() if KEPT.exists() else ():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if cells and cells[0] in page:
            page[cells[0]].append(cells)
    return page


def measured(part: str) -> Iterator[Row | str]:
    """The rows of a part, made in a process of its own; where it could not go on, at last the reason."""
    command = [sys.executable, "-W", "ignore", __file__, "--rows", PARTS[part]]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])}
    done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    yield from (Row(**json.loads(line[4:])) for line in done.stdout.splitlines() if line.startswith("row "))
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"its process ended with {done.returncode}"])[-1]
        yield last.removeprefix("rows.Missing: ").replace("|", "/")[:200]


def cells_of(part: str, row: Row, old: float | None) -> Cells:
    """A row as the page has it."""
    figures = [f"{row.ours:.4g}", f"{row.peer:.4g}", f"{row.ratio:.3g}"]
    bar = "" if row.bar is None else f"{'≥' if row.more else '≤'} {row.bar:g}"
    before = "" if old is None else f"{old:g}"
    when = f"{date.today()}, {platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    return [part, row.what, row.against, row.unit, *figures, bar, before, "more" if row.more else "less", when]


if __name__ == "__main__":
    if sys.argv[1:2] == ["--rows"]:
        for row in importlib.import_module(sys.argv[2]).rows():
            print(f"row {json.dumps(asdict(row))}", flush=True)
    else:
        sys.exit(main())
