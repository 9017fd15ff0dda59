"""How far the strengths may be off: a sandwich covariance, by vote or by cluster of votes.

The plain inverse information is no choice: with ties as half wins it is about a fifth too wide, and votes on one prompt
are alike. Knows pairs, clusters and strengths; no name.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from toolmend.ratings.bradley_terry import Strengths, chances, information, inverse
from toolmend.ratings.pairs import Pairs
from toolmend.ratings.votes import BOTH_BAD, TIE, Floats, Ints, Votes

SCORES = np.array([1.0, 0.0, 0.5])  # what side a gets for each outcome
_CELLS = 4_000_000  # numbers held at a time


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """The cluster of each vote, numbered from 0, and how many there are."""

    codes: NDArray[np.int64]
    count: int


def rated_votes(votes: Votes, *, drop_ties: bool) -> NDArray[np.bool_]:
    """Which votes rate anybody."""
    return np.asarray(votes.winner < (TIE if drop_ties else BOTH_BAD))


def sandwich(pairs: Pairs, found: Strengths) -> Floats:
    """Covariance of the strengths, votes being independent: H⁻¹ B H⁻¹ (Huber 1967), B the sum of squared scores.

    A ridge λ counts as one more vote of its own, with variance λ in B; the inverse information where it is wider.
    """
    p = chances(found.theta, pairs)
    spread = ((SCORES - p[:, None]) ** 2 * pairs.squares).sum(axis=1)
    meat = np.zeros((pairs.size, pairs.size))
    meat[pairs.first, pairs.second] = meat[pairs.second, pairs.first] = -spread
    meat[np.diag_indices(pairs.size)] = found.ridge - meat.sum(axis=1)
    return _between(pairs, found, meat)


def clustered_sandwich(votes: Votes, clusters: Clusters, pairs: Pairs, found: Strengths, *, drop_ties: bool) -> Floats:
    """The same where votes of a cluster are not independent: B sums the squares of whole clusters' scores.

    Times G / (G − 1) for G clusters (Cameron & Miller 2015, section 2).
    """
    rated = np.flatnonzero(rated_votes(votes, drop_ties=drop_ties))
    a, b = votes.a[rated], votes.b[rated]
    z = found.theta[a] - found.theta[b]
    away = SCORES[votes.winner[rated]] - (0.5 + 0.5 * np.tanh(0.5 * z))
    if votes.weight is not None:
        away *= votes.weight[rated]
    meat = clustered_meat(clusters.codes[rated], [(a, away), (b, -away)], pairs.size)
    return _between(pairs, found, meat + found.ridge * np.eye(pairs.size))


def clustered_meat(codes: Ints, parts: list[tuple[Ints, Floats]], size: int) -> Floats:
    """Σ over clusters of s sᵀ, times G / (G − 1), s being the sum of each (place, value) over the cluster's votes."""
    order = np.argsort(codes, kind="stable")
    _, starts = np.unique(codes[order], return_index=True)
    ends = np.append(starts[1:], len(order))
    numbers = np.repeat(np.arange(len(starts)), ends - starts)
    meat = np.zeros((size, size))
    step = max(1, _CELLS // max(1, size))
    for head in range(0, len(starts), step):
        tail = min(head + step, len(starts))
        piece = order[starts[head] : ends[tail - 1]]
        rows = (numbers[starts[head] : ends[tail - 1]] - head) * size
        scores = np.zeros((tail - head) * size)
        for places, values in parts:
            scores += np.bincount(rows + places[piece], values[piece], len(scores))
        table = scores.reshape(-1, size)
        meat += table.T @ table
    return meat * (len(starts) / max(1, len(starts) - 1))


def _between(pairs: Pairs, found: Strengths, meat: Floats) -> Floats:
    bread = inverse(information(found.theta, pairs, found.ridge))
    covariance = np.asarray(bread @ meat @ bread)
    return wider(covariance, bread) if found.ridge else covariance


def wider(one: Floats, other: Floats) -> Floats:
    """Of two covariances the larger variance of each strength and of each difference.

    Needed with a ridge: three wins of three leave no residual, and a sandwich that takes that for certainty.
    """
    own, differences = (np.maximum(each, rest) for each, rest in zip(_variances(one), _variances(other), strict=True))
    return np.asarray((own[:, None] + own[None, :] - differences) / 2)


def _variances(covariance: Floats) -> tuple[Floats, Floats]:
    own = np.diag(covariance)
    return own, own[:, None] + own[None, :] - covariance - covariance.T


def z_of(level: float) -> float:
    """How many standard deviations a two-sided interval of that level reaches: 1.96 for 0.95."""
    return NormalDist().inv_cdf(0.5 + level / 2)
