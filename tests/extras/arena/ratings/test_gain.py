"""Where one more vote tells most."""

from __future__ import annotations

import pytest

from toolmend.extras.arena.ratings import Votes, gains


def table(*votes: tuple[str, str, str, int]) -> Votes:
    """Votes by pair, winner and number."""
    first, second, winner, count = zip(*votes, strict=True)
    return Votes.of(first, second, winner, weight=count)


def test_without_votes_all_pairs_are_alike() -> None:
    gain = gains(Votes.of([], [], []), ["x", "y", "z"])
    assert gain[0, 1] == pytest.approx(gain[1, 2]) and gain[0, 1] > 0.1
    assert [gain[place, place] for place in range(3)] == [0, 0, 0]


def test_a_pair_with_few_votes_tells_more_than_one_with_many() -> None:
    votes = table(("x", "y", "a", 100), ("x", "y", "b", 100), ("y", "z", "a", 2), ("y", "z", "b", 2))
    gain = gains(votes, ["x", "y", "z"])
    assert gain[1, 2] > 10 * gain[0, 1]


def test_who_is_new_is_drawn_first() -> None:
    gain = gains(table(("x", "y", "a", 30), ("x", "y", "b", 30)), ["new", "x", "y"])
    assert min(gain[0, 1], gain[0, 2]) > 5 * gain[1, 2] > 0


def test_of_two_pairs_nobody_voted_on_the_even_one_tells_more() -> None:
    votes = table(("x", "y", "a", 50), ("x", "y", "b", 50), ("x", "z", "a", 95), ("x", "z", "b", 5))
    gain = gains(votes, ["x", "y", "z", "new"])
    assert gain[0, 3] == pytest.approx(gain[1, 3], rel=0.1) and gain[0, 3] > gain[2, 3]
