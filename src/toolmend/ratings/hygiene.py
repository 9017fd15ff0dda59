"""What is odd about votes: repeated ones, one rater's share, raters that always click left, raters unlike all others.

Flags, and removes nothing: a person decides. Knows votes; fits nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from toolmend.ratings.votes import A, B, Floats, Ints, Labels, Votes

ALPHA = 0.05  # chance that an honest crowd has one rater flagged by a test
_LARGE_SHARE = 0.2
_FEWEST = 20  # votes, before a share means anything
_FEWEST_OTHERS = 10  # votes of others on a pair, before they tell what is usual
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class VoteFlag:
    """One odd thing: `who` is the rater, "" where it is the votes as a whole; `votes` how many it is about."""

    kind: Literal["repeated", "share", "one_sided", "outlier"]
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
        *_outliers(votes, parts, rater),
    ]


def flag_lines(flags: Sequence[VoteFlag]) -> list[str]:
    """A line for each kind: the first few by name, and how many more there are."""
    lines = []
    for kind in ("repeated", "share", "one_sided", "outlier"):
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


def _outliers(votes: Votes, parts: Sequence[Ints], rater: Labels) -> Iterator[VoteFlag]:
    """Raters whose votes are better explained by chance, or by the contrary, than by the other raters' votes.

    A sequential test (Ville 1939): vote by vote, in order, the product of q / p grows, p being the share of the vote
    among all others on that pair, and q either that of the contrary vote or the same for every outcome. It exceeds
    raters / ALPHA with a chance of ALPHA at most, whenever one looks, as far as p is what it is taken for.
    """
    if len(parts) < 3:
        return
    outcome = np.unique(votes.winner)
    pair, seen = _as_seen(votes)
    table = np.bincount(pair * 4 + seen).astype(np.float64)
    table = np.append(table, np.zeros(-len(table) % 4)).reshape(-1, 4)
    limit = math.log(len(parts) / ALPHA)
    for code, part in enumerate(parts):
        rows, inside = np.unique(pair[part], return_inverse=True)
        own = np.bincount(inside * 4 + seen[part], minlength=len(rows) * 4).reshape(-1, 4)
        others = table[rows] - own
        share = (others + 1) / (others + 1)[:, outcome].sum(axis=1, keepdims=True)
        told = others.sum(axis=1)[inside] >= _FEWEST_OTHERS
        grown = _evidence(share[inside[told]], seen[part][told], len(outcome))
        if grown.max(initial=0.0) > limit:
            at = int(np.argmax(grown > limit)) + 1
            text = f"{rater.names[code]} does not vote like the others (plain after {at} of {int(told.sum())} votes)"
            yield VoteFlag("outlier", rater.names[code], len(part), text)


def _as_seen(votes: Votes) -> tuple[Ints, Ints]:
    """The pair of each vote as one number, and its outcome as the contestant of the lower number sees it."""
    low, high = np.minimum(votes.a, votes.b).astype(np.int64), np.maximum(votes.a, votes.b)
    seen = np.array([[0, 1, 2, 3], [1, 0, 2, 3]])[(votes.a > votes.b).astype(np.intp), votes.winner]
    _, pair = np.unique(low * len(votes.names) + high, return_inverse=True)
    return pair, seen


def _evidence(share: Floats, seen: Ints, outcomes: int) -> Floats:
    """Logarithm of the running mean of both products, vote by vote."""
    vote = np.arange(len(seen))
    expected = np.log(share[vote, seen])
    contrary = np.log(share[vote, np.array([1, 0, 2, 3])[seen]])
    chance = -math.log(outcomes)
    return np.asarray(np.logaddexp(np.cumsum(contrary - expected), np.cumsum(chance - expected)) - math.log(2))
