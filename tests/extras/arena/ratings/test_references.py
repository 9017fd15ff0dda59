"""The same figures as others': evalica 0.4.2 and statsmodels 0.15.0, computed once and written down."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from toolmend.extras.arena.ratings import Ratings, Votes, elo, fit

SCALE = 173.71779276130073  # 400 / ln 10
Z = 1.959963984540054

BRADLEY_TERRY = [1157.602852, 1028.858418, 994.838972, 1084.773312, 871.706876, 862.21957]


def ratings(found: Ratings) -> list[float]:
    return [found[name].rating for name in ("amber", "birch", "cedar", "delta", "ember", "fir")]


def errors(found: Ratings) -> list[float]:
    rows = [found[name] for name in ("amber", "birch", "cedar", "delta", "ember", "fir")]
    return [(row.high - row.low) / 2 / Z for row in rows]


@pytest.fixture
def equal(wood: Votes) -> Votes:
    return replace(wood, weight=None)


def test_estimates_are_those_of_evalica_and_statsmodels(equal: Votes) -> None:
    assert ratings(fit(equal)) == pytest.approx(BRADLEY_TERRY, abs=1e-5)


def test_sandwich_is_that_of_statsmodels(equal: Votes) -> None:
    expected = [22.346509, 23.823989, 23.952573, 23.062807, 25.818733, 29.587181]  # GLM, cov_type="HC0"
    assert errors(fit(equal, cluster="vote")) == pytest.approx(expected, abs=1e-5)


def test_clustered_sandwich_is_that_of_statsmodels(equal: Votes) -> None:
    # cov_type="cluster" without correction, times √(17 / 16)
    expected = [15.736661, 10.632095, 22.188876, 16.143913, 20.659253, 27.465634]
    assert errors(fit(equal, cluster="prompt")) == pytest.approx(expected, abs=1e-5)


def test_ties_dropped_is_that_of_statsmodels(equal: Votes) -> None:
    found = fit(equal, ties="drop", cluster="vote")
    expected = [1185.861693, 1039.16765, 995.952964, 1096.853308, 858.327144, 823.83724]
    assert ratings(found) == pytest.approx(expected, abs=1e-5)
    expected = [27.759078, 29.846048, 29.959286, 28.883874, 32.269922, 40.662189]
    assert errors(found) == pytest.approx(expected, abs=1e-5)


def test_weighted_estimates_are_those_of_statsmodels(wood: Votes) -> None:
    expected = [1151.369527, 1033.038687, 993.567098, 1086.626776, 873.620814, 861.777098]
    assert ratings(fit(wood)) == pytest.approx(expected, abs=1e-5)


def test_elo_in_order_is_that_of_evalica(equal: Votes) -> None:
    expected = [1095.995347, 925.118995, 990.841065, 1030.252553, 955.611943, 1002.180096]
    assert elo(equal, 32.0, rounds=0)[0] == pytest.approx(expected, abs=1e-5)


def test_evalica_itself_agrees(equal: Votes) -> None:
    evalica = pytest.importorskip("evalica")
    winners = [(evalica.Winner.X, evalica.Winner.Y, evalica.Winner.Draw)[each] for each in equal.winner]
    sides = [[equal.names[place] for place in side] for side in (equal.a, equal.b)]
    scores = evalica.bradley_terry(*sides, winners, tolerance=1e-14, limit=100_000).scores
    theta = np.log(scores) - np.log(scores).mean()
    assert ratings(fit(equal)) == pytest.approx([1000 + SCALE * theta[name] for name in equal.names], abs=1e-3)


def test_statsmodels_itself_agrees(equal: Votes) -> None:
    api = pytest.importorskip("statsmodels.api")
    sides = np.zeros((len(equal), 6))
    sides[np.arange(len(equal)), equal.a] = 1
    sides[np.arange(len(equal)), equal.b] = -1
    basis = np.vstack([np.eye(5), -np.ones(5)])
    score = np.array([1.0, 0.0, 0.5])[equal.winner]
    model = api.GLM(score, sides @ basis, family=api.families.Binomial())
    theta = basis @ model.fit(tol=1e-14).params
    assert ratings(fit(equal)) == pytest.approx(list(1000 + SCALE * theta), abs=1e-3)
