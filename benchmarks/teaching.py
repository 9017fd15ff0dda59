"""How a taught model's figures grow with the number of examples: the same exam, the same training, more sentences.

    python benchmarks/teaching.py shop examples/shop_examples.txt --start ./preset --positions 1000000 5 8 all

Every size is examined on the same held-out sentences, which none of them is taught. One JSON line each.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

from toolmend.training.teach import plan as plans
from toolmend.training.teach.examples import Example
from toolmend.training.teach.requests import held_out_names
from toolmend.training.teach.teach import Lesson, lesson, teach


def cut(what: Lesson, size: int) -> Lesson:
    """The lesson with `size` examples a tool at most for training, and all that are held out."""
    held = held_out_names(what.requests.templates)
    counts: Counter[str] = Counter()
    kept: list[Example] = []
    for example in what.examples:
        if example.amends is not None:
            fits = example.amends in kept
        else:
            tool = example.calls[0].tool if example.calls else ""
            fits = f"line {example.line}" in held or counts[tool] < size
            counts[tool] += f"line {example.line}" not in held
        kept += [example] if fits else []
    return replace(what, examples=tuple(kept), held=held)


def main() -> None:
    """Teach each size and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tools")
    parser.add_argument("examples", type=Path)
    parser.add_argument("sizes", nargs="+", help="examples a tool, or all")
    parser.add_argument("--start", default="builtin/small")
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--work", type=Path, required=True)
    asked = parser.parse_args()
    whole = lesson(asked.tools, asked.examples)
    for size in asked.sizes:
        what = cut(whole, 10_000 if size == "all" else int(size))
        folder = asked.work / size
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "plan.json").exists():  # as many positions for each, however fast the machine is just then
            plans.keep(folder, plans.Plan(asked.positions, 5000, f"{what.hash} {asked.start}"))
        found = teach(what, folder / "preset", folder, start=asked.start, threads=asked.threads, tell=print)
        row = {name: found[name] for name in ("held_out", "requests", "same", "fix")}
        print(json.dumps({"examples": size, "sentences": len(what.examples), **row}), flush=True)


if __name__ == "__main__":
    main()
