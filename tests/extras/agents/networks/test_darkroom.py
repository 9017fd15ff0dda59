"""The dark room, and what learns in it alone."""

from __future__ import annotations

import numpy as np
from darkroom_study import Histories, learned_alone

from toolmend.extras.agents.networks.darkroom import START, moved_to, tasks


def test_walls_stop_a_step() -> None:
    corner = np.zeros(5, dtype=int)
    assert moved_to(corner, np.arange(5)).tolist() == [0, 0, 7, 0, 1]


def test_no_goal_is_seen_and_unseen() -> None:
    seen, unseen = set(tasks(unseen=False).tolist()), set(tasks(unseen=True).tolist())
    assert (len(seen), len(unseen), seen & unseen, START in seen | unseen) == (36, 12, set(), False)


def test_a_share_is_of_what_the_straight_way_earns() -> None:
    rewards = np.zeros((1, 2, 14))
    rewards[0, 1, 5:] = 1  # the corner is six steps away
    nothing = np.zeros((1, 2, 14), dtype=int)
    assert Histories(np.array([0]), nothing, nothing, rewards).shares().tolist() == [[0.0, 1.0]]


def test_it_learns_from_its_own_rewards() -> None:
    shares = learned_alone(np.tile(tasks(unseen=False), 3), 80, seed=2).shares().mean(axis=0)
    assert shares[:3].mean() < 0.2
    assert shares[-3:].mean() > 0.85
