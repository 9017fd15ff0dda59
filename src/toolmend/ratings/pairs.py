"""Votes counted by pair: who beat whom how often. What Bradley–Terry needs, at any number of votes. Fits nothing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from toolmend.ratings.votes import BOTH_BAD, TIE, Floats, Ints, Votes

_PIECE = 1 << 18  # votes counted at a time, so that what is written between fits into the cache
_OUTCOMES = 4


@dataclass(frozen=True, slots=True, eq=False)
class CountedPairs:
    """The pairs that met: contestants `first` < `second`, and the weight of `won` by the first, lost, tied.

    `cells` is of shape pairs × 3, `squares` the same of squared weights. Ties are 0 where they were dropped.
    """

    size: int
    first: Ints
    second: Ints
    cells: Floats
    squares: Floats

    @property
    def total(self) -> Floats:
        """Weight of all votes on each pair."""
        return self.cells[:, 0] + self.cells[:, 1] + self.cells[:, 2]

    @property
    def score(self) -> Floats:
        """What the first got of it, a tie being half."""
        return self.cells[:, 0] + 0.5 * self.cells[:, 2]

    def beaten(self) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
        """A table: has the contestant of the row ever beaten, or tied with, that of the column?"""
        table = np.zeros((self.size, self.size), dtype=np.bool_)
        tied = self.cells[:, 2] > 0
        table[self.first, self.second] = (self.cells[:, 0] > 0) | tied
        table[self.second, self.first] = (self.cells[:, 1] > 0) | tied
        return table


@dataclass(frozen=True, slots=True, eq=False)
class CountedVotes:
    """All votes counted: the pairs, and for each contestant the number of votes its rating rests on, and both bad."""

    pairs: CountedPairs
    votes: Ints
    both_bad: Ints


def count_pairs(votes: Votes, *, drop_ties: bool = False) -> CountedVotes:
    """Count the votes. Both-bad ones are counted apart and rate nobody; with `drop_ties` tied ones neither."""
    size = len(votes.names)
    counts = _table(votes, size, 0)
    weights = counts if votes.weight is None else _table(votes, size, 1)
    squares = counts if votes.weight is None else _table(votes, size, 2)
    rated = counts[:, :, :BOTH_BAD].sum(axis=2) if not drop_ties else counts[:, :, :TIE].sum(axis=2)
    bad = counts[:, :, BOTH_BAD]
    first, second = np.nonzero(np.triu(rated + rated.T))
    made = CountedPairs(
        size,
        first,
        second,
        _folded(weights, first, second, drop_ties=drop_ties),
        _folded(squares, first, second, drop_ties=drop_ties),
    )
    return CountedVotes(made, _each(rated), _each(bad))


def _table(votes: Votes, size: int, power: int) -> Floats:
    """Sums of weight ** power by side a, side b and outcome: size × size × 4."""
    table = np.zeros(size * size * _OUTCOMES)
    for start in range(0, len(votes), _PIECE):
        piece = slice(start, start + _PIECE)
        keys = votes.a[piece].astype(np.intp)
        keys *= size
        keys += votes.b[piece]
        keys *= _OUTCOMES
        keys += votes.winner[piece]
        weight = None if power == 0 or votes.weight is None else votes.weight[piece] ** power
        table += np.bincount(keys, weight, len(table))
    return table.reshape(size, size, _OUTCOMES)


def _folded(table: Floats, first: Ints, second: Ints, *, drop_ties: bool) -> Floats:
    """Won, lost, tied as the first of each pair sees it, whichever side it stood on."""
    here, there = table[first, second], table[second, first]
    tied = np.zeros(len(first)) if drop_ties else here[:, TIE] + there[:, TIE]
    return np.column_stack([here[:, 0] + there[:, 1], here[:, 1] + there[:, 0], tied])


def _each(table: Floats) -> Ints:
    return np.asarray(np.rint(table.sum(axis=0) + table.sum(axis=1)), dtype=np.int64)
