"""The net of digits: 784 pixels, twice 16 neurons, 10 digits, sigmoids throughout, in numpy. And pictures for it,
28 × 28, light on dark, 0 to 1, drawn by strokes: as many as wanted, each bent, turned, slanted, stretched, moved.

As 3Blue1Brown describes it (*But what is a neural network?*, 2017-10-05). It was taught by digit_study.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolmend.base.errors import BadFile

Array = NDArray[Any]  # of floats
Labels = NDArray[np.int64]

SIDE = 28
LAYERS = (SIDE * SIDE, 16, 16, 10)


@dataclass(frozen=True, slots=True)
class Net:
    """`weights[l]` is (neurons of layer l + 1, neurons of layer l), `biases[l]` (neurons of layer l + 1,)."""

    weights: tuple[Array, ...]
    biases: tuple[Array, ...]

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


def trained(file: Path | None = None) -> Net:
    """The net that ships, or one from a file. Raises BadFile where it is not of this shape."""
    from safetensors.numpy import load

    place = file or Path(__file__).with_name("digits.safetensors")
    try:
        parts = load(place.read_bytes())
        layers = range(len(LAYERS) - 1)
        weights, biases = (
            tuple(parts[f"{name}.{at}"].astype(np.float32) for at in layers) for name in ("weight", "bias")
        )
    except Exception as error:
        raise BadFile(place, f"no net of digits ({error}); digit_study.py makes one") from error
    if [weight.shape for weight in weights] != list(zip(LAYERS[1:], LAYERS[:-1], strict=True)):
        raise BadFile(place, f"a net of other layers than {LAYERS}")
    return Net(weights, biases)


def _squashed(sums: Array) -> Array:
    squashed: Array = 1 / (1 + np.exp(-np.clip(sums, -60, 60)))
    return squashed


Points = NDArray[np.float64]

# Strokes as arcs (x, y, across, down, from, to): centre and radii in a box of 1 × 1, y downwards, angles in turns from
# the right, clockwise; or as lines (x, y, x, y). Several ways of writing a digit are several lists.
_STROKES: dict[int, tuple[tuple[tuple[float, ...], ...], ...]] = {
    0: (((0.5, 0.5, 0.3, 0.45, 0, 1),),),
    1: (((0.5, 0.05, 0.5, 0.95),), ((0.3, 0.25, 0.55, 0.05), (0.55, 0.05, 0.55, 0.95))),
    2: (((0.5, 0.3, 0.28, 0.25, 0.45, 1.1), (0.72, 0.45, 0.2, 0.95), (0.2, 0.95, 0.82, 0.95)),),
    3: (((0.48, 0.28, 0.26, 0.23, 0.55, 1.25), (0.48, 0.73, 0.3, 0.23, 0.75, 1.45)),),
    4: (
        ((0.6, 0.05, 0.15, 0.65), (0.15, 0.65, 0.85, 0.65), (0.65, 0.35, 0.65, 0.95)),
        ((0.25, 0.05, 0.2, 0.55), (0.2, 0.55, 0.8, 0.55), (0.75, 0.05, 0.7, 0.95)),
    ),
    5: (((0.78, 0.05, 0.28, 0.05), (0.28, 0.05, 0.24, 0.45), (0.46, 0.68, 0.3, 0.27, 0.63, 1.42)),),
    6: (((0.47, 0.69, 0.27, 0.25, 0, 1), (0.85, 0.69, 0.65, 0.64, 0.5, 0.69)),),
    7: (((0.18, 0.07, 0.8, 0.07), (0.8, 0.07, 0.4, 0.95)),),
    8: (((0.5, 0.28, 0.23, 0.22, 0, 1), (0.5, 0.73, 0.28, 0.23, 0, 1)),),
    9: (((0.52, 0.3, 0.26, 0.25, 0, 1), (0.78, 0.3, 0.66, 0.95)),),
}


def drawn(number: int, seed: int = 0, *, noise: float = 0.1, shift: float = 2.0) -> tuple[Array, Labels]:
    """Pictures (number, 784) of digits by chance, and which they are; `shift` in pixels, `noise` as a deviation."""
    random = np.random.default_rng(seed)
    digits = random.integers(0, 10, number)
    pictures = np.stack([_draw(int(digit), random, shift) for digit in digits])
    rough = pictures + random.normal(0, noise, pictures.shape)
    return np.clip(rough, 0, 1).reshape(number, -1).astype(np.float32), digits


def scaled(pictures: NDArray[np.float64]) -> Array:
    """Pictures (n, a, a) to (n, 28, 28) between their pixels, in a straight line (bilinear)."""
    side = pictures.shape[-1]
    at = np.clip((np.arange(SIDE) + 0.5) * side / SIDE - 0.5, 0, side - 1)
    spread = np.maximum(0, 1 - np.abs(at[:, None] - np.arange(side)))
    large: Array = np.einsum("ai,nij,bj->nab", spread, pictures, spread).astype(np.float32)
    return large


def _draw(digit: int, random: np.random.Generator, shift: float) -> NDArray[np.float64]:
    ways = _STROKES[digit]
    strokes = [_line(stroke, random) for stroke in ways[random.integers(len(ways))]]
    points = np.concatenate(strokes) - 0.5
    turn, slant = random.normal(0, 0.09), random.normal(0, 0.15)
    wide, tall = random.uniform(12, 20), random.uniform(17, 22)
    skew = np.array([[wide, -slant * wide], [0.0, tall]])
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    placed = points @ (rotation @ skew).T + SIDE / 2 + random.uniform(-shift, shift, 2)
    grid = np.arange(SIDE, dtype=np.float32)[:, None] + 0.5
    across, down = (grid - placed.astype(np.float32)[:, axis] for axis in (0, 1))
    away = np.sqrt(((down**2)[:, None, :] + (across**2)[None, :, :]).min(axis=-1))
    picture: NDArray[np.float64] = np.clip(random.uniform(1.0, 2.0) + 0.5 - away, 0, 1)
    return picture


def _line(stroke: tuple[float, ...], random: np.random.Generator) -> Points:
    """The points of a stroke, its numbers moved a little: (n, 2)."""
    shaken = np.array(stroke) + random.normal(0, 0.025, len(stroke))
    along = np.linspace(0, 1, 20)[:, None]
    if len(stroke) == 4:
        return np.asarray(shaken[:2] + along * (shaken[2:] - shaken[:2]))
    x, y, across, down, since, until = shaken
    angle = 2 * np.pi * (since + along * (until - since))
    return np.concatenate([x + across * np.cos(angle), y + down * np.sin(angle)], axis=1)
