"""How the net of digits was taught: the squared cost, its gradient by back-propagation, Adam; real and drawn digits.

Cost and gradient as 3Blue1Brown describes them in the two films after the first. The real digits are scikit-learn's
(extra `digits`): 1,797 of 8 × 8 (UCI, Alpaydin and Kaynak 1998), scaled up, a fifth of them held back.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
from digit_net import LAYERS, SIDE, Array, Labels, Net, drawn, scaled

from toolmend.base.errors import MissingExtra


def size(net: Net) -> int:
    """Weights and biases together: 13,002 for the layers of the film."""
    return sum(part.size for part in (*net.weights, *net.biases))


def right(net: Net, pictures: Array, digits: Labels) -> float:
    """The share of pictures read right."""
    return float((net.read(pictures) == digits).mean())


def gradient(net: Net, pictures: Array, digits: Labels) -> tuple[float, Net]:
    """The cost, Σ (activation − wanted)² averaged over pictures, and how it changes with each weight and bias."""
    held = net.activations(pictures)
    off = held[-1] - np.eye(LAYERS[-1], dtype=np.float32)[digits]
    cost = float((off**2).sum(axis=1).mean())
    blame = 2 * off / len(pictures)
    weights: list[Array] = []
    biases: list[Array] = []
    for layer in reversed(range(len(net.weights))):
        blame = blame * held[layer + 1] * (1 - held[layer + 1])
        weights.append(blame.T @ held[layer])
        biases.append(blame.sum(axis=0))
        blame = blame @ net.weights[layer]
    return cost, Net(tuple(reversed(weights)), tuple(reversed(biases)))


def save(net: Net, file: Path) -> None:
    """Write it as safetensors, in half precision."""
    from safetensors.numpy import save_file

    parts = {"weight": net.weights, "bias": net.biases}
    named = {f"{name}.{at}": part.astype(np.float16) for name, row in parts.items() for at, part in enumerate(row)}
    save_file(named, file)


def begun(seed: int = 0) -> Net:
    """A net that knows nothing: weights of chance, as wide as keeps the sums near 0, no bias."""
    random = np.random.default_rng(seed)
    pairs = list(pairwise(LAYERS))
    weights = tuple(random.normal(0, width**-0.5, (after, width)).astype(np.float32) for width, after in pairs)
    return Net(weights, tuple(np.zeros(after, np.float32) for _, after in pairs))


def train(
    pictures: Array, digits: Labels, *, rounds: int = 30, batch: int = 50, rate: float = 0.003, seed: int = 0
) -> Iterator[tuple[float, Net]]:
    """A net that learns, after each round over all pictures, with its mean cost in that round.

    Steps downhill after each small batch, each weight at its own pace (Adam: Kingma and Ba 2015), slower to the end.
    """
    random, net = np.random.default_rng(seed), begun(seed)
    parts = [*net.weights, *net.biases]
    means, squares = [np.zeros_like(part) for part in parts], [np.zeros_like(part) for part in parts]
    steps, whole = 0, rounds * -(-len(pictures) // batch)
    for _ in range(rounds):
        costs = []
        for rows in np.split(random.permutation(len(pictures)), range(batch, len(pictures), batch)):
            cost, slope = gradient(net, pictures[rows], digits[rows])
            costs.append(cost)
            steps += 1
            pace = rate * (1 - steps / (whole + 1)) * (1 - 0.999**steps) ** 0.5 / (1 - 0.9**steps)
            for part, down, mean, square in zip(parts, [*slope.weights, *slope.biases], means, squares, strict=True):
                mean += 0.1 * (down - mean)
                square += 0.001 * (down**2 - square)
                part -= pace * mean / (np.sqrt(square) + 1e-8)
        yield float(np.mean(costs)), net


def scanned(*, unseen: bool, share: float = 0.2, seed: int = 0) -> tuple[Array, Labels]:
    """The real digits scaled up: the fifth held back (`unseen`), or the others. Raises MissingExtra."""
    try:
        from sklearn.datasets import load_digits
    except ImportError as error:
        raise MissingExtra("the digits of scikit-learn", "digits") from error
    small, digits = load_digits(return_X_y=True)
    order = np.random.default_rng(seed).permutation(len(digits))
    cut = round(share * len(digits))
    rows = order[:cut] if unseen else order[cut:]
    return scaled(small[rows].reshape(-1, 8, 8) / 16).reshape(len(rows), -1), digits[rows].astype(np.int64)


def moved(pictures: Array, digits: Labels, times: int, seed: int = 0, most: int = 2) -> tuple[Array, Labels]:
    """Each picture `times` over, moved by up to `most` pixels each way: more to learn from where there are few."""
    random = np.random.default_rng(seed)
    wide = np.pad(pictures.reshape(-1, SIDE, SIDE), ((0, 0), (most, most), (most, most)))
    offsets = random.integers(0, 2 * most + 1, (times, len(pictures), 2))
    copies = [
        picture[down : down + SIDE, right : right + SIDE].ravel()
        for row in offsets
        for picture, (down, right) in zip(wide, row, strict=True)
    ]
    return np.stack(copies), np.tile(digits, times)


def lesson(number: int = 30_000, times: int = 8) -> tuple[Array, Labels]:
    """What the net that ships was taught from: drawn digits, and the real ones moved. Raises MissingExtra."""
    (ours, known), (real, read) = drawn(number, seed=1), moved(*scanned(unseen=False), times=times, most=1)
    return np.concatenate([ours, real]), np.concatenate([known, read])
