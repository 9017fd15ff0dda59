"""Votes as a file that `toolmend rank` reads: a judge's, people's on blind pairs, and both mixed. Rates nothing.

a,b,winner,weight,prompt,rater,turn,category,length_a,length_b
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TextIO

from toolmend.errors import BadFile
from toolmend.evals.judges.matches import category_of, prompt_of, turn_of
from toolmend.evals.judges.merging import Merged
from toolmend.ratings import WINNERS, Votes

_CHOICES = {"left": "a", "right": "b", "tie": "tie", "both_bad": "both_bad"}


@dataclass(frozen=True, slots=True)
class Ballot:
    """One vote as a row; lengths are words, None where nobody counted them."""

    a: str
    b: str
    winner: str
    weight: float = 1.0
    prompt: str = ""
    rater: str = ""
    turn: str = ""
    category: str = ""
    length_a: int | None = None
    length_b: int | None = None


def write_ballots(ballots: Iterable[Ballot], stream: TextIO) -> int:
    """Write them with a head; how many there were. Columns that say nothing in any row are left out."""
    rows = list(ballots)
    names = [each.name for each in fields(Ballot)]
    told = {name for name in names if name in ("a", "b", "winner") or any(_says(row, name) for row in rows)}
    if any(row.length_a is None for row in rows):
        told -= {"length_a", "length_b"}
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([name for name in names if name in told])
    writer.writerows([_cell(getattr(row, name)) for name in names if name in told] for row in rows)
    return len(rows)


def _says(row: Ballot, name: str) -> bool:
    return getattr(row, name) not in (1.0 if name == "weight" else "", None)


def _cell(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def judged(merged: Iterable[Merged], rater: str) -> list[Ballot]:
    """The judge's votes; matches that came to none are left out."""
    return [
        Ballot(
            each.any.a,
            each.any.b,
            each.winner,
            1.0,
            each.any.prompt,
            rater,
            each.any.turn,
            each.any.category,
            each.any.length_a,
            each.any.length_b,
        )
        for each in merged
        if each.winner is not None
    ]


def of_votes(votes: Votes, weight: float = 1.0, rater: str = "") -> list[Ballot]:
    """Votes that were read as ballots, their weights times `weight`; `rater` where a vote names nobody."""

    def label(name: str, at: int) -> str:
        labels = getattr(votes, name)
        return labels.names[labels.codes[at]] if labels is not None and labels.codes[at] >= 0 else ""

    return [
        Ballot(
            votes.names[int(votes.a[at])],
            votes.names[int(votes.b[at])],
            WINNERS[int(votes.winner[at])],
            weight * (1.0 if votes.weight is None else float(votes.weight[at])),
            label("prompt", at),
            label("rater", at) or rater,
            label("turn", at),
            label("category", at),
        )
        for at in range(len(votes))
    ]


def unblind(path: str | Path, key: Mapping[str, Mapping[str, object]]) -> list[Ballot]:
    """People's choices on blind pairs with the names of the key: columns pair, choice, and where known rater.

    A choice is left, right, tie or both_bad. Raises BadFile with the line: another choice, a pair not in the key.
    """
    made = []
    for number, row in _rows(Path(path).expanduser()):
        pair, choice = (row.get("pair") or "").strip(), (row.get("choice") or "").strip()
        if None in row:
            raise BadFile(path, "more cells than the first line names columns", number)
        if choice not in _CHOICES:
            raise BadFile(path, f"choice is one of {', '.join(_CHOICES)}, not {choice!r}", number)
        if pair not in key:
            raise BadFile(path, f"pair {pair!r} is not in the key", number)
        told = key[pair]
        made.append(
            Ballot(
                str(told["left"]),
                str(told["right"]),
                _CHOICES[choice],
                1.0,
                prompt_of(told) or pair,
                (row.get("rater") or "").strip(),
                turn_of(told),
                category_of(told),
            )
        )
    return made


def _rows(path: Path) -> Sequence[tuple[int, Mapping[str, str]]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream, strict=True)
            if missing := {"pair", "choice"} - set(reader.fieldnames or ()):
                raise BadFile(path, f"there is no column {sorted(missing)[0]!r}; it needs pair and choice", 1)
            return [(reader.line_num, row) for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadFile(path, f"cannot be read as CSV ({error})") from error
