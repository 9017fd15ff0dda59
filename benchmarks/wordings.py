"""How well the wordings of corrections are understood without a model: python benchmarks/wordings.py [FILE] [--show]

Every wording of a file (default: the open half, that ships) is said of a wrong calendar entry, as suites say it: of its
title, its day, its time and its length. Right is at level 1 that something is wrong, at 2 the argument and no other, at
3 the value. The put-away half is counted without --show.
"""

from __future__ import annotations

import argparse
import datetime as dt
from collections import Counter

from toolmend.base.messages import Call
from toolmend.base.mistakes import Kind, Mistake
from toolmend.language.corrections import open_pool, read_pool, understand, wordings
from toolmend.tools.toolboxes import Calendar

REQUEST = "put the dinner with Ada in, you know when"
CALL = Call(
    "action.add_calendar_entry",
    {"title": "Dinner with Ida", "date": "2026-03-06", "time": "05:00", "duration": 30},
    id="c1",
)
DUE = {"title": "Dinner with Ada", "date": "2026-03-05", "time": "17:00", "duration": 120}
NOW = dt.datetime(2026, 3, 4, 9)


def main() -> None:
    """Count, and print a line a level."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", help="wordings; default: those that ship")
    parser.add_argument("--show", action="store_true", help="print what is not understood, and as what it is taken")
    asked = parser.parse_args()
    pool = read_pool(asked.file) if asked.file else open_pool()
    specs = Calendar().specs
    spec = next(spec for spec in specs if spec.full_name == CALL.tool)
    counts = Counter[tuple[int, bool]]()
    said = {
        (level, sentence): name
        for name, due in DUE.items()
        for level in (1, 2, 3)
        for sentence in wordings(
            Mistake(Kind.WRONG_VALUE, name, CALL.tool, due, CALL.arguments[name]), level, spec=spec, pool=pool
        )
    }
    for (level, sentence), name in said.items():
        read = understand(sentence, [CALL], specs, request=REQUEST, now=NOW)
        right = {
            1: read.kind == "wrong",
            2: read.kind == "blame" and read.blamed == ((0, name),),
            3: read.kind == "edit" and str(read.edits[0].get(name)).casefold() == str(DUE[name]).casefold(),
        }[level]
        counts[level, right] += 1
        if asked.show and not right:
            print(f"{level} {read.kind:8} {sentence}")
    for level in (1, 2, 3):
        every = counts[level, True] + counts[level, False]
        print(f"level {level}: {counts[level, True]} of {every} sentences right ({counts[level, True] / every:.0%})")


if __name__ == "__main__":
    main()
