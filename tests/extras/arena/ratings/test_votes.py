"""Votes as values: what does not fit together is refused."""

from __future__ import annotations

import numpy as np
import pytest

from toolmend.base.errors import BadOption
from toolmend.extras.arena.ratings import Votes


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Votes.of(["x"], ["x"], ["a"]), "votes: vote 0 has 'x' on both sides"),
        (lambda: Votes.of(["x"], ["y"], ["left"]), "votes: winner is one of a, b, tie, both_bad, not 'left'"),
        (
            lambda: Votes.of(["x"], ["y"], ["a"], weight=[-1]),
            "votes: every weight must be a number from 0 to 1,000,000,000",
        ),
        (
            lambda: Votes.of(["x"], ["y"], ["a"], weight=[np.nan]),
            "votes: every weight must be a number from 0 to 1,000,000,000",
        ),
        (lambda: Votes.of(["x"], ["y"], ["a"], prompt=[1, 2]), "votes: 1 votes, but 2 values of prompt"),
        (lambda: Votes(("x", "x"), *[np.zeros(0, int)] * 3), "votes: two contestants have the same name"),
        (
            lambda: Votes(("x", "y"), np.array([0]), np.array([2]), np.array([0])),
            "votes: contestants are numbered 0 to 1, not 0 to 2",
        ),
        (
            lambda: Votes(("x", "y"), np.array([0]), np.array([1]), np.array([4])),
            "votes: winner is 0 to 3 for a, b, tie, both_bad",
        ),
    ],
)
def test_what_is_refused(make: object, said: str) -> None:
    with pytest.raises(BadOption) as caught:
        make()  # type: ignore[operator]
    assert str(caught.value) == said


def test_too_many_contestants() -> None:
    none = np.zeros(0, dtype=int)
    with pytest.raises(BadOption, match="2,001 contestants; at most 2,000"):
        Votes(tuple(map(str, range(2001))), none, none, none)
