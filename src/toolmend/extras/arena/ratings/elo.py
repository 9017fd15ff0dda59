"""Elo as arenas publish it: votes one after another, each moving two ratings by K (score − expected score).

Ratings depend on the order of the votes; `elo` averages over orders, and its intervals hold that noise too: about
√(173.7 K / 2) points for each contestant, however many votes there are. For fixed models Bradley–Terry is the limit.
"""

from __future__ import annotations

import math

import numpy as np

from toolmend.extras.arena.ratings.bradley_terry import INITIAL, SCORES, rated_votes
from toolmend.extras.arena.ratings.votes import Floats, Ints, Votes

_HALF_RATE = math.log(10) / 800  # 1 / (1 + 10 ** (-d / 400)) is (1 + tanh(d · this)) / 2, which cannot overflow
_FEW = 30  # rounds
_ORDERED = 40_000_000  # votes put into an order at a time
_PIECE = 4_000_000


def elo(
    votes: Votes, k: float = 32.0, *, rounds: int = 100, resample: bool = False, drop_ties: bool = False, seed: int = 0
) -> Floats:
    """Final ratings of each round (rounds × contestants), every round with the votes in an order of its own.

    With `resample` a round draws as many votes with replacement, as published bootstraps do. `rounds=0` plays the
    votes once, as given. A weight multiplies K for both sides, so that the sum of all ratings stays.
    """
    kept = np.flatnonzero(rated_votes(votes, drop_ties=drop_ties)).astype(np.int32)
    ratings = np.full((max(1, rounds), len(votes.names)), INITIAL)
    random = np.random.default_rng(seed)
    if not rounds or not len(kept):
        _play(votes, k, ratings, kept[:, None])
    elif resample:
        step = max(1, _PIECE // rounds)
        for start in range(0, len(kept), step):
            _play(votes, k, ratings, kept[random.integers(0, len(kept), (min(step, len(kept) - start), rounds))])
    else:
        step = max(1, _ORDERED // len(kept))
        for part in np.split(ratings, range(step, rounds, step)):
            _play(votes, k, part, np.stack([random.permutation(kept) for _ in part], axis=1))
    return ratings


def _play(votes: Votes, k: float, ratings: Floats, orders: Ints) -> None:
    """The votes of `orders` (votes × rounds), played into the ratings of the rounds, in place, a piece at a time."""
    step = max(1, _PIECE // orders.shape[1])
    for start in range(0, len(orders), step):
        piece = orders[start : start + step]
        moves = np.full(piece.shape, float(k)) if votes.weight is None else k * votes.weight[piece]
        columns = votes.a[piece], votes.b[piece], SCORES[votes.winner[piece]], moves
        if len(ratings) <= _FEW:
            for row, *of_round in zip(ratings, *(column.T.tolist() for column in columns), strict=True):
                row[:] = _looped(row.tolist(), *of_round)
        else:
            _play_abreast(ratings, *columns)


def _looped(ratings: list[float], a: list[int], b: list[int], scores: list[float], moves: list[float]) -> list[float]:
    """One round, vote by vote: for a few rounds numpy would be slower."""
    for one, other, score, k in zip(a, b, scores, moves, strict=True):
        move = k * (score - 0.5 - 0.5 * math.tanh((ratings[one] - ratings[other]) * _HALF_RATE))
        ratings[one] += move
        ratings[other] -= move
    return ratings


def _play_abreast(ratings: Floats, a: Ints, b: Ints, scores: Floats, moves: Floats) -> None:
    flat, row = ratings.reshape(-1), ratings.shape[1] * np.arange(len(ratings))
    for one, other, score, k in zip(a + row, b + row, scores, moves, strict=True):
        left, right = flat[one], flat[other]
        move = k * (score - 0.5 - 0.5 * np.tanh((left - right) * _HALF_RATE))
        flat[one] = left + move
        flat[other] = right - move
