"""Elo by hand, averaged, resampled, weighted."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

from toolmend.base.errors import BadOption
from toolmend.extras.arena.ratings import Votes, elo, fit


def test_two_votes_by_hand() -> None:
    votes = Votes.of(["x", "x"], ["y", "y"], ["a", "b"])
    # 1016 : 984 after the first; then the second costs 32 / (1 + 10 ** (-32 / 400))
    after = 1016 - 32 / (1 + 10 ** (-32 / 400))
    assert elo(votes, 32, rounds=0)[0] == pytest.approx([after, 2000 - after])


def test_order_matters_and_is_averaged() -> None:
    votes = Votes.of(["x", "x"], ["y", "y"], ["a", "b"])
    first = elo(votes, 32, rounds=0)[0, 0]
    rounds = elo(votes, 32, rounds=200)
    assert {round(each, 9) for each in rounds[:, 0]} == {round(first, 9), round(2000 - first, 9)}
    assert rounds.mean(axis=0) == pytest.approx([1000, 1000], abs=0.5)


def test_weights_scale_k_and_keep_the_sum() -> None:
    votes = Votes.of(["x", "x"], ["y", "y"], ["a", "b"], weight=[0.1, 0.1])
    assert elo(votes, 32, rounds=0)[0] == pytest.approx(elo(replace(votes, weight=None), 3.2, rounds=0)[0])
    assert elo(votes, 32, rounds=0)[0].sum() == pytest.approx(2000)


def test_both_bad_and_dropped_ties_move_nobody() -> None:
    votes = Votes.of(["x", "x"], ["y", "y"], ["both_bad", "tie"])
    assert elo(votes, 32, rounds=3, drop_ties=True).tolist() == [[1000, 1000]] * 3


def test_rounds_in_pieces_are_the_same_rounds(wood: Votes, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = elo(wood, 16, rounds=5)
    module = sys.modules["toolmend.extras.arena.ratings.elo"]
    monkeypatch.setattr(module, "_ORDERED", 2 * len(wood))
    monkeypatch.setattr(module, "_PIECE", 7)
    assert elo(wood, 16, rounds=5) == pytest.approx(whole)
    monkeypatch.setattr(module, "_FEW", 0)
    assert elo(wood, 16, rounds=5) == pytest.approx(whole)


def test_fit_by_elo_is_wider_than_bradley_terry(wood: Votes) -> None:
    found, strengths = fit(wood, elo=32, rounds=200), fit(wood)
    assert found.rows[0].contestant == strengths.rows[0].contestant == "amber"
    assert found["amber"].high - found["amber"].low > 1.5 * (strengths["amber"].high - strengths["amber"].low)
    assert found.method == "Elo, K = 32, mean of 100 orders, bootstrap of 200"
    assert found.warnings == ("Elo: the intervals hold the noise of the order of votes; Bradley-Terry's do not",)


@pytest.mark.parametrize("options", [{"cluster": "prompt"}])
def test_what_does_not_go_with_elo(wood: Votes, options: dict[str, object]) -> None:
    with pytest.raises(BadOption, match="elo has resampled intervals by vote only"):
        fit(wood, elo=32, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("k", [0.0, -1.0, float("nan"), float("inf")])
def test_a_k_that_is_none(wood: Votes, k: float) -> None:
    with pytest.raises(BadOption, match="elo is a K above 0"):
        fit(wood, elo=k)


def test_noise_is_that_of_the_formula() -> None:
    # two equal contestants, many votes: sd of each about √(173.7 K / 2) / √2, the two being mirrored
    random = np.random.default_rng(0)
    winners = ["ab"[each] for each in random.integers(0, 2, 2000)]
    spread = elo(Votes.of(["x"] * 2000, ["y"] * 2000, winners), 8, rounds=400, resample=True)[:, 0].std()
    assert spread == pytest.approx(np.sqrt(173.7 * 8 / 2) / np.sqrt(2), rel=0.15)


def test_a_huge_weight_is_no_overflow() -> None:
    votes = Votes.of(["x", "y"], ["y", "x"], ["a", "a"], weight=[1e9, 1.0])
    assert np.isfinite(elo(votes, 32, rounds=50)).all() and np.isfinite(elo(votes, 32, rounds=2)).all()
