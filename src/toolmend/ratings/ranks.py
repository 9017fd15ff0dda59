"""Ranks with what can be said of them: the best and the worst that a contestant may be, pair by pair.

A contestant is surely behind those whose difference to it has an interval above 0. The overlap of two intervals is not
asked: it misses differences that the votes do show. Each pair has the level stated; all pairs together have less.
"""

from __future__ import annotations

import numpy as np

from toolmend.ratings.votes import Floats, Ints


def rank_intervals(lower: Floats) -> tuple[Ints, Ints]:
    """Best and worst rank of each, from `lower[x, y]`, the lower bound of the difference x − y."""
    surely = lower > 0
    np.fill_diagonal(surely, False)
    return 1 + surely.sum(axis=0), len(lower) - surely.sum(axis=1)


def lower_by_covariance(theta: Floats, covariance: Floats, z: float) -> Floats:
    """Lower bounds of all differences, `z` standard deviations below."""
    own = np.diag(covariance)
    variance = np.maximum(0.0, own[:, None] + own[None, :] - covariance - covariance.T)
    return np.asarray(theta[:, None] - theta[None, :] - z * np.sqrt(variance))


def lower_by_resamples(theta: Floats, level: float) -> Floats:
    """Lower bounds of all differences, as percentiles of resampled strengths (rounds × contestants)."""
    tail = (1 - level) / 2
    return np.stack([np.quantile(one[:, None] - theta, tail, axis=0) for one in theta.T])
