"""Elo as arenas publish it: votes one after another, each moving two ratings by K (score − expected score).

Ratings depend on the order of the votes; `elo` averages over orders, and its intervals hold that noise too: about
√(173.7 K / 2) points for each contestant, however many votes there are. For fixed models Bradley–Terry is the limit.
"""

from __future__ import annotations

import math

import numpy as np

from toolmend.ratings.intervals import SCORES, rated_votes
from toolmend.ratings.votes import Floats, Ints, Votes

INITIAL = 1000.0
_HALF_RATE = math.log(10) / 800  # 1 / (1 + 10 ** (-d / 400)) is (1 + tanh(d · this)) / 2, which cannot overflow
_FEW = 30  # rounds
_ORDERED = 40_000_000  # votes put into an order at a time
_PIECE = 4_000_000


def elo(
    votes: Votes,
    k: float = 32.0,
    *,
    rounds: int = 100,
    resample: bool = False,
    drop_ties: bool = False,
    seed: int = 0,
) -> Floats:
    """Final ratings of each round (rounds × contestants), every round with the votes in an order of its own.

    With `resample` a round draws as many votes with replacement, as published bootstraps do. `rounds=0` plays the
    votes once, as given. A weight multiplies K for both sides, so that the sum of all ratings stays.
    """
    kept = np.flatnonzero(rated_votes(votes, drop_ties=drop_ties)).astype(np.int32)
    if not rounds or not len(kept):
        return _Table(votes, k, max(1, rounds)).played(kept[:, None])
    random = np.random.default_rng(seed)
    if resample:
        table, step = _Table(votes, k, rounds), max(1, _PIECE // rounds)
        for start in range(0, len(kept), step):
            table.played(kept[random.integers(0, len(kept), (min(step, len(kept) - start), rounds))])
        return table.ratings
    parts, step = [], max(1, _ORDERED // len(kept))
    for start in range(0, rounds, step):
        orders = np.stack([random.permutation(kept) for _ in range(min(step, rounds - start))], axis=1)
        parts.append(_Table(votes, k, orders.shape[1]).played(orders))
    return np.concatenate(parts)


class _Table:
    """Ratings of many rounds that are played side by side."""

    def __init__(self, votes: Votes, k: float, rounds: int) -> None:
        self.ratings = np.full((rounds, len(votes.names)), INITIAL)
        self._votes = votes
        self._moves = np.full(len(votes), float(k)) if votes.weight is None else k * votes.weight

    def played(self, orders: Ints) -> Floats:
        """The ratings after the votes of `orders` (votes × rounds, or × 1 for the same order in all)."""
        step = max(1, _PIECE // max(1, orders.shape[1]))
        for start in range(0, len(orders), step):
            self._play(orders[start : start + step])
        return self.ratings

    def _play(self, orders: Ints) -> None:
        if len(self.ratings) <= _FEW:
            for row, order in zip(self.ratings, orders.T, strict=True):
                row[:] = self._looped(row.tolist(), order)
        else:
            self._play_abreast(orders)

    def _looped(self, ratings: list[float], order: Ints) -> list[float]:
        """One round, vote by vote: for a few rounds numpy would be slower."""
        votes = self._votes
        columns = (votes.a[order], votes.b[order], SCORES[votes.winner[order]], self._moves[order])
        for one, other, score, k in zip(*(column.tolist() for column in columns), strict=True):
            move = k * (score - 0.5 - 0.5 * math.tanh((ratings[one] - ratings[other]) * _HALF_RATE))
            ratings[one] += move
            ratings[other] -= move
        return ratings

    def _play_abreast(self, orders: Ints) -> None:
        flat, size = self.ratings.reshape(-1), self.ratings.shape[1]
        row = size * np.arange(len(self.ratings))
        first, second = self._votes.a[orders] + row, self._votes.b[orders] + row
        scores, moves = SCORES[self._votes.winner[orders]], self._moves[orders]
        for one, other, score, k in zip(first, second, scores, moves, strict=True):
            left, right = flat[one], flat[other]
            move = k * (score - 0.5 - 0.5 * np.tanh((left - right) * _HALF_RATE))
            flat[one] = left + move
            flat[other] = right - move
