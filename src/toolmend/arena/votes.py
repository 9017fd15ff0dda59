"""What a vote may say, and votes as the files that `toolmend rank` and `toolmend judge calibrate` read.

Knows rows; decides no battle.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Any

from toolmend.errors import BadOption
from toolmend.evals.judges.ballots import Ballot, write_ballots
from toolmend.ratings import Votes

CHOICES = {"left": "a", "right": "b", "tie": "tie", "both_bad": "both_bad"}
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


def ballots(rows: Iterable[Any]) -> list[Ballot]:
    """Votes as ballots."""
    return [_ballot(row) for row in rows]


def as_csv(rows: Sequence[Any]) -> str:
    """The file: a, b, winner, prompt, rater, category, lengths, then likert, reason, tags and when; likert and tags are
    of votes before 2026-11-23."""
    text = StringIO()
    write_ballots(ballots(rows), text)
    head, *lines = csv.reader(StringIO(text.getvalue()))
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*head, "likert", "reason", "tags", "made"])
    for line, row in zip(lines, rows, strict=True):
        tags = " ".join(json.loads(row.tags))
        writer.writerow([*line, "" if row.likert is None else row.likert, _tame(row.reason), tags, row.made])
    return out.getvalue()


def votes_of(found: Sequence[Ballot]) -> Votes:
    """Ballots as the ratings take them."""
    return Votes.of(
        [each.a for each in found],
        [each.b for each in found],
        [each.winner for each in found],
        prompt=[each.prompt for each in found],
        rater=[each.rater for each in found],
        category=[each.category for each in found],
    )


def _ballot(row: Any) -> Ballot:
    lengths = {"length_a": row.length_a, "length_b": row.length_b}
    about = {"prompt": row.prompt, "rater": rater_of(row.person), "category": row.category}
    return Ballot(row.a, row.b, row.winner, **about, **lengths)


def _tame(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
