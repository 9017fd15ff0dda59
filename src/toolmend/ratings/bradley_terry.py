"""Bradley–Terry: the strengths θ that make the votes most likely, P(x beats y) = 1 / (1 + exp(θy − θx)). By Newton.

A tie is half a win for each. Strengths are in logits, their mean is 0. Knows pairs; no name and no interval.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from toolmend.ratings.connectivity import is_strong
from toolmend.ratings.pairs import CountedPairs
from toolmend.ratings.votes import Floats

SCALE = 400 / np.log(10)  # points of a rating for a logit
INITIAL = 1000.0
# Where the votes hold the contestants together by nothing: a normal law of 400 points, as a vote of its own.
RIDGE = 1 / np.log(10) ** 2

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
