"""Algorithm distillation: a net that is taught to go on with histories of learning, and so learns within its own talk.

It reads, over many episodes, where it stood, what it did and what that paid, and says what is done next; its weights
stay as they are (Laskin et al. 2023, arXiv 2210.14215). Where they take a transformer this takes 64 gates (GRU: Cho et
al. 2014), in numpy. It was taught by notebooks/darkroom_study.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolmend.agents.networks.darkroom import ACTIONS, SIDE, Ints
from toolmend.errors import BadFile

Array = NDArray[Any]  # of floats
Parts = dict[str, Array]

WIDTH = 64
INPUTS = 2 * SIDE + ACTIONS + 2  # row, column, the last action, its reward, whether an episode begins
SHAPES = {
    "w": (INPUTS, 3 * WIDTH),
    "u": (WIDTH, 3 * WIDTH),
    "b": (3 * WIDTH,),
    "v": (WIDTH, ACTIONS),
    "c": (ACTIONS,),
}


def inputs(cells: Ints, actions: Ints, rewards: NDArray[np.float64], begins: NDArray[np.bool_]) -> Array:
    """What the net is shown at a step: (…, inputs), from the cell, and the action (-1: none) and reward before it."""
    rows, columns = divmod(cells, SIDE)
    known = np.eye(ACTIONS + 1, dtype=np.float32)[actions][..., :ACTIONS]
    side = np.eye(SIDE, dtype=np.float32)
    last = np.stack([rewards, begins], axis=-1).astype(np.float32)
    return np.concatenate([side[rows], side[columns], known, last], axis=-1)


def step(parts: Mapping[str, Array], state: Array, shown: Array) -> tuple[Array, tuple[Array, ...]]:
    """The state after a step (n, 64), and what its gradient needs."""
    given, kept = shown @ parts["w"] + parts["b"], state @ parts["u"]
    gates = 1 / (1 + np.exp(-(given[:, : 2 * WIDTH] + kept[:, : 2 * WIDTH])))
    keep, reset = gates[:, :WIDTH], gates[:, WIDTH:]
    fresh = np.tanh(given[:, 2 * WIDTH :] + reset * kept[:, 2 * WIDTH :])
    return keep * state + (1 - keep) * fresh, (shown, state, keep, reset, fresh, kept[:, 2 * WIDTH :])


def chances(parts: Mapping[str, Array], state: Array) -> Array:
    """How likely each action is: (n, 5)."""
    sums = state @ parts["v"] + parts["c"]
    grown = np.exp(sums - sums.max(axis=1, keepdims=True))
    shares: Array = grown / grown.sum(axis=1, keepdims=True)
    return shares


def distilled(file: Path | None = None) -> Parts:
    """The net that ships, or one from a file. Raises BadFile where it is not of this shape."""
    from safetensors.numpy import load

    place = file or files("toolmend.agents.networks").joinpath("data", "darkroom.safetensors")
    try:
        parts = {name: part.astype(np.float32) for name, part in load(place.read_bytes()).items()}
    except Exception as error:
        raise BadFile(place, f"no net ({error}); notebooks/darkroom_study.py makes one") from error
    if {name: part.shape for name, part in parts.items()} != SHAPES:
        raise BadFile(place, "a net of other parts than the distilled one's")
    return parts
