"""What a vote may say, the leaderboard made of votes, and the file that `toolmend rank` and `judge calibrate` read.

Knows rows; decides no battle; ratings/ computes.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

from toolmend.errors import BadOption
from toolmend.ratings import Rating, Votes, fit

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
    """Everything the leaderboard shows. `notes` are for everybody, `warnings` those of the ratings, for who knows how
    they are made."""

    rows: tuple[Rating, ...]
    ties: int
    both_bad: int
    votes: int
    method: str
    warnings: tuple[str, ...]
    notes: tuple[str, ...]


def make_board(rows: Sequence[Any], contestants: int) -> Board:
    """The board from rows of votes of an arena with so many contestants."""
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
    )


def _too_few(contestants: int, votes: int) -> tuple[str, ...]:
    """What to say of an arena with fewer than two contestants, or fewer than two votes that count here."""
    notes = []
    if contestants < 2:
        notes.append("this arena has one contestant and a battle needs two: start it with another --model")
    if votes < 2:
        notes.append(f"{('no vote', 'one vote')[votes]} so far: too few for ratings; vote in a battle")
    return tuple(notes)
