"""What a vote may say, the leaderboard made of votes beside the rates of stored runs, and the file that `toolmend rank`
and `judge calibrate` read. Knows rows; decides no battle; ratings/ computes.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from typing import Any

from toolmend.base.errors import BadOption
from toolmend.evals.reports.report import build_report
from toolmend.evals.running.plan import MENDED
from toolmend.evals.store import Run, Store
from toolmend.extras.arena.ratings import Rating, Votes, fit

CHOICES = {"left": "a", "right": "b", "tie": "tie", "both_bad": "both_bad"}
_COLUMNS = tuple("a b winner prompt rater category length_a length_b likert reason tags made".split())
LONGEST_REASON = 2_000


def read_choice(choice: str) -> str:
    """Who won by a word of CHOICES: a is the left side. Raises BadOption for anything else."""
    if choice not in CHOICES:
        raise BadOption(f"a vote is {', '.join(CHOICES)}, not {choice[:40]!r}")
    return CHOICES[choice]


def read_reason(reason: str) -> str:
    """A reason as it is kept. Raises BadOption for one that is too long."""
    if len(reason) > LONGEST_REASON:
        raise BadOption(f"the reason has {len(reason):,} characters; {LONGEST_REASON:,} are the most")
    return reason.strip()


def rater_of(person: str) -> str:
    """What a rater is called in exports: the same for the same person, and it does not lead back to a cookie."""
    return hashlib.sha256(f"rater {person}".encode()).hexdigest()[:10]


def as_csv(rows: Sequence[Any]) -> str:
    """The file. `likert` and `tags` are of votes before 2026-11-23."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for row in rows:
        who = row.a, row.b, row.winner, row.prompt, rater_of(row.person), row.category
        likert, tags = "" if row.likert is None else row.likert, " ".join(json.loads(row.tags))
        writer.writerow([*who, row.length_a, row.length_b, likert, _tame(row.reason), tags, row.made])
    return text.getvalue()


def _tame(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


@dataclass(frozen=True, slots=True)
class Board:
    """Everything the leaderboard shows. `rates`: of contestants that stand in a finished run of the store, what share
    of its requests was right at first, in the newest one. `notes` are for everybody, `warnings` those of the ratings,
    for who knows how they are made."""

    rows: tuple[Rating, ...]
    ties: int
    both_bad: int
    votes: int
    method: str
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    rates: Mapping[str, str]


def make_board(rows: Sequence[Any], contestants: int, rates: RunRates) -> Board:
    """The board from rows of votes of an arena with so many contestants, and what runs say of who is in them."""
    winners = [row.winner for row in rows]
    about = {"prompt": [row.prompt for row in rows], "rater": [rater_of(row.person) for row in rows]}
    rated = fit(Votes.of([row.a for row in rows], [row.b for row in rows], winners, **about)) if rows else None
    return Board(
        rated.rows if rated else (),
        winners.count("tie"),
        winners.count("both_bad"),
        len(rows),
        rated.method if rated else "",
        rated.warnings if rated else (),
        _too_few(contestants, len(rows)),
        rates.of({name for row in rows for name in (row.a, row.b)}),
    )


class RunRates:
    """What finished runs say of contestants: the store at a place is opened when it is asked for, each run read once.

    How corrections were understood has no part in it.
    """

    def __init__(self, place: str | os.PathLike[str]) -> None:
        self._place = place
        self._by_run: dict[str, dict[str, str]] = {}

    @cached_property
    def _store(self) -> Store:
        return Store(self._place)

    def close(self) -> None:
        """Give back the store's connections."""
        if "_store" in self.__dict__:
            self._store.close()

    def of(self, names: set[str]) -> dict[str, str]:
        """`74 % of 256 in calendar_dev` by contestant, from the newest runs that have any of these."""
        told: dict[str, str] = {}
        for run in self._store.runs() if names else ():
            ways = {f"{who.model} · {who.strategy.removesuffix(MENDED)}" for who in run.config.contestants}
            if run.status == "finished" and (ways & names) - told.keys():
                told = self._read(run) | told
        return told

    def _read(self, run: Run) -> dict[str, str]:
        """The shares of one run, by contestant; where one played both ways, the first of them."""
        if run.id not in self._by_run:
            shares = self._by_run[run.id] = {}
            for row in build_report(self._store, run.id)["contestants"]:
                first = row["first_right"]
                share = f"{100 * first['value']:.0f} % of {first['trials']:,}" if first["trials"] else "–"
                name = f"{row['model']} · {row['strategy'].removesuffix(MENDED)}"
                shares.setdefault(name, f"{share} in {run.config.suite}")
        return self._by_run[run.id]


def _too_few(contestants: int, votes: int) -> tuple[str, ...]:
    """What to say of an arena with fewer than two contestants, or fewer than two votes that count here."""
    notes = []
    if contestants < 2:
        notes.append("this arena has one contestant and a battle needs two: start it with another --model")
    if votes < 2:
        notes.append(f"{('no vote', 'one vote')[votes]} so far: too few for ratings; vote in a battle")
    return tuple(notes)
