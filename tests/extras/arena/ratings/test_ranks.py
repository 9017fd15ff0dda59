"""Ranks are intervals: by differences, not by overlap."""

from __future__ import annotations

import numpy as np

from toolmend.extras.arena.ratings import Votes, fit
from toolmend.extras.arena.ratings.rating import lower_bounds, lower_by_resamples, rank_intervals


def test_ranks_of_a_table_of_bounds() -> None:
    lower = np.array([[0.0, 1.0, 2.0], [-3.0, 0.0, -0.5], [-5.0, -1.0, 0.0]])
    best, worst = rank_intervals(lower)
    assert (best.tolist(), worst.tolist()) == ([1, 2, 2], [1, 3, 3])


def test_correlated_strengths_differ_although_their_intervals_overlap() -> None:
    covariance = np.array([[1.0, 0.99], [0.99, 1.0]])
    lower = lower_bounds(np.array([0.5, 0.0]), covariance, 1.96)
    assert lower[0, 1] > 0


def test_resamples_that_always_agree() -> None:
    theta = np.array([[1.0, 0.5], [2.0, 1.9], [0.0, -0.1]])
    assert rank_intervals(lower_by_resamples(theta, 0.95))[0].tolist() == [1, 2]


def test_nobody_can_be_told_apart_by_one_vote_each() -> None:
    found = fit(Votes.of(["x", "y", "z"], ["y", "z", "x"], ["a", "a", "a"]))
    assert [(row.rank_low, row.rank_high) for row in found.rows] == [(1, 3)] * 3
