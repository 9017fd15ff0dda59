"""Votes counted by pair: who beat whom how often, at any number of votes; and whether that can tell all apart.

Bradley–Terry has a finite best estimate if and only if the contestants are one strongly connected group of "x beat y"
(Ford 1957): from everybody a chain of wins leads to everybody. Fits nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toolmend.extras.arena.ratings.votes import BOTH_BAD, TIE, Floats, Ints, Votes

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


# what holds them together --------------------------------------------------------------------------------------------


Table = NDArray[np.bool_]

_NAMED = 5  # contestants named in a warning


def strong_groups(beaten: Table) -> list[list[int]]:
    """The strongly connected groups of a table `beaten[x, y]`, the largest first, ties by their first member.

    Forward and backward search from one node at a time (Fleischer, Hendrickson & Pınar 2000).
    """
    groups = []
    rest = [np.arange(len(beaten))]
    while rest:
        nodes = rest.pop()
        if not len(nodes):
            continue
        table = beaten[np.ix_(nodes, nodes)]
        middle = len(nodes) // 2  # in a chain the first would split off one at a time
        ahead, behind = _reached(table, middle), _reached(table.T, middle)
        groups.append(sorted(nodes[ahead & behind].tolist()))
        rest += [nodes[ahead & ~behind], nodes[behind & ~ahead], nodes[~ahead & ~behind]]
    return sorted(groups, key=lambda group: (-len(group), group))


def met_groups(beaten: Table) -> list[list[int]]:
    """The groups that met at all, by whatever chain of votes."""
    return strong_groups(beaten | beaten.T)


def is_strong(beaten: Table) -> bool:
    """Whether there is one group only; also of nobody."""
    return not len(beaten) or bool(_reached(beaten).all() and _reached(beaten.T).all())


def _reached(table: Table, start: int = 0) -> NDArray[np.bool_]:
    """What a chain leads to from the node `start`, itself included."""
    seen = np.zeros(len(table), dtype=np.bool_)
    seen[start] = True
    front = seen
    while front.any():
        front = table[front].any(axis=0) & ~seen
        seen = seen | front
    return seen


def connectivity_warnings(beaten: Table, names: Sequence[str]) -> list[str]:
    """What a reader must know where the votes do not hold all contestants together; nothing if they do."""
    if is_strong(beaten):
        return []
    met = met_groups(beaten)
    warnings = []
    if len(met) > 1:
        listed = " | ".join(_listed(group, names) for group in met[:_NAMED])
        more = f" | and {len(met) - _NAMED} more" if len(met) > _NAMED else ""
        warnings.append(
            f"disconnected: {len(met)} groups never met, and ratings compare within a group only: {listed}{more}"
        )
    for group in met:
        parts = strong_groups(beaten[np.ix_(group, group)])
        if len(parts) > 1:
            outside = [group[place] for part in parts[1:] for place in part]
            warnings.append(
                f"separable: {_listed(outside, names)} won, or lost, every vote against the others, so the votes set "
                "no limit to the distance"
            )
    return warnings


def _listed(group: Sequence[int], names: Sequence[str]) -> str:
    named = ", ".join(names[place] for place in group[:_NAMED])
    return f"{named} and {len(group) - _NAMED} more" if len(group) > _NAMED else named
