"""Learn what language/corrections/assign.py weighs its evidence by, and say what the weights are worth.

    python benchmarks/weigh.py [--people FOLDER] [--out src/toolmend/language/corrections/weights.txt]

Two logistic regressions: whether a part is an argument's value, and whether a filling is exactly what was meant; the
second is learned of fillings whose pairs were weighed without them (two halves). People's sentences (told.py) come
from a folder that is not part of this project; without it nothing is written. One in five of people's corrections is
put away: what the limits in session/mend/mender.py and language/corrections/filling.py are worth is printed for these.
"""

from __future__ import annotations

import argparse
import datetime as dt
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import people
import told
from told import Told

from toolmend.language.corrections import assign
from toolmend.language.corrections.evidence import Pair, doubtful, of_the_whole

OUT = Path(assign.__file__).with_name("weights.txt")
Example = tuple[Mapping[str, float], bool]
LEAST, STEPS, RATE, SMALL = 12, 700, 0.1, 0.05
SHRINK = {"pair": (0.5, 0.02), "whole": (1.0, 0.0)}
"""How weights are drawn to nothing: by their squares, and by their size."""
OFTEN = {"open": 3}  # sources that count more than once


def fit(examples: Sequence[Example], of: str) -> dict[str, float]:
    """The weights of a logistic regression by Adam, without a random number; features that are rare are left out."""
    squares, sizes = SHRINK[of]
    count = Counter(name for features, _ in examples for name, value in features.items() if value)
    names = sorted(name for name, times in count.items() if times >= LEAST)
    place = {name: number for number, name in enumerate(names)}
    entries = [
        (row, place[name], value)
        for row, (features, _) in enumerate(examples)
        for name, value in features.items()
        if value and name in place
    ]
    rows, columns = (np.array([entry[axis] for entry in entries]) for axis in (0, 1))
    values = np.array([entry[2] for entry in entries])
    due = np.array([right for _, right in examples], float)
    weights, mean, spread = (np.zeros(len(names)) for _ in range(3))
    for step in range(STEPS):
        score = np.bincount(rows, values * weights[columns], len(due))
        missed = 1 / (1 + np.exp(-np.clip(score, -30, 30))) - due
        slope = np.bincount(columns, values * missed[rows], len(names)) + squares * weights
        mean, spread = 0.9 * mean + 0.1 * slope, 0.99 * spread + 0.01 * slope * slope
        rate = RATE * (1 - step / STEPS) / np.sqrt(spread + 1e-8)
        weights -= rate * mean
        weights = np.sign(weights) * np.maximum(0, np.abs(weights) - rate * sizes * len(due) ** 0.5)
    return {name: round(float(weights[place[name]]), 2) for name in names if abs(weights[place[name]]) >= SMALL}


def is_due(pair: Pair, row: Told) -> bool:
    """Whether a pair gives an argument what was meant."""
    return any(people.plain(value) in row.due.get(pair.slot.name, ()) for value in pair.values)


def is_right(taken: Sequence[Pair], row: Told) -> bool:
    """Whether a filling is exactly what was meant, by the first value of each."""
    first = (replace(pair, values=pair.values[:1]) for pair in taken)
    return bool(taken) and {pair.slot.name for pair in taken} == set(row.due) and all(is_due(one, row) for one in first)


def pair_examples(rows: Iterable[tuple[Told, Sequence[Pair]]]) -> list[Example]:
    """Every pair of every correction."""
    return [
        (pair.features, is_due(pair, row))
        for row, pairs in rows
        if row.due
        for pair in pairs
        for _ in range(OFTEN.get(row.source, 1))
    ]


def whole_examples(rows: Iterable[tuple[Told, Sequence[Pair]]], known: Mapping[str, float]) -> list[Example]:
    """The filling of every correction of a complete call that has one."""
    found = []
    for row, pairs in rows:
        if row.due and row.complete:
            scored = [replace(pair, likely=assign.chance(known, pair.features)) for pair in pairs]
            if taken := assign.best(scored):
                found.append((of_the_whole(row.sentence, taken, scored), is_right(taken, row)))
    return found


def learn(rows: Sequence[tuple[Told, Sequence[Pair]]]) -> dict[str, float]:
    """Both regressions."""
    halves = [[one for one in rows if zlib.crc32(one[0].said.request.encode()) % 2 == half] for half in (0, 1)]
    wholes: list[Example] = []
    for half, other in ((0, 1), (1, 0)):
        wholes += whole_examples(halves[half], fit(pair_examples(halves[other]), "pair"))
    return fit(pair_examples(rows), "pair") | fit(wholes, "whole")


def worth(rows: Sequence[tuple[Told, Sequence[Pair]]], known: Mapping[str, float]) -> None:
    """Print, for each limit, how many of the sentences are mended and how many changed wrongly."""
    made = []
    for row, pairs in rows:
        scored = [replace(pair, likely=assign.chance(known, pair.features)) for pair in pairs]
        taken = assign.best(scored)
        whole = of_the_whole(row.sentence, taken, scored)
        single = bool(taken) and all(len(pair.values) == 1 for pair in taken) and not doubtful(whole)
        made.append((assign.chance(known, whole) if single else 0.0, is_right(taken, row)))
    print(
        f"{len(rows)} of people's corrections, put away; right by the likeliest {sum(r for _, r in made) / len(made):.1%}"
    )
    for least in (0.95, 0.94, 0.92, 0.9, 0.88, 0.85, 0.8):
        acted = [right for likely, right in made if likely >= least]
        print(
            f"  from {least:.2f} on: right {sum(acted) / len(made):6.1%}  wrong {acted.count(False) / len(made):5.1%}"
        )


def main() -> None:
    """Learn, tell, write."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--people", type=Path, default=people.FOLDER)
    reader.add_argument("--out", type=Path, default=OUT)
    asked = reader.parse_args()
    if not (asked.people / told.PEOPLE).is_file():
        raise SystemExit(f"{asked.people / told.PEOPLE} is not here: people's sentences are not part of this project")
    rows = [
        (row, assign.pairs_of(row.sentence, row.slots, row.said))
        for source in (told.of_people(asked.people), told.of_open_sets(), told.of_writers())
        for row in source
        if row.due
    ]
    away = [one for one in rows if one[0].put_away]
    known = learn([one for one in rows if not one[0].put_away])
    print(f"{len(rows) - len(away):,} corrections and answers, {len(known):,} weights")
    worth(away, known)
    lines = "".join(f"{name} {weight}\n" for name, weight in sorted(known.items()))
    asked.out.write_text(f"# {HEAD} {dt.date.today()}\n{lines}", encoding="utf-8")


HEAD = "Made by benchmarks/weigh.py of people's sentences (SGD's training part, CC BY-SA 4.0) and ours,"

if __name__ == "__main__":
    main()
