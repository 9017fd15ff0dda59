"""The net of digits: 784 pixels, twice 16 neurons, 10 digits, sigmoids throughout, in numpy.

As 3Blue1Brown describes it (*But what is a neural network?*, 2017-10-05). It was taught by notebooks/digit_study.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
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

    place = file or files("toolmend.agents.networks").joinpath("data", "digits.safetensors")
    try:
        parts = load(place.read_bytes())
        layers = range(len(LAYERS) - 1)
        weights, biases = (
            tuple(parts[f"{name}.{at}"].astype(np.float32) for at in layers) for name in ("weight", "bias")
        )
    except Exception as error:
        raise BadFile(place, f"no net of digits ({error}); notebooks/digit_study.py makes one") from error
    if [weight.shape for weight in weights] != list(zip(LAYERS[1:], LAYERS[:-1], strict=True)):
        raise BadFile(place, f"a net of other layers than {LAYERS}")
    return Net(weights, biases)


def _squashed(sums: Array) -> Array:
    squashed: Array = 1 / (1 + np.exp(-np.clip(sums, -60, 60)))
    return squashed
