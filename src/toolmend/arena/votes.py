"""What a vote may say, and votes as the files that `toolmend rank` and `toolmend judge calibrate` read.

Likert as in the Hugging Face blog of 2023-06-12: 1 the left is far better, 8 the right. Knows rows; decides no battle.
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

CHOICES = ("left", "right", "tie", "both_bad")
LONGEST_REASON = 2_000
_WINNERS = {"left": "a", "right": "b", "tie": "tie", "both_bad": "both_bad"}


def read_choice(choice: str | int) -> tuple[str, int | None]:
    """A word of CHOICES, or 1 to 8, as who won (a is the left side) and the Likert value, if it was one. Raises
    BadOption for anything else."""
    if isinstance(choice, str) and choice.isascii() and choice.isdigit():
        choice = int(choice[:3])
    if isinstance(choice, int) and not isinstance(choice, bool) and 1 <= choice <= 8:
        return ("a" if choice <= 4 else "b"), choice
    if isinstance(choice, str) and choice in _WINNERS:
        return _WINNERS[choice], None
    raise BadOption(f"a vote is {', '.join(CHOICES)} or 1 to 8, not {str(choice)[:40]!r}")


def read_reason(reason: str) -> str:
    """A reason as it is kept. Raises BadOption for one that is too long."""
    if len(reason) > LONGEST_REASON:
        raise BadOption(f"the reason has {len(reason):,} characters; {LONGEST_REASON:,} are the most")
    return reason.strip()


def rater_of(person: str) -> str:
    """What a rater is called in exports: the same for the same person, and it does not lead back to a cookie."""
    return hashlib.sha256(f"rater {person}".encode()).hexdigest()[:10]


def ballots(rows: Iterable[Any], *, band: bool = False) -> list[Ballot]:
    """Votes as ballots. `band`: Likert 4 and 5 are ties."""
    return [_ballot(row, band) for row in rows]


def as_csv(rows: Sequence[Any], *, band: bool = False) -> str:
    """The file: a, b, winner, prompt, rater, category, lengths, then likert, reason, tags and when."""
    text = StringIO()
    write_ballots(ballots(rows, band=band), text)
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


def _ballot(row: Any, band: bool) -> Ballot:
    lengths = {"length_a": row.length_a, "length_b": row.length_b}
    rater, winner = rater_of(row.person), "tie" if band and row.likert in (4, 5) else row.winner
    return Ballot(row.a, row.b, winner, prompt=row.prompt, rater=rater, category=row.category, **lengths)


def _tame(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
