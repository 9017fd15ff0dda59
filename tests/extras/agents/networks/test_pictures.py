"""Pictures of digits: drawn by seed, scaled up, moved, and held apart."""

from __future__ import annotations

import numpy as np
import pytest
from digit_net import drawn, scaled
from digit_study import moved, scanned


def test_a_seed_draws_the_same_again_and_another_other_pictures() -> None:
    first, digits = drawn(20, seed=4)
    again, same = drawn(20, seed=4)
    assert (first == again).all()
    assert (digits == same).all()
    assert not (first == drawn(20, seed=5)[0]).all()


def test_pictures_are_light_on_dark() -> None:
    pictures, _ = drawn(200, seed=1)
    assert pictures.shape == (200, 784)
    assert 0 == pictures.min() < pictures.mean() < 0.35
    assert pictures.max() == 1


def test_scaling_keeps_what_is_even_and_what_rises() -> None:
    even = scaled(np.full((1, 8, 8), 0.5))
    assert even.shape == (1, 28, 28)
    assert np.allclose(even, 0.5)
    rising = scaled(np.tile(np.arange(8.0), (1, 8, 1)))[0, 0]
    assert (np.diff(rising) >= 0).all()
    assert (rising[0], rising[-1]) == (0, 7)


def test_a_moved_picture_is_the_same_elsewhere() -> None:
    picture = np.zeros((1, 784), np.float32)
    picture[0, 14 * 28 + 14] = 1
    copies, digits = moved(picture, np.array([3]), times=30, most=2)
    assert copies.sum(axis=1).tolist() == [1] * 30
    assert len(set(copies.argmax(axis=1).tolist())) > 10
    assert digits.tolist() == [3] * 30


def test_no_held_back_picture_is_among_the_others() -> None:
    pytest.importorskip("sklearn")
    held, others = ({row.tobytes() for row in scanned(unseen=unseen)[0]} for unseen in (True, False))
    assert len(held) + len(others) == 1797
    assert not held & others
