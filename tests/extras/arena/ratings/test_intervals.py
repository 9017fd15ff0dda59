"""Intervals hold what they promise, by vote and by cluster."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from toolmend.base.errors import BadOption
from toolmend.extras.arena.ratings import Ratings, Votes, fit
from toolmend.extras.arena.ratings.votes import Labels

THETA = np.array([0.9, 0.4, 0.0, -0.3, -1.0])
TRUTH = 1000 + 400 / np.log(10) * THETA


def played(seed: int, number: int = 300, prompts: int | None = None) -> Votes:
    """Votes as the strengths say; with prompts every prompt favours some contestants."""
    random = np.random.default_rng(seed)
    a = random.integers(0, 5, number)
    b = (a + random.integers(1, 5, number)) % 5
    prompt = np.arange(number) % (prompts or number)
    taste = random.normal(0, 0.8 if prompts else 0.0, (number, 5))
    strength = THETA + taste[prompt]
    vote = np.arange(number)
    won = random.random(number) < 1 / (1 + np.exp(strength[vote, b] - strength[vote, a]))
    return Votes(tuple(f"m{i}" for i in range(5)), a, b, np.where(won, 0, 1), prompt=Labels.of(prompt.tolist()))


def covered(times: int, fitted: Callable[[int], Ratings]) -> float:
    """Share of intervals that hold the truth."""
    held = 0
    for seed in range(times):
        found = fitted(seed)
        held += sum(found[f"m{i}"].low <= TRUTH[i] <= found[f"m{i}"].high for i in range(5))
    return held / times / 5


def test_sandwich_covers() -> None:
    assert 0.93 < covered(300, lambda seed: fit(played(seed))) < 0.97


def test_votes_on_one_prompt_are_alike_unless_somebody_says_otherwise() -> None:
    votes = played(1, 300, prompts=60)
    assert fit(votes).rows == fit(votes, cluster="prompt").rows
    assert fit(votes).method.endswith(", by prompt")
    assert not fit(votes, cluster="vote").method.endswith(", by prompt")
    assert fit(votes, elo=32, rounds=5).method == fit(votes, elo=32, cluster="vote", rounds=5).method


def test_a_prompt_for_each_vote_groups_nothing() -> None:
    votes = Votes.of(["x", "y", "x"], ["y", "x", "y"], ["a", "a", "b"], prompt=["1", "2", "3"])
    assert fit(votes).rows == fit(votes, cluster="vote").rows


def test_clusters_of_alike_votes_need_clustered_intervals() -> None:
    plain = fit(played(1, 3000, prompts=60), cluster="vote")
    by_prompt = fit(played(1, 3000, prompts=60), cluster="prompt")
    wider = [by_prompt[row.contestant].high - by_prompt[row.contestant].low for row in plain.rows]
    assert np.mean(wider) > 1.5 * np.mean([row.high - row.low for row in plain.rows])


def test_a_cluster_for_each_vote_is_no_cluster() -> None:
    votes = played(2)
    plain, alone = fit(votes), fit(votes, cluster="prompt")
    # but for the factor G / (G − 1)
    assert alone["m0"].high - alone["m0"].rating == pytest.approx(
        (plain["m0"].high - plain["m0"].rating) * np.sqrt(300 / 299)
    )


def test_a_higher_level_is_wider(wood: Votes) -> None:
    widths = [fit(wood, level=level)["fir"] for level in (0.5, 0.9, 0.99)]
    assert widths[0].high < widths[1].high < widths[2].high


def test_few_clusters_are_said(wood: Votes) -> None:
    assert fit(wood, cluster="prompt").warnings == ("few clusters: with 17 prompts the intervals are too narrow",)


def test_clusters_must_be_there(wood: Votes) -> None:
    with pytest.raises(BadOption, match="cluster rater: the votes have no column 'rater'"):
        fit(wood, cluster="rater")
    with pytest.raises(BadOption, match="cluster prompt: all votes are of one prompt"):
        fit(Votes.of(["x", "y"], ["y", "x"], ["a", "a"], prompt=["p", "p"]), cluster="prompt")


def voted(*outcomes: int) -> Votes:
    """Votes on one pair: 0 for the first, 1 for the second, 2 for a tie."""
    count = len(outcomes)
    return Votes(("a", "b"), np.zeros(count, int), np.ones(count, int), np.array(outcomes))


# Width in points. A difference of so much would have the better one win 99 of 100: nothing is known below it.
@pytest.mark.parametrize("elo", [None, 32.0])
@pytest.mark.parametrize(
    ("outcomes", "least", "most"),
    [((2,), 600, 1600), ((0,), 600, 1600), ((2, 2), 300, 1600), ((2,) * 10, 60, 600), ((0,) * 3, 600, 1600)],
)
def test_votes_that_are_all_alike_are_no_certainty(
    outcomes: tuple[int, ...], least: float, most: float, elo: float | None
) -> None:
    for row in fit(voted(*outcomes), elo=elo).rows:
        assert least < row.high - row.low < most


def test_a_contestant_that_only_tied_is_no_better_known_than_one_that_won_and_lost() -> None:
    names = ("a", "b", "c")
    pairs = [(0, 1, 0), (0, 1, 1)] * 20 + [(0, 2, 2)]
    a, b, outcome = (np.array(column) for column in zip(*pairs, strict=True))
    widths = {row.contestant: row.high - row.low for row in fit(Votes(names, a, b, outcome)).rows}
    assert widths["c"] > 1.5 * widths["b"]
