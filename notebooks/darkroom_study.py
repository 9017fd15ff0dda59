"""How the net of the dark room was taught: histories of a learner, thinned, and what it does with them afterwards.

What is thinned out of the histories is what the net skips when it learns itself (Laskin et al. 2023, arXiv 2210.14215).
`python notebooks/darkroom_study.py FILE` teaches one as the one that ships was: six minutes on one core.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from toolmend.extras.agents.networks.darkroom import (
    ACTIONS,
    INPUTS,
    SHAPES,
    START,
    STEPS,
    WIDTH,
    Array,
    Floats,
    Ints,
    Learner,
    Parts,
    chances,
    inputs,
    most_steps,
    moved_to,
    step,
    tasks,
)


@dataclass(frozen=True, slots=True)
class Histories:
    """What was seen, done and earned: cells, actions, rewards of (rooms, episodes, steps)."""

    goals: Ints
    cells: Ints
    actions: Ints
    rewards: Floats

    def shares(self) -> Floats:
        """Each episode's reward as a share of the most there is: (rooms, episodes)."""
        shares: Floats = self.rewards.sum(axis=2) / most_steps(self.goals)[:, None]
        return shares


def learned_alone(goals: Ints, episodes: int, seed: int = 0) -> Histories:
    """How a learner fares in a room for each goal."""
    random, learner = np.random.default_rng(seed), Learner(len(goals))
    seen, done, earned = [], [], []
    for _ in range(episodes):
        at = np.full(len(goals), START)
        for _ in range(STEPS):
            action = learner.choose(at, random)
            reached = moved_to(at, action)
            reward = (reached == goals).astype(float)
            learner.learn(at, action, reward)
            seen.append(at)
            done.append(action)
            earned.append(reward)
            at = reached
    shape = (len(goals), episodes, STEPS)
    return Histories(goals, *(np.stack(rows, axis=1).reshape(shape) for rows in (seen, done, earned)))


def thinned(histories: Histories, every: int, last: int | None = None) -> tuple[Array, Ints]:
    """Every so many episodes of histories as one sequence: inputs (steps, rooms, …) and actions (steps, rooms).

    With `last` only so many of the last ones: what an expert does, and not how it became one.
    """
    kept = slice(-last if last else None, None, None if last else every)
    parts: tuple[Any, ...] = (histories.cells, histories.actions, histories.rewards)
    cells, actions, rewards = (part[:, kept].reshape(len(part), -1).T for part in parts)
    done, paid = np.roll(actions, 1, axis=0), np.roll(rewards, 1, axis=0)
    done[0], paid[0] = -1, 0
    begins = np.tile(np.arange(len(cells)) % STEPS == 0, (cells.shape[1], 1)).T
    return inputs(cells, done, paid, begins), actions


def distil(
    shown: Array, wanted: Ints, *, batches: int = 2000, batch: int = 48, rate: float = 0.003, seed: int = 0
) -> Iterator[tuple[float, Parts]]:
    """A net that learns what was done next, after each batch of histories, with the loss (nats a step) on it."""
    random = np.random.default_rng(seed)
    parts = {name: random.normal(0, WIDTH**-0.5, shape).astype(np.float32) for name, shape in SHAPES.items()}
    parts |= {name: np.zeros(SHAPES[name], np.float32) for name in "bc"}
    parts["b"][:WIDTH] = 2.0  # to begin with, what is known is kept
    means, squares = ({name: np.zeros_like(part) for name, part in parts.items()} for _ in range(2))
    for number in range(1, batches + 1):
        rows = random.choice(shown.shape[1], batch, replace=False)
        loss, slope = gradient(parts, shown[:, rows], wanted[:, rows])
        norm = float(np.sqrt(sum((part**2).sum() for part in slope.values())))
        pace = rate * min(1, number / 50, 1.1 - number / batches) * (1 - 0.999**number) ** 0.5 / (1 - 0.9**number)
        for name, part in parts.items():
            down = slope[name] / max(1.0, norm)
            means[name] += 0.1 * (down - means[name])
            squares[name] += 0.001 * (down**2 - squares[name])
            part -= (pace * means[name] / (np.sqrt(squares[name]) + 1e-8)).astype(np.float32)
        yield loss, parts


def gradient(parts: Parts, shown: Array, wanted: Ints) -> tuple[float, Parts]:
    """The loss over sequences, and how it changes with each number: back-propagation through all their steps."""
    state, tape, states = np.zeros((shown.shape[1], WIDTH), np.float32), [], []
    for row in shown:
        state, kept = step(parts, state, row)
        tape.append(kept)
        states.append(state)
    every = np.stack(states)
    likely = chances(parts, every.reshape(-1, WIDTH))
    flat = wanted.ravel()
    loss = float(-np.log(likely[np.arange(len(flat)), flat] + 1e-9).mean())
    off = (likely - np.eye(ACTIONS, dtype=np.float32)[flat]) / len(flat)
    slope = {"v": every.reshape(-1, WIDTH).T @ off, "c": off.sum(axis=0)}
    outer = (off @ parts["v"].T).reshape(every.shape)
    back, given, kept_back = np.zeros_like(state), [], []
    for blame, (_, before, keep, reset, fresh, inner) in zip(outer[::-1], reversed(tape), strict=True):
        back = back + blame
        candidate = back * (1 - keep) * (1 - fresh**2)
        gate = back * (before - fresh) * keep * (1 - keep)
        opening = candidate * inner * reset * (1 - reset)
        given.append(np.concatenate([gate, opening, candidate], axis=1))
        kept_back.append(np.concatenate([gate, opening, candidate * reset], axis=1))
        back = back * keep + kept_back[-1] @ parts["u"].T
    above, beside = np.concatenate(given[::-1]), np.concatenate(kept_back[::-1])
    olds = np.concatenate([kept[1] for kept in tape])
    slope |= {"w": shown.reshape(-1, INPUTS).T @ above, "u": olds.T @ beside, "b": above.sum(axis=0)}
    return loss, slope


def learned_within(parts: Mapping[str, Array], goals: Ints, episodes: int, seed: int = 0) -> Histories:
    """What the net does in a room for each goal, its state kept over all episodes, its weights as they are."""
    random, rooms = np.random.default_rng(seed), len(goals)
    state, action, reward = np.zeros((rooms, WIDTH), np.float32), np.full(rooms, -1), np.zeros(rooms)
    seen: list[Any] = []
    acted: list[Any] = []
    earned: list[Any] = []
    for _ in range(episodes):
        at = np.full(rooms, START)
        for number in range(STEPS):
            state, _ = step(parts, state, inputs(at, action, reward, np.full(rooms, number == 0)))
            sure = chances(parts, state).cumsum(axis=1)
            action = np.minimum((sure < random.random((rooms, 1))).sum(axis=1), ACTIONS - 1)
            seen.append(at)
            at = moved_to(at, action)
            reward = (at == goals).astype(float)
            acted.append(action)
            earned.append(reward)
    shape = (rooms, episodes, STEPS)
    cells, actions, rewards = (np.stack(part, axis=1).reshape(shape) for part in (seen, acted, earned))
    return Histories(goals, cells, actions, rewards)


def save(parts: Parts, file: Path) -> None:
    """Write a net as safetensors, in half precision."""
    from safetensors.numpy import save_file

    save_file({name: part.astype(np.float16) for name, part in parts.items()}, file)


if __name__ == "__main__":
    taught = thinned(learned_alone(np.tile(tasks(unseen=False), 40), 80), every=4)
    *_, (_, parts) = distil(*taught, batches=3000)
    save(parts, Path(sys.argv[1]))
