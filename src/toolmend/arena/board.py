"""The leaderboard: ratings from votes with intervals, and rates from stored runs beside them, never mixed.

Computes nothing itself: ratings/ fits, evals/ reports. Blocks; `Arena.board` calls it from a thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolmend.arena.votes import ballots, votes_of
from toolmend.errors import BadFile
from toolmend.evals.reports.report import build_report
from toolmend.ratings import Rating, Ratings, fit
from toolmend.store import Store

MOST_RUNS = 50
Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One contestant: its rating from votes and its rates from a run (evals/reports), each None where there is none.

    `played` is the strategy of that run where it is another: one rated with `auto` was measured with what auto takes.
    """

    contestant: str
    rating: Rating | None = None
    measured: Data | None = None
    played: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """Everything the leaderboard shows. `notes` are for everybody, `warnings` those of the ratings, for who knows how
    they are made."""

    rows: tuple[BoardRow, ...]
    ties: int
    both_bad: int
    votes: int
    method: str
    warnings: tuple[str, ...]
    notes: tuple[str, ...] = ()


def make_board(rows: Sequence[Any], place: str) -> Board:
    """The board from rows of votes and the runs at a place."""
    cast = ballots(rows)
    rated = fit(votes_of(cast)) if cast else None
    return Board(
        _rows(rated, _measured(place)),
        sum(each.winner == "tie" for each in cast),
        sum(each.winner == "both_bad" for each in cast),
        len(cast),
        rated.method if rated else "",
        rated.warnings if rated else (),
    )


def too_few(contestants: int, votes: int) -> tuple[str, ...]:
    """What to say of an arena with fewer than two contestants, or fewer than two votes that count here."""
    found = []
    if contestants < 2:
        found.append("this arena has one contestant and a battle needs two: start it with another --model")
    if votes < 2:
        found.append(f"{('no vote', 'one vote')[votes]} so far: too few for ratings; vote in a battle")
    return tuple(found)


def _rows(found: Ratings | None, measured: Mapping[str, Data]) -> tuple[BoardRow, ...]:
    """Those with votes by rating, then those with runs alone by fix@1."""
    rated, joined = [], set[str]()
    for row in found.rows if found else ():
        name = _measured_as(row.contestant, measured)
        joined |= {name, row.contestant}
        played = "" if name == row.contestant else name.rpartition(" · ")[2]
        rated.append(BoardRow(row.contestant, row, measured.get(name), played))
    rest = [BoardRow(name, None, each) for name, each in measured.items() if name not in joined]
    rest.sort(key=lambda row: (-((row.measured and row.measured["fix_at_1"]["value"]) or 0.0), row.contestant))
    return (*rated, *rest)


def _measured_as(name: str, measured: Mapping[str, Data]) -> str:
    """Under which name a contestant was measured: its own, else with `auto` that of the newest run of its model."""
    model, _, strategy = name.rpartition(" · ")
    if name in measured or strategy.partition("?")[0] != "auto":
        return name
    return next((other for other in measured if other.rpartition(" · ")[0] == model), name)


def _measured(place: str) -> dict[str, Data]:
    """By contestant what the newest finished run with it says."""
    made: dict[str, Data] = {}
    try:
        with Store(place, create=False) as store:
            for run in [run for run in store.runs()[:MOST_RUNS] if run.status == "finished"]:
                for row in build_report(store, run.id)["contestants"]:
                    made.setdefault(f"{row['model']} · {row['strategy']}", row)
    except BadFile:  # nothing was ever run here
        return {}
    return made
