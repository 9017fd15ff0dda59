"""Bradley–Terry: the strengths θ that make the votes most likely, P(x beats y) = 1 / (1 + exp(θy − θx)). By Newton.

A tie is half a win for each. Strengths are in logits, their mean is 0. How far they may be off is a sandwich's, by vote
or by cluster of votes: the plain inverse information is about a fifth too wide with ties as half wins, and votes on one
prompt are alike. Knows pairs and clusters; no name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from toolmend.extras.arena.ratings.pairs import CountedPairs, count_pairs, is_strong
from toolmend.extras.arena.ratings.votes import BOTH_BAD, TIE, Floats, Ints, Votes

SCALE = 400 / np.log(10)  # points of a rating for a logit
INITIAL = 1000.0
# Where the votes hold the contestants together by nothing: a normal law of 400 points, as a vote of its own.
RIDGE = 1 / np.log(10) ** 2
SCORES = np.array([1.0, 0.0, 0.5])  # what side a gets for each outcome
_CELLS = 4_000_000  # numbers held at a time

_STEPS = 100
_CLOSE = 1e-6  # logits: the error left after a step is the square of it
_SMALLEST = 1e-3  # of a step


@dataclass(frozen=True, slots=True, eq=False)
class Strengths:
    """θ in logits, mean 0, and the ridge it took: 0.0 where the votes alone decide."""

    theta: Floats
    ridge: float


def fit_pairs(pairs: CountedPairs) -> Strengths:
    """The best estimate; with a ridge only where the votes have none, or one too far away to be found."""
    if pairs.size < 2:
        return Strengths(np.zeros(pairs.size), 0.0)
    if is_strong(pairs.beaten()):
        found = _newton(pairs, 0.0)
        if found is not None:
            return Strengths(found, 0.0)
    found = _newton(pairs, RIDGE)
    assert found is not None, "with a ridge the likelihood is strictly concave"
    return Strengths(found, float(RIDGE))


def chances(theta: Floats, pairs: CountedPairs) -> Floats:
    """P(first beats second) of each pair."""
    z = theta[..., pairs.first] - theta[..., pairs.second]
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * z))


def information(theta: Floats, pairs: CountedPairs, ridge: float) -> Floats:
    """The negative second derivative: a graph's Laplacian with weights n p (1 − p), and the ridge."""
    p = chances(theta, pairs)
    weight = pairs.total * p * (1 - p)
    table = np.zeros((pairs.size, pairs.size))
    table[pairs.first, pairs.second] = table[pairs.second, pairs.first] = -weight
    table[np.diag_indices(pairs.size)] = ridge - table.sum(axis=1)
    return table


def inverse(table: Floats) -> Floats:
    """The inverse of an information among strengths whose mean is 0: what it says of the mean is left out."""
    size = len(table)
    lift = float(np.trace(table)) / size
    along = float(table[0].sum()) + lift
    return np.asarray(np.linalg.inv(table + lift / size) - 1 / (along * size))


def _newton(pairs: CountedPairs, ridge: float) -> Floats | None:
    """Newton's steps, each halved while the likelihood falls. None if they do not come to rest."""
    theta = np.zeros(pairs.size)
    score, total = pairs.score, pairs.total
    reached = _likelihood(theta, pairs, score, total, ridge)
    for _ in range(_STEPS):
        away = score - total * chances(theta, pairs)
        slope = np.bincount(pairs.first, away, pairs.size) - np.bincount(pairs.second, away, pairs.size)
        table = information(theta, pairs, ridge)
        try:
            step = np.linalg.solve(table + np.trace(table) / pairs.size**2, slope - ridge * theta)
        except np.linalg.LinAlgError:
            return None
        step -= step.mean()
        if np.abs(step).max() < _CLOSE:
            return np.asarray(theta + step)
        size = 1.0
        while (found := _likelihood(theta + size * step, pairs, score, total, ridge)) < reached and size > _SMALLEST:
            size /= 2
        theta, reached = theta + size * step, found
    return None


def _likelihood(theta: Floats, pairs: CountedPairs, score: Floats, total: Floats, ridge: float) -> float:
    z = theta[pairs.first] - theta[pairs.second]
    return float(score @ z - total @ np.logaddexp(0.0, z) - 0.5 * ridge * (theta @ theta))


# how far they may be off ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """The cluster of each vote, numbered from 0, and how many there are."""

    codes: NDArray[np.int64]
    count: int


def rated_votes(votes: Votes, *, drop_ties: bool) -> NDArray[np.bool_]:
    """Which votes rate anybody."""
    return np.asarray(votes.winner < (TIE if drop_ties else BOTH_BAD))


def sandwich(pairs: CountedPairs, found: Strengths) -> Floats:
    """Covariance of the strengths, votes being independent: H⁻¹ B H⁻¹ (Huber 1967), B the sum of squared scores.

    A ridge λ counts as one more vote of its own, with variance λ in B; the inverse information where it is wider.
    """
    p = chances(found.theta, pairs)
    spread = ((SCORES - p[:, None]) ** 2 * pairs.squares).sum(axis=1)
    return _between(pairs, found, _laplacian(pairs, spread) + found.ridge * np.eye(pairs.size))


def clustered_sandwich(
    votes: Votes, clusters: Clusters, pairs: CountedPairs, found: Strengths, *, drop_ties: bool
) -> Floats:
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


def _laplacian(pairs: CountedPairs, weight: Floats) -> Floats:
    table = np.zeros((pairs.size, pairs.size))
    table[pairs.first, pairs.second] = table[pairs.second, pairs.first] = -weight
    table[np.diag_indices(pairs.size)] = -table.sum(axis=1)
    return table


def _only_ties(pairs: CountedPairs, found: Strengths) -> Floats:
    """The residual of one decided vote for each pair that only tied.

    Ties alone leave no residual, and a sandwich takes that for certainty; that no vote was decided shows no more than
    that the next one may be the first.
    """
    p = chances(found.theta, pairs)
    tied = (pairs.cells[:, 0] == 0) & (pairs.cells[:, 1] == 0)
    return _laplacian(pairs, np.where(tied, p * (1 - p), 0.0))


def _between(pairs: CountedPairs, found: Strengths, meat: Floats) -> Floats:
    meat = meat + _only_ties(pairs, found)
    bread = inverse(information(found.theta, pairs, found.ridge))
    covariance = np.asarray(bread @ meat @ bread)
    return wider(covariance, bread) if found.ridge else covariance


def wider(one: Floats, other: Floats) -> Floats:
    """Of two covariances the larger variance of each strength and of each difference.

    Needed with a ridge: three wins of three leave no residual, and a sandwich that takes that for certainty.
    """
    own, differences = (
        np.maximum(variance, rest) for variance, rest in zip(_variances(one), _variances(other), strict=True)
    )
    return np.asarray((own[:, None] + own[None, :] - differences) / 2)


def _variances(covariance: Floats) -> tuple[Floats, Floats]:
    own = np.diag(covariance)
    return own, own[:, None] + own[None, :] - covariance - covariance.T


def z_of(level: float) -> float:
    """How many standard deviations a two-sided interval of that level reaches: 1.96 for 0.95."""
    return NormalDist().inv_cdf(0.5 + level / 2)


# what one more vote would tell ---------------------------------------------------------------------------------------


def gains(votes: Votes, names: Sequence[str]) -> Floats:
    """A table over `names`, in logits: of each with each, 0 with itself. Those without votes have places in it, too."""
    whole = replace(votes, names=tuple(dict.fromkeys((*votes.names, *names))))
    pairs = count_pairs(whole).pairs
    theta = fit_pairs(pairs).theta
    covariance = inverse(information(theta, pairs, RIDGE))
    spread = np.diag(covariance)
    variance = np.maximum(0.0, spread[:, None] + spread - 2 * covariance)
    chance = 0.5 + 0.5 * np.tanh(0.5 * (theta[:, None] - theta))
    gain = np.sqrt(variance) - np.sqrt(variance / (1 + chance * (1 - chance) * variance))
    places = [whole.names.index(name) for name in names]
    return np.asarray(gain[np.ix_(places, places)])
