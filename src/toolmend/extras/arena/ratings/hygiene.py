"""What is odd about votes: repeated ones, one rater's share, raters that always click left.

Flags, and removes nothing: a person decides. Knows votes; fits nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from toolmend.extras.arena.ratings.votes import A, B, Ints, Labels, Votes

ALPHA = 0.05  # chance that an honest crowd has one rater flagged by a test
_LARGE_SHARE = 0.2
_FEWEST = 20  # votes, before a share means anything
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class VoteFlag:
    """One odd thing: `who` is the rater, "" where it is the votes as a whole; `votes` how many it is about."""

    kind: Literal["repeated", "share", "one_sided"]
    who: str
    votes: int
    text: str


def check_votes(votes: Votes) -> list[VoteFlag]:
    """Every flag, repeated votes first. All are about raters: none where the votes do not name them."""
    rater = votes.rater
    if rater is None or not len(votes):
        return []
    counts = np.bincount(rater.codes[rater.codes >= 0], minlength=len(rater.names))
    order = np.argsort(rater.codes, kind="stable")
    order = order[rater.codes[order] >= 0]
    parts = np.split(order, np.cumsum(counts)[:-1]) if len(counts) else []
    return [
        *_repeated(votes, rater),
        *_shares(counts, rater),
        *_one_sided(votes, parts, rater),
    ]


def flag_lines(flags: Sequence[VoteFlag]) -> list[str]:
    """A line for each kind: the first few by name, and how many more there are."""
    lines = []
    for kind in ("repeated", "share", "one_sided"):
        found = [flag for flag in flags if flag.kind == kind]
        if found:
            more = f"; and {len(found) - _SHOWN} more raters" if len(found) > _SHOWN else ""
            lines.append(f"{kind.replace('_', '-')}: {'; '.join(flag.text for flag in found[:_SHOWN])}{more}")
    return lines


def _repeated(votes: Votes, rater: Labels) -> Iterator[VoteFlag]:
    """The same rater on the same pair, prompt and turn again. Without prompts nothing can be said."""
    if votes.prompt is None:
        return
    known = np.flatnonzero((rater.codes >= 0) & (votes.prompt.codes >= 0))
    low, high = np.minimum(votes.a, votes.b)[known], np.maximum(votes.a, votes.b)[known]
    turn = np.zeros(len(known), dtype=np.int64) if votes.turn is None else votes.turn.codes[known]
    key = np.zeros(len(known), dtype=np.int64)
    for column in (low, high, rater.codes[known], votes.prompt.codes[known], turn):
        _, key = np.unique(key * (int(column.max(initial=0)) + 2) + column + 1, return_inverse=True)
    again = np.ones(len(known), dtype=np.bool_)
    again[np.unique(key, return_index=True)[1]] = False
    if again.any():
        number, who = int(again.sum()), len(np.unique(rater.codes[known][again]))
        many = f"{number:,} votes" if number > 1 else "1 vote"
        text = (
            f"{many} by {who:,} rater{'s' * (who > 1)} on a pair, prompt and turn that the same rater voted on before"
        )
        yield VoteFlag("repeated", "", number, text)


def _shares(counts: Ints, rater: Labels) -> Iterator[VoteFlag]:
    total = int(counts.sum())
    if total < _FEWEST or len(rater.names) < 3:
        return
    for code in np.flatnonzero(counts > max(_LARGE_SHARE, 2 / len(counts)) * total):
        share = counts[code] / total
        yield VoteFlag(
            "share", rater.names[code], int(counts[code]), f"{rater.names[code]} gave {share:.0%} of all votes"
        )


def _one_sided(votes: Votes, parts: Sequence[Ints], rater: Labels) -> Iterator[VoteFlag]:
    """Raters whose decisions are for one side more often than a fair coin's, each tested at ALPHA / raters."""
    for code, part in enumerate(parts):
        left = int((votes.winner[part] == A).sum())
        right = int((votes.winner[part] == B).sum())
        if 2 * _tail(max(left, right), left + right) < ALPHA / len(parts):
            side, most = ("left", left) if left > right else ("right", right)
            text = f"{rater.names[code]} chose {side} {most} times of {left + right}"
            yield VoteFlag("one_sided", rater.names[code], len(part), text)


def _tail(k: int, n: int) -> float:
    """P(at least k heads of n); from a thousand on by the bound of Hoeffding, which is never less."""
    if n >= 1000:
        return math.exp(-2 * n * (k / n - 0.5) ** 2)
    return float(sum(math.comb(n, i) for i in range(k, n + 1)) / 2**n)
