"""Style control takes the style out, and says when it cannot."""

from __future__ import annotations

import math

import numpy as np
import pytest

from toolmend.errors import BadOption
from toolmend.ratings import Votes, fit

SCALE = 400 / math.log(10)


def wordy(number: int = 4000, seed: int = 0) -> Votes:
    """Three equal contestants, of which x writes long, judged by raters who like length: β = 1 for x = ±1."""
    random = np.random.default_rng(seed)
    a = random.integers(0, 3, number)
    b = (a + random.integers(1, 3, number)) % 3
    length = [
        np.where(side == 0, random.integers(100, 400, number), random.integers(20, 200, number)) for side in (a, b)
    ]
    difference = (length[0] - length[1]) / (length[0] + length[1] + 1)
    won = random.random(number) < 1 / (1 + np.exp(-2 * difference))
    return Votes(
        ("x", "y", "z"),
        a,
        b,
        np.where(won, 0, 1),
        style={
            "length": (length[0].astype(float), length[1].astype(float)),
            "none": (np.zeros(number), np.zeros(number)),
        },
    )


def test_length_is_taken_out() -> None:
    plain, controlled = fit(wordy()), fit(wordy(), style=["length"])
    assert plain["x"].low > 1060
    assert controlled["x"].low < 1000 < controlled["x"].high
    [length] = controlled.style
    sides = wordy().style["length"]
    spread = np.sqrt(np.mean(((sides[0] - sides[1]) / (sides[0] + sides[1] + 1)) ** 2))
    assert length.low < 2 * spread * SCALE < length.high


def test_swapping_sides_changes_nothing() -> None:
    votes = wordy(200)
    swapped = Votes(
        votes.names,
        votes.b,
        votes.a,
        1 - votes.winner,
        style={"length": (votes.style["length"][1], votes.style["length"][0])},
    )
    for row in fit(votes, style=["length"]).rows:
        assert fit(swapped, style=["length"])[row.contestant].rating == pytest.approx(row.rating, abs=1e-6)


def test_what_never_varies_is_said() -> None:
    found = fit(wordy(200), style=["length", "none"])
    assert [each.name for each in found.style] == ["length"]
    assert found.warnings == ("not controlled: both sides are always alike in none",)


def test_style_that_decides_every_vote_gets_a_ridge() -> None:
    sides = ["x", "y", "x", "y"], ["y", "x", "y", "x"]
    found = fit(Votes.of(*sides, ["a", "b", "b", "a"], style={"n": ([9, 1, 1, 9], [1, 9, 9, 1])}), style=["n"])
    assert found.warnings[0].startswith("ridge: the votes give no finite, or no single, best estimate")
    assert all(math.isfinite(row.low) for row in found.rows)


def test_style_in_clusters_is_wider_where_votes_repeat() -> None:
    votes = wordy(300)
    twice = Votes.of(
        *[[votes.names[place] for place in side] * 4 for side in (votes.a, votes.b)],
        ["ab"[each] for each in votes.winner] * 4,
        prompt=list(range(300)) * 4,
        style={"length": tuple(np.tile(side, 4) for side in votes.style["length"])},  # type: ignore[dict-item]
    )
    plain, clustered = fit(twice, style=["length"], cluster="vote"), fit(twice, style=["length"], cluster="prompt")
    widths = [each["x"].high - each["x"].low for each in (plain, clustered)]
    assert widths[1] == pytest.approx(2 * widths[0] * math.sqrt(300 / 299))


def test_what_does_not_go_together() -> None:
    with pytest.raises(BadOption, match="style 'chatter': the votes have no columns chatter_a and chatter_b"):
        fit(wordy(10), style=["chatter"])
    with pytest.raises(BadOption, match="style control has sandwich intervals only"):
        fit(wordy(10), style=["length"], interval="bootstrap")
