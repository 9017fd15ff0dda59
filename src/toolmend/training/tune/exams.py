"""How a model in training is examined: the loss of examples held out.

Lower `worth` is better. Knows the net; nothing of how it is trained.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from toolmend.training.tune.net import Array, Net
from toolmend.training.tune.stream import Batch, Stream


@dataclass(frozen=True)
class Mark:
    """An examination: what is kept low, and the figures by name."""

    worth: float
    figures: Mapping[str, float]


class References:
    """Log probabilities of whole replies by the untouched base, by example: DPO's frozen reference."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[float, float]] = {}

    @classmethod
    def of_base(cls, net: Net, stream: Stream) -> References:
        """Those of a stream's examples by a net that has not learned yet."""
        made = cls()
        for place in range(len(stream.plan(-1))):
            batch = stream.batch(-1, place)
            scores, half = net.scores(batch), len(batch.examples)
            for at, number in enumerate(batch.examples):
                if number >= 0:
                    made._known[number] = float(scores[at]), float(scores[half + at])
        return made

    def of(self, batch: Batch) -> Array:
        """Those of a batch, row by row; 0 for rows of padding, and for methods that need none."""
        pairs = [self._known.get(number, (0.0, 0.0)) for number in batch.examples]
        return np.array([*(pair[0] for pair in pairs), *(pair[1] for pair in pairs)], np.float32)


class HeldOut:
    """The mean loss of held-out examples: nats a token, for preferences nats a pair."""

    def __init__(self, stream: Stream, references: References) -> None:
        self._stream, self._references = stream, references

    def __call__(self, net: Net) -> Mark:
        """The loss of all of them."""
        total = count = 0.0
        for place in range(len(self._stream.plan(-1))):
            batch = self._stream.batch(-1, place)
            lost, of = net.measure(batch, self._references.of(batch))
            total, count = total + lost, count + of
        return Mark(total / count, {"held_out_loss": total / count})
