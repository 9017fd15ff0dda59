"""Examples as padded batches of a few fixed lengths, in an order that the seed and the position decide alone.

So a run that is stopped goes on with exactly the batch it would have seen. Knows ids, no text and no model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from toolmend.training.tune.rows import Row

LENGTHS = (64, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192)
FORGOTTEN = 0.05  # of past tokens at most: Liu et al. 2023, Chain of Hindsight, section 3

Example = tuple[Row, ...]
"""Rows that go together: one, or for preferences the chosen and the rejected one."""


@dataclass(frozen=True)
class Batch:
    """ids int32, keep and target float32, all (rows, time); `examples` numbers them (-1: a row of padding).

    Of an example of two rows the second stands half the batch below the first. `keep` is 0 where nothing may look.
    """

    ids: NDArray[np.int32]
    keep: NDArray[np.float32]
    target: NDArray[np.float32]
    examples: tuple[int, ...]


def length_of(example: Example) -> int:
    """The length it is padded to."""
    longest = max(len(row.ids) for row in example)
    return next(length for length in LENGTHS if longest <= length)


class Stream:
    """Batches of about `positions` padded positions each. With `forget` a few past tokens are hidden, others each time.

    `held` streams are not shuffled: for examining.
    """

    def __init__(
        self, examples: Sequence[Example], positions: int, seed: int, pad: int, *, forget: bool = False
    ) -> None:
        self.examples, self._positions, self._seed, self._pad, self._forget = examples, positions, seed, pad, forget
        self.lengths = sorted({length_of(each) for each in examples})
        self._plans: dict[int, list[tuple[int, list[int]]]] = {}

    def plan(self, epoch: int) -> list[tuple[int, list[int]]]:
        """The batches of an epoch as (length, numbers of examples). Epoch -1 is in the order of the examples."""
        if epoch in self._plans:
            return self._plans[epoch]
        order, random = list(range(len(self.examples))), Random(f"{self._seed}/{epoch}")
        if epoch >= 0:
            random.shuffle(order)
        made: list[tuple[int, list[int]]] = []
        for length in self.lengths:
            numbers = [number for number in order if length_of(self.examples[number]) == length]
            rows = self.rows(length)
            made += [(length, numbers[at : at + rows]) for at in range(0, len(numbers), rows)]
        if epoch >= 0:
            random.shuffle(made)
        self._plans = {epoch: made}
        return made

    def rows(self, length: int) -> int:
        """How many examples of a length a batch has: always the same, so that each length is compiled once."""
        return max(1, self._positions // (length * len(self.examples[0])))

    def size(self, length: int) -> int:
        """Padded positions in a batch of that length."""
        return self.rows(length) * length * len(self.examples[0])

    def batch(self, epoch: int, place: int) -> Batch:
        """The batch at a place of an epoch."""
        length, numbers = self.plan(epoch)[place]
        rows, sides = self.rows(length), len(self.examples[0])
        ids = np.full((rows * sides, length), self._pad, np.int32)
        keep, target = np.zeros(ids.shape, np.float32), np.zeros(ids.shape, np.float32)
        for at, number in enumerate(numbers):
            for side, row in enumerate(self.examples[number]):
                line, end = at + side * rows, len(row.ids)
                ids[line, :end], keep[line, :end], target[line, :end] = row.ids, 1, row.learn
        keep[:, 0] = 1  # a row of padding, too, has something to look at
        if self._forget and epoch >= 0:
            keep = forgetful(keep, target, np.random.default_rng([self._seed, epoch, place]))
        return Batch(ids, keep, target, (*numbers, *[-1] * (rows - len(numbers))))

    def places(self, epochs: float, tokens: int | None) -> Iterator[tuple[int, int]]:
        """(epoch, place) of every step, in order: so many epochs or, where given, padded positions."""
        left, epoch, seen = epochs, 0, 0
        while tokens is not None or left > 0:
            plan = self.plan(epoch)
            for place in range(len(plan) if tokens is not None or left >= 1 else max(1, round(left * len(plan)))):
                if tokens is not None and seen >= tokens:
                    return
                seen += self.size(self.plan(epoch)[place][0])
                yield epoch, place
            left, epoch = left - 1, epoch + 1


def forgetful(
    keep: NDArray[np.float32], target: NDArray[np.float32], random: np.random.Generator
) -> NDArray[np.float32]:
    """`keep` with 0-5 % of each row's tokens hidden from later ones; never the first, never one that is learned."""
    share = random.uniform(0, FORGOTTEN, (len(keep), 1))
    hidden = (random.random(keep.shape) < share) & (target == 0)
    hidden[:, 0] = False
    return np.where(hidden, np.float32(0), keep)
