"""Bradley–Terry by hand, and what must not change it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from toolmend.extras.arena.ratings import Ratings, Votes, fit

SCALE = 400 / math.log(10)

VOTE = some.tuples(some.integers(0, 3), some.integers(1, 3), some.integers(0, 3), some.integers(0, 3))


@some.composite
def any_votes(draw: some.DrawFn) -> Votes:
    rows = draw(some.lists(VOTE, min_size=1, max_size=40))
    a, steps, winner, weight = (np.array(column) for column in zip(*rows, strict=True))
    return Votes(tuple("wxyz"), a, (a + steps) % 4, winner, weight.astype(np.float64))


def same(one: Ratings, other: Ratings, *, intervals: bool = True) -> None:
    for row in one.rows:
        pair = other[row.contestant]
        assert row.rating == pytest.approx(pair.rating, abs=1e-5)
        if intervals:
            assert (row.low, row.high) == pytest.approx((pair.low, pair.high), abs=1e-4)


def taken(votes: Votes, places: np.ndarray) -> Votes:
    weight = None if votes.weight is None else votes.weight[places]
    return replace(votes, a=votes.a[places], b=votes.b[places], winner=votes.winner[places], weight=weight)


def test_three_to_one_is_ln_3() -> None:
    found = fit(Votes.of(["x"] * 4, ["y"] * 4, ["a", "a", "a", "b"]))
    assert found["x"].rating - found["y"].rating == pytest.approx(SCALE * math.log(3))
    assert found["x"].rating == pytest.approx(1000 + SCALE * math.log(3) / 2)
    assert found.warnings == ()


def test_sandwich_of_three_to_one() -> None:
    # p = 3/4; B = 3 (1/4)² + (3/4)² = 3/4 and H = 4 · 3/16 = 3/4, so var(θx − θy) = 4/3 and each has a quarter of it
    found = fit(Votes.of(["x"] * 4, ["y"] * 4, ["a", "a", "a", "b"]))
    half = 1.959963984540054 * SCALE * math.sqrt(1 / 3)
    assert found["x"].high - found["x"].rating == pytest.approx(half)


def test_a_tie_is_half_a_win_for_each() -> None:
    ties = fit(Votes.of(["x"] * 4, ["y"] * 4, ["a", "a", "tie", "tie"]))
    assert ties["x"].rating - ties["y"].rating == pytest.approx(SCALE * math.log(3))


def test_dropped_ties_count_nowhere() -> None:
    found = fit(Votes.of(["x"] * 5, ["y"] * 5, ["a", "a", "a", "b", "tie"]), ties="drop")
    assert found["x"].rating - found["y"].rating == pytest.approx(SCALE * math.log(3))
    assert found["x"].votes == 4


def test_both_bad_is_counted_apart() -> None:
    found = fit(Votes.of(["x"] * 5, ["y"] * 5, ["a", "a", "a", "b", "both_bad"]))
    assert found["x"].rating - found["y"].rating == pytest.approx(SCALE * math.log(3))
    assert (found["x"].votes, found["x"].both_bad) == (4, 1)


def test_no_votes() -> None:
    found = fit(Votes.of([], [], []))
    assert (found.rows, found.warnings) == ((), ("no votes: nothing can be said",))


def test_one_contestant_without_votes() -> None:
    none = np.array([], dtype=np.int32)
    [row] = fit(Votes(("x",), none, none, none)).rows
    assert (row.rating, row.low, row.high, row.rank_low, row.rank_high) == (1000, 1000, 1000, 1, 1)


def test_only_both_bad() -> None:
    found = fit(Votes.of(["x"], ["y"], ["both_bad"]))
    assert [(row.rating, row.both_bad) for row in found.rows] == [(1000, 1), (1000, 1)]
    assert found.warnings == ("no vote says which side was better: all ratings are 1000",)
    assert found["x"].high == pytest.approx(1000 + 1.959963984540054 * 400 / math.sqrt(2))


def test_separable_votes_are_finite_and_said() -> None:
    found = fit(Votes.of(["x"] * 3, ["y"] * 3, ["a"] * 3))
    # the ridge's estimate: 3 (1 − p) = λ θ, λ = 1 / ln² 10
    theta = (found["x"].rating - 1000) / SCALE
    assert 3 * (1 - 1 / (1 + math.exp(-2 * theta))) == pytest.approx(theta / math.log(10) ** 2, abs=1e-9)
    assert found["x"].low < found["y"].high
    assert found.warnings == (
        "separable: y won, or lost, every vote against the others, so the votes set no limit to the distance",
        "ridge: the votes alone give no finite ratings, so a normal law of 400 points holds them together",
    )


def test_groups_that_never_met() -> None:
    found = fit(Votes.of(["x", "x", "u", "u"], ["y", "y", "v", "v"], ["a", "b", "a", "b"]))
    assert found.warnings[0] == (
        "disconnected: 2 groups never met, and ratings compare within a group only: x, y | u, v"
    )
    assert {row.rank_low for row in found.rows} == {1}


def test_a_beaten_newcomer_moves_nobody_else() -> None:
    old = fit(Votes.of(["x"] * 400, ["y"] * 400, ["a"] * 300 + ["b"] * 100))
    new = fit(Votes.of([*["x"] * 400, "x"], [*["y"] * 400, "new"], [*["a"] * 300, *["b"] * 100, "a"]))
    assert new["x"].rating - new["y"].rating == pytest.approx(old["x"].rating - old["y"].rating, abs=2)
    assert new.rows[-1].contestant == "new"
    assert new["new"].low < new["y"].low


def test_a_newcomer_with_a_win_and_a_loss_moves_nobody_else() -> None:
    sides = [*["x"] * 4, "y", "y"], [*["y"] * 4, "new", "new"]
    new = fit(Votes.of(*sides, ["a", "a", "a", "b", "a", "b"]))
    assert new["x"].rating - new["y"].rating == pytest.approx(SCALE * math.log(3))
    assert new["new"].rating == pytest.approx(new["y"].rating)


@settings(max_examples=50, deadline=None)
@given(any_votes(), some.randoms(use_true_random=False))
def test_the_order_of_votes_changes_nothing(votes: Votes, random: object) -> None:
    places = np.arange(len(votes))
    random.shuffle(places)  # type: ignore[attr-defined]
    same(fit(votes), fit(taken(votes, places)))


@settings(max_examples=50, deadline=None)
@given(any_votes())
def test_renaming_contestants_permutes_ratings(votes: Votes) -> None:
    order = np.array([2, 0, 3, 1])
    renamed = replace(votes, names=tuple(np.array(votes.names)[np.argsort(order)]), a=order[votes.a], b=order[votes.b])
    same(fit(votes), fit(renamed))


@settings(max_examples=50, deadline=None)
@given(any_votes())
def test_swapping_sides_changes_nothing(votes: Votes) -> None:
    swapped = replace(votes, a=votes.b, b=votes.a, winner=np.array([1, 0, 2, 3])[votes.winner])
    same(fit(votes), fit(swapped))


@settings(max_examples=50, deadline=None)
@given(any_votes())
def test_doubling_weights_is_doubling_votes(votes: Votes) -> None:
    assert votes.weight is not None
    twice = taken(votes, np.tile(np.arange(len(votes)), 2))
    same(fit(replace(votes, weight=2 * votes.weight)), fit(twice), intervals=False)


@settings(max_examples=50, deadline=None)
@given(any_votes())
def test_every_rating_is_a_number_in_its_interval(votes: Votes) -> None:
    found = fit(votes)
    for row in found.rows:
        assert math.isfinite(row.low) and row.low <= row.rating <= row.high
        assert 1 <= row.rank_low <= row.rank_high <= 4
    assert sum(row.rating for row in found.rows) == pytest.approx(4000)
