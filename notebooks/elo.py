"""Elo as arenas publish it: votes one after another, each moving two ratings by K (score − expected score).

Ratings depend on the order of the votes: about √(173.7 K / 2) points for each contestant, however many votes there are.
toolmend rates by Bradley–Terry, which is the limit for fixed models.
"""

from __future__ import annotations

import math

import numpy as np

from toolmend.ratings.votes import BOTH_BAD, TIE, Floats, Votes

INITIAL = 1000.0
_HALF_RATE = math.log(10) / 800  # 1 / (1 + 10 ** (-d / 400)) is (1 + tanh(d · this)) / 2, which cannot overflow


def elo(
    votes: Votes, k: float = 32.0, *, rounds: int = 100, resample: bool = False, drop_ties: bool = False, seed: int = 0
) -> Floats:
    """Final ratings of each round (rounds × contestants), every round with the votes in an order of its own.

    With `resample` a round draws as many votes with replacement, as published bootstraps do. `rounds=0` plays the
    votes once, as given. A weight multiplies K for both sides, so that the sum of all ratings stays.
    """
    kept = np.flatnonzero(votes.winner < (TIE if drop_ties else BOTH_BAD))
    random = np.random.default_rng(seed)
    if not rounds:
        orders = kept[:, None]
    elif resample:
        orders = kept[random.integers(0, max(1, len(kept)), (len(kept), rounds))]
    else:
        orders = np.stack([random.permutation(kept) for _ in range(rounds)], axis=1)
    ratings = np.full((max(1, rounds), len(votes.names)), INITIAL)
    flat, row = ratings.reshape(-1), len(votes.names) * np.arange(len(ratings))
    moves = np.full(len(votes), float(k)) if votes.weight is None else k * votes.weight
    scores = np.array([1.0, 0.0, 0.5])[np.minimum(votes.winner, 2)]
    for order in orders:
        one, other = votes.a[order] + row, votes.b[order] + row
        left, right = flat[one], flat[other]
        move = moves[order] * (scores[order] - 0.5 - 0.5 * np.tanh((left - right) * _HALF_RATE))
        flat[one] = left + move
        flat[other] = right - move
    return ratings
