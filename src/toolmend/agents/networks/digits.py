"""The net of digits: 784 pixels, twice 16 neurons, 10 digits; sigmoids throughout, the squared cost, back-propagation.

As 3Blue1Brown describes it (*But what is a neural network?*, 2017-10-05; cost and gradient in the two parts after it),
in numpy. Knows nothing of where pictures come from (pictures.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolmend.errors import BadFile

Array = NDArray[Any]  # of floats
Labels = NDArray[np.int64]

SIDE = 28
LAYERS = (SIDE * SIDE, 16, 16, 10)


@dataclass(frozen=True, slots=True)
class Net:
    """`weights[l]` is (neurons of layer l + 1, neurons of layer l), `biases[l]` (neurons of layer l + 1,)."""

    weights: tuple[Array, ...]
    biases: tuple[Array, ...]

    @property
    def size(self) -> int:
        """Weights and biases together: 13,002 for the layers of the film."""
        return sum(part.size for part in (*self.weights, *self.biases))

    def activations(self, pictures: Array) -> list[Array]:
        """What every neuron holds for pictures (n, 784) in 0..1: one array (n, neurons) a layer, the pixels first."""
        held = [pictures]
        for weight, bias in zip(self.weights, self.biases, strict=True):
            held.append(_squashed(held[-1] @ weight.T + bias))
        return held

    def read(self, pictures: Array) -> Labels:
        """The digit whose neuron is brightest, for each picture."""
        digits: Labels = self.activations(pictures)[-1].argmax(axis=1)
        return digits

    def gradient(self, pictures: Array, digits: Labels) -> tuple[float, Net]:
        """The cost, Σ (activation − wanted)² averaged over pictures, and how it changes with each weight and bias."""
        held = self.activations(pictures)
        off = held[-1] - np.eye(LAYERS[-1], dtype=np.float32)[digits]
        cost = float((off**2).sum(axis=1).mean())
        blame = 2 * off / len(pictures)
        weights: list[Array] = []
        biases: list[Array] = []
        for layer in reversed(range(len(self.weights))):
            blame = blame * held[layer + 1] * (1 - held[layer + 1])
            weights.append(blame.T @ held[layer])
            biases.append(blame.sum(axis=0))
            blame = blame @ self.weights[layer]
        return cost, Net(tuple(reversed(weights)), tuple(reversed(biases)))

    def right(self, pictures: Array, digits: Labels) -> float:
        """The share of pictures read right."""
        return float((self.read(pictures) == digits).mean())

    def save(self, file: Path) -> None:
        """Write it as safetensors, in half precision."""
        from safetensors.numpy import save_file

        parts = {"weight": self.weights, "bias": self.biases}
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
            cost, slope = net.gradient(pictures[rows], digits[rows])
            costs.append(cost)
            steps += 1
            pace = rate * (1 - steps / (whole + 1)) * (1 - 0.999**steps) ** 0.5 / (1 - 0.9**steps)
            for part, down, mean, square in zip(parts, [*slope.weights, *slope.biases], means, squares, strict=True):
                mean += 0.1 * (down - mean)
                square += 0.001 * (down**2 - square)
                part -= pace * mean / (np.sqrt(square) + 1e-8)
        yield float(np.mean(costs)), net


def trained(file: Path | None = None) -> Net:
    """The net that ships, or one from a file. Raises BadFile where it is not of this shape."""
    from safetensors.numpy import load

    place = file or files("toolmend.agents.networks").joinpath("data", "digits.safetensors")
    try:
        parts = load(place.read_bytes())
        layers = range(len(LAYERS) - 1)
        weights, biases = (
            tuple(parts[f"{name}.{at}"].astype(np.float32) for at in layers) for name in ("weight", "bias")
        )
    except Exception as error:
        raise BadFile(place, f"no net of digits ({error}); `Net.save` writes one") from error
    if [weight.shape for weight in weights] != list(zip(LAYERS[1:], LAYERS[:-1], strict=True)):
        raise BadFile(place, f"a net of other layers than {LAYERS}")
    return Net(weights, biases)


def _squashed(sums: Array) -> Array:
    squashed: Array = 1 / (1 + np.exp(-np.clip(sums, -60, 60)))
    return squashed
