"""Votes as a file that `toolmend rank` reads: a judge's, and people's mixed with them. Rates nothing.

a,b,winner,weight,prompt,rater,turn,category,length_a,length_b
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import TextIO

from toolmend.extras.arena.judges.merging import Merged
from toolmend.extras.arena.ratings import WINNERS, Votes


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


def write_ballots(ballots: Sequence[Ballot], stream: TextIO) -> None:
    """Write them with a head. Columns that say nothing in any row are left out."""
    names = [
        field.name
        for field in fields(Ballot)
        if field.name in ("a", "b", "winner") or any(getattr(row, field.name) != field.default for row in ballots)
    ]
    if any(row.length_a is None for row in ballots):
        names = [name for name in names if not name.startswith("length")]
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_cell(getattr(row, name)) for name in names] for row in ballots)


def _cell(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def judged(merged: Iterable[Merged], rater: str) -> list[Ballot]:
    """The judge's votes; matches that came to none are left out."""
    about = ("a", "b", "prompt", "turn", "category", "length_a", "length_b")
    return [
        Ballot(**{name: getattr(match.any, name) for name in about}, winner=match.winner, rater=rater)
        for match in merged
        if match.winner is not None
    ]


def of_votes(votes: Votes, weight: float = 1.0, rater: str = "") -> list[Ballot]:
    """Votes that were read as ballots, their weights times `weight`; `rater` where a vote names nobody."""
    prompt, raters, turn, category = (votes.texts(name) for name in ("prompt", "rater", "turn", "category"))
    return [
        Ballot(
            votes.names[int(votes.a[at])],
            votes.names[int(votes.b[at])],
            WINNERS[int(votes.winner[at])],
            weight * (1.0 if votes.weight is None else float(votes.weight[at])),
            prompt[at],
            raters[at] or rater,
            turn[at],
            category[at],
        )
        for at in range(len(votes))
    ]
