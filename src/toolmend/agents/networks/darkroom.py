"""A dark room: a grid of 7 × 7 in which nothing is seen but where one stands, and a goal somewhere, other in each task.

And the policy that learns in it from its own rewards alone, episode after episode: the source of what was distilled
(distilled.py). Many rooms at once, as arrays. After Laskin et al. 2023 (arXiv 2210.14215, section 5).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SIDE, STEPS, ACTIONS = 7, 14, 5
START = SIDE * SIDE // 2
"""The middle, where each episode begins; cells are numbered from the upper left, line by line."""
WORDS = ("stay", "up", "down", "left", "right")
_MOVES = np.array([[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1]])


@dataclass(frozen=True, slots=True)
class Histories:
    """What was seen, done and earned: cells, actions, rewards of (rooms, episodes, steps)."""

    goals: Ints
    cells: Ints
    actions: Ints
    rewards: Floats

    def shares(self) -> Floats:
        """Each episode's reward as a share of the most there is: (rooms, episodes)."""
        far = np.abs(np.stack(divmod(self.goals, SIDE)) - SIDE // 2).sum(axis=0)
        shares: Floats = self.rewards.sum(axis=2) / (STEPS - far + 1)[:, None]
        return shares


def moved_to(cells: Ints, actions: Ints) -> Ints:
    """The cells after a step; a wall stops it."""
    places = np.clip(np.stack(divmod(cells, SIDE), axis=-1) + _MOVES[actions], 0, SIDE - 1)
    reached: Ints = places[..., 0] * SIDE + places[..., 1]
    return reached


def tasks(*, unseen: bool) -> Ints:
    """Goals: the 12 that no history is about, or the other 36."""
    order = np.random.default_rng(7).permutation([cell for cell in range(SIDE * SIDE) if cell != START])
    return np.sort(order[:12] if unseen else order[12:]).astype(np.int64)


class Learner:
    """Q-learning in many rooms, from nothing: it tries what it tried least, until something pays."""

    def __init__(self, rooms: int) -> None:
        self._rooms = np.arange(rooms)
        self._value = np.zeros((rooms, SIDE * SIDE, ACTIONS))
        self._tried = np.zeros((rooms, SIDE * SIDE, ACTIONS))

    def choose(self, at: Ints, random: np.random.Generator) -> Ints:
        """What is done at a cell of each room."""
        shaken = random.normal(0, 0.01, (len(at), ACTIONS))
        liking = self._value[self._rooms, at] + 0.3 / np.sqrt(1 + self._tried[self._rooms, at]) + shaken
        chosen: Ints = liking.argmax(axis=1)
        return chosen

    def learn(self, at: Ints, action: Ints, reward: Floats) -> None:
        """Take in what a step paid."""
        place = self._rooms, at, action
        self._tried[place] += 1
        better = reward + 0.8 * self._value[self._rooms, moved_to(at, action)].max(axis=1)
        self._value[place] += 0.3 * (better - self._value[place])
