"""What a vote may say, and votes as the files that `toolmend rank` and `toolmend judge calibrate` read.

Likert as in the Hugging Face blog of 2023-06-12: 1 the left is far better, 8 the right. Knows rows; decides no battle.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from typing import Any

from toolmend.arena.records import WHOLE
from toolmend.errors import BadOption
from toolmend.evals.judges.ballots import Ballot, write_ballots
from toolmend.mistakes import Kind
from toolmend.ratings import Votes

CHOICES = ("left", "right", "tie", "both_bad")
_OTHER_TAGS = ("ignored_correction", "repeats_itself", "too_long", "invents")
TAGS = (*(kind.value for kind in Kind), *_OTHER_TAGS)
"""What a rater may tick beside a vote: the kinds of mistakes, and what has no kind."""

LONGEST_REASON = 2_000
_WINNERS = {"left": "a", "right": "b", "tie": "tie", "both_bad": "both_bad"}


@dataclass(frozen=True, slots=True)
class VoteChoice:
    """A vote as it is kept: who won (a is the left side), and the Likert value where one was given."""

    winner: str
    likert: int | None = None


def read_choice(choice: str | int) -> VoteChoice:
    """A word of CHOICES, or 1 to 8. Raises BadOption for anything else."""
    if isinstance(choice, str) and choice.isascii() and choice.isdigit():
        choice = int(choice[:3])
    if isinstance(choice, int) and not isinstance(choice, bool) and 1 <= choice <= 8:
        return VoteChoice("a" if choice <= 4 else "b", choice)
    if isinstance(choice, str) and choice in _WINNERS:
        return VoteChoice(_WINNERS[choice])
    raise BadOption(f"a vote is {', '.join(CHOICES)} or 1 to 8, not {str(choice)[:40]!r}")


def read_tags(tags: Sequence[str]) -> str:
    """Tags as they are kept. Raises BadOption for one that nobody knows."""
    unknown = [tag for tag in tags if tag not in TAGS]
    if unknown:
        raise BadOption(f"unknown tag {unknown[0][:40]!r}; known: {', '.join(TAGS)}")
    return json.dumps(sorted(set(tags)))


def read_reason(reason: str) -> str:
    """A reason as it is kept. Raises BadOption for one that is too long."""
    if len(reason) > LONGEST_REASON:
        raise BadOption(f"the reason has {len(reason):,} characters; {LONGEST_REASON:,} are the most")
    return reason.strip()


def rater_of(person: str) -> str:
    """What a rater is called in exports: the same for the same person, and it does not lead back to a cookie."""
    return hashlib.sha256(f"rater {person}".encode()).hexdigest()[:10]


def ballots(rows: Iterable[Any], *, band: bool = False, turns: bool = False) -> list[Ballot]:
    """Votes as ballots. `band`: Likert 4 and 5 are ties. Votes on single turns only with `turns`."""
    return [_ballot(row, band) for row in rows if turns or row.turn == WHOLE]


def as_csv(rows: Sequence[Any], *, band: bool = False, turns: bool = False) -> str:
    """The file: a, b, winner, prompt, rater, turn, category, lengths, then likert, reason, tags and when."""
    kept = [row for row in rows if turns or row.turn == WHOLE]
    text = StringIO()
    write_ballots(ballots(kept, band=band, turns=True), text)
    head, *lines = csv.reader(StringIO(text.getvalue()))
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*head, "likert", "reason", "tags", "made"])
    for line, row in zip(lines, kept, strict=True):
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
    made = Ballot(
        row.a,
        row.b,
        row.winner,
        1.0,
        row.prompt,
        rater_of(row.person),
        "" if row.turn == WHOLE else str(row.turn + 1),
        row.category,
        row.length_a,
        row.length_b,
    )
    return replace(made, winner="tie") if band and row.likert in (4, 5) else made


def _tame(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def words_in(texts: Iterable[str]) -> int:
    """How many words, for the lengths beside a vote."""
    return sum(len(text.split()) for text in texts)


def vote_row(
    battle: Mapping[str, Any], person: str, turn: int | None, choice: VoteChoice, **rest: Any
) -> dict[str, Any]:
    """The row of a vote: names from the battle, never from whoever votes."""
    about = {"battle": battle["desk"], "person": person, "turn": WHOLE if turn is None else turn}
    sides = {"a": battle["left"], "b": battle["right"], "winner": choice.winner, "likert": choice.likert}
    return {**about, **sides, **rest}
