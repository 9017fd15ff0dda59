"""Odd votes and raters are flagged; an honest crowd is not."""

from __future__ import annotations

import numpy as np

from toolmend.extras.arena.ratings import Votes, check_votes, fit
from toolmend.extras.arena.ratings.votes import Labels

THETA = np.array([1.2, 0.3, -0.3, -1.2])


def crowd(seed: int, raters: int = 20, each: int = 60) -> Votes:
    """Honest raters, a fifth of the votes tied."""
    random = np.random.default_rng(seed)
    number = raters * each
    a = random.integers(0, 4, number)
    b = (a + random.integers(1, 4, number)) % 4
    winner = (random.random(number) > 1 / (1 + np.exp(THETA[b] - THETA[a]))).astype(np.int64)
    winner[random.random(number) < 0.2] = 2
    rater = Labels.of([f"r{place % raters}" for place in range(number)])
    return Votes(tuple("wxyz"), a, b, winner, prompt=Labels.of(range(number)), rater=rater)


def kinds(votes: Votes) -> list[tuple[str, str]]:
    return [(flag.kind, flag.who) for flag in check_votes(votes)]


def test_an_honest_crowd_is_rarely_flagged() -> None:
    assert sum(bool(kinds(crowd(seed))) for seed in range(40)) <= 3


def test_a_rater_who_always_says_left() -> None:
    votes = crowd(3)
    votes.winner[votes.rater.codes == 7] = 0  # type: ignore[union-attr]
    assert ("one_sided", "r7") in kinds(votes)
    [text] = [flag.text for flag in check_votes(votes) if flag.kind == "one_sided"]
    assert text == "r7 chose left 60 times of 60"


def test_a_thousand_votes_for_one_side() -> None:
    random = np.random.default_rng(0)
    sides = random.permutation(["x", "y"] * 600)
    other = ["y" if side == "x" else "x" for side in sides]
    assert kinds(Votes.of(sides.tolist(), other, ["b"] * 1200, rater=["ann"] * 1200)) == [("one_sided", "ann")]


def test_repeated_votes() -> None:
    rows = [
        ("x", "y", "p", "ann", "0"),
        ("y", "x", "p", "ann", "0"),
        ("x", "y", "p", "ann", "1"),
        ("x", "y", "p", "ben", "0"),
    ]
    a, b, prompt, rater, turn = zip(*rows, strict=True)
    votes = Votes.of(a, b, ["a"] * 4, prompt=prompt, rater=rater, turn=turn)
    [flag] = check_votes(votes)
    assert (flag.kind, flag.votes) == ("repeated", 1)
    assert flag.text == "1 vote by 1 rater on a pair, prompt and turn that the same rater voted on before"


def test_the_share_of_one_rater() -> None:
    votes = Votes.of(["x", "y"] * 20, ["y", "x"] * 20, ["a", "a"] * 20, rater=["ann"] * 30 + list("bcdefghijk"))
    assert [flag.text for flag in check_votes(votes) if flag.kind == "share"] == ["ann gave 75% of all votes"]


def test_without_raters_nothing_is_flagged() -> None:
    assert check_votes(Votes.of(["x"], ["y"], ["a"])) == []
    assert check_votes(Votes.of(["x"], ["y"], ["a"], rater=[None])) == []


def test_flags_stand_in_the_warnings_and_nothing_is_removed() -> None:
    votes = crowd(3)
    votes.winner[votes.rater.codes == 7] = 0  # type: ignore[union-attr]
    found = fit(votes)
    assert "one-sided: r7 chose left 60 times of 60" in found.warnings
    assert sum(row.votes for row in found.rows) == 2 * len(votes)
