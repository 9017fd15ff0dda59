"""How far the strengths may be off: a sandwich covariance, or resampled votes; by vote, or by cluster of votes.

The plain inverse information is no choice: with ties as half wins it is about a fifth too wide, and votes on one prompt
are alike. Knows pairs, clusters and strengths; no name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from toolmend.ratings.bradley_terry import Strengths, chances, fit_pairs, information, inverse
from toolmend.ratings.connectivity import is_strong
from toolmend.ratings.pairs import Pairs
from toolmend.ratings.votes import BOTH_BAD, TIE, Floats, Ints, Votes

SCORES = np.array([1.0, 0.0, 0.5])  # what side a gets for each outcome
_CELLS = 4_000_000  # numbers held at a time
_CHORDS = 40


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """The cluster of each vote, numbered from 0, and how many there are."""

    codes: NDArray[np.int64]
    count: int


def rated_votes(votes: Votes, *, drop_ties: bool) -> NDArray[np.bool_]:
    """Which votes rate anybody."""
    return np.asarray(votes.winner < (TIE if drop_ties else BOTH_BAD))


def sandwich(pairs: Pairs, found: Strengths) -> Floats:
    """Covariance of the strengths, votes being independent: H⁻¹ B H⁻¹ (Huber 1967), B the sum of squared scores.

    A ridge λ counts as one more vote of its own, with variance λ in B; the inverse information where it is wider.
    """
    p = chances(found.theta, pairs)
    spread = ((SCORES - p[:, None]) ** 2 * pairs.squares).sum(axis=1)
    meat = np.zeros((pairs.size, pairs.size))
    meat[pairs.first, pairs.second] = meat[pairs.second, pairs.first] = -spread
    meat[np.diag_indices(pairs.size)] = found.ridge - meat.sum(axis=1)
    return _between(pairs, found, meat)


def clustered_sandwich(votes: Votes, clusters: Clusters, pairs: Pairs, found: Strengths, *, drop_ties: bool) -> Floats:
    """The same where votes of a cluster are not independent: B sums the squares of whole clusters' scores.

    Times G / (G − 1) for G clusters (Cameron & Miller 2015, section 2).
    """
    rated = np.flatnonzero(rated_votes(votes, drop_ties=drop_ties))
    a, b = votes.a[rated], votes.b[rated]
    z = found.theta[a] - found.theta[b]
    away = SCORES[votes.winner[rated]] - (0.5 + 0.5 * np.tanh(0.5 * z))
    if votes.weight is not None:
        away *= votes.weight[rated]
    meat = clustered_meat(clusters.codes[rated], [(a, away), (b, -away)], pairs.size)
    return _between(pairs, found, meat + found.ridge * np.eye(pairs.size))


def clustered_meat(codes: Ints, parts: list[tuple[Ints, Floats]], size: int) -> Floats:
    """Σ over clusters of s sᵀ, times G / (G − 1), s being the sum of each (place, value) over the cluster's votes."""
    order = np.argsort(codes, kind="stable")
    _, starts = np.unique(codes[order], return_index=True)
    ends = np.append(starts[1:], len(order))
    numbers = np.repeat(np.arange(len(starts)), ends - starts)
    meat = np.zeros((size, size))
    step = max(1, _CELLS // max(1, size))
    for head in range(0, len(starts), step):
        tail = min(head + step, len(starts))
        piece = order[starts[head] : ends[tail - 1]]
        rows = (numbers[starts[head] : ends[tail - 1]] - head) * size
        scores = np.zeros((tail - head) * size)
        for places, values in parts:
            scores += np.bincount(rows + places[piece], values[piece], len(scores))
        table = scores.reshape(-1, size)
        meat += table.T @ table
    return meat * (len(starts) / max(1, len(starts) - 1))


def _between(pairs: Pairs, found: Strengths, meat: Floats) -> Floats:
    bread = inverse(information(found.theta, pairs, found.ridge))
    covariance = np.asarray(bread @ meat @ bread)
    return wider(covariance, bread) if found.ridge else covariance


def wider(one: Floats, other: Floats) -> Floats:
    """Of two covariances the larger variance of each strength and of each difference.

    Needed with a ridge: three wins of three leave no residual, and a sandwich that takes that for certainty.
    """
    own, differences = (np.maximum(each, rest) for each, rest in zip(_variances(one), _variances(other), strict=True))
    return np.asarray((own[:, None] + own[None, :] - differences) / 2)


def _variances(covariance: Floats) -> tuple[Floats, Floats]:
    own = np.diag(covariance)
    return own, own[:, None] + own[None, :] - covariance - covariance.T


def z_of(level: float) -> float:
    """How many standard deviations a two-sided interval of that level reaches: 1.96 for 0.95."""
    return NormalDist().inv_cdf(0.5 + level / 2)


@dataclass(frozen=True, slots=True, eq=False)
class Resamples:
    """Strengths of each resample (rounds × contestants), and how many of them needed a ridge."""

    theta: Floats
    ridged: int


def bootstrap(
    votes: Votes, clusters: Clusters | None, pairs: Pairs, found: Strengths, *, drop_ties: bool, rounds: int, seed: int
) -> Resamples:
    """Strengths of resampled votes, or of resampled clusters of votes (Davison & Hinkley 1997, sections 2.2 and 3.8).

    Equal votes are drawn together: a multinomial over the distinct ones is the same law. A resample in which somebody
    won, or lost, everything gets the ridge, as votes would that were so from the start.
    """
    random = np.random.default_rng(seed)
    if clusters is None:
        draw = _by_vote(votes, pairs, random, drop_ties=drop_ties)
    else:
        draw = _by_cluster(votes, clusters, pairs, random, drop_ties=drop_ties)
    parts, ridged = [], 0
    step = max(1, min(rounds, _CELLS // max(1, 3 * len(pairs.first))))
    for start in range(0, rounds, step):
        cells = draw(min(step, rounds - start))
        theta, poor = _refit(pairs, cells, found)
        parts.append(theta)
        ridged += poor
    return Resamples(np.concatenate(parts), ridged)


Draw = Callable[[int], Floats]


def _by_vote(votes: Votes, pairs: Pairs, random: np.random.Generator, *, drop_ties: bool) -> Draw:
    """Draws of shape rounds × pairs × 3: votes one by one."""
    if votes.weight is None:
        counts, place, weight = pairs.cells.ravel(), np.arange(pairs.cells.size), None
    else:
        kept = rated_votes(votes, drop_ties=drop_ties)
        values, codes = np.unique(votes.weight[kept], return_inverse=True)
        both, number = np.unique(_cell_of(votes, pairs, kept) * len(values) + codes, return_counts=True)
        place, weight = both // len(values), values[both % len(values)]
        counts = number.astype(np.float64)
    seen = np.flatnonzero(counts)  # every cell of a weighted draw is
    total = round(float(counts.sum()))

    def draw(rounds: int) -> Floats:
        drawn = random.multinomial(total, counts[seen] / total, rounds)
        cells = np.zeros((rounds, pairs.cells.size))
        if weight is None:
            cells[:, place[seen]] = drawn
        else:
            for row, numbers in zip(cells, drawn, strict=True):
                row += np.bincount(place, numbers * weight, pairs.cells.size)
        return cells.reshape(rounds, *pairs.cells.shape)

    return draw


def _by_cluster(
    votes: Votes, clusters: Clusters, pairs: Pairs, random: np.random.Generator, *, drop_ties: bool
) -> Draw:
    """Draws of shape rounds × pairs × 3: whole clusters, each with the cells that its votes fall into."""
    kept = rated_votes(votes, drop_ties=drop_ties)
    _, codes = np.unique(clusters.codes[kept], return_inverse=True)
    number = int(codes.max()) + 1
    entries, inverse_ = np.unique(codes * pairs.cells.size + _cell_of(votes, pairs, kept), return_inverse=True)
    weight = np.bincount(inverse_, None if votes.weight is None else votes.weight[kept]).astype(np.float64)
    owner, place = np.divmod(entries, pairs.cells.size)

    def draw(rounds: int) -> Floats:
        cells = np.empty((rounds, pairs.cells.size))
        for row in cells:
            times = np.bincount(random.integers(0, number, number), minlength=number)
            row[:] = np.bincount(place, weight * times[owner], pairs.cells.size)
        return cells.reshape(rounds, *pairs.cells.shape)

    return draw


def _cell_of(votes: Votes, pairs: Pairs, kept: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Where in the flattened cells of the pairs each kept vote is counted."""
    where = np.full((pairs.size, pairs.size), -1, dtype=np.int64)
    where[pairs.first, pairs.second] = where[pairs.second, pairs.first] = np.arange(len(pairs.first))
    a, b = votes.a[kept], votes.b[kept]
    swapped = np.array([[0, 1, 2], [1, 0, 2]])
    return np.asarray(where[a, b] * 3 + swapped[(a > b).astype(np.intp), votes.winner[kept]])


def _refit(pairs: Pairs, cells: Floats, found: Strengths) -> tuple[Floats, int]:
    """The strengths of each resample and how many needed a ridge.

    All at once by chords: steps with the information of the original votes. What does not come to rest so, or has no
    finite estimate, is fitted by itself.
    """
    theta, rest = _chords(pairs, cells, found)
    ridged = 0
    for number in np.flatnonzero(rest | _fragile(pairs, cells)):
        one = fit_pairs(Pairs(pairs.size, pairs.first, pairs.second, cells[number], cells[number]))
        theta[number] = one.theta
        ridged += one.ridge > 0
    return theta, ridged


def _chords(pairs: Pairs, cells: Floats, found: Strengths) -> tuple[Floats, NDArray[np.bool_]]:
    """Strengths, and which resamples did not come to rest."""
    total = cells.sum(axis=2)
    score = cells[:, :, 0] + 0.5 * cells[:, :, 2]
    rows = pairs.size * np.arange(len(cells))[:, None]
    first, second = (rows + pairs.first).ravel(), (rows + pairs.second).ravel()
    bread = inverse(information(found.theta, pairs, found.ridge))
    theta = np.tile(found.theta, (len(cells), 1))
    moving = np.arange(len(cells))
    for _ in range(_CHORDS):
        away = score[moving] - total[moving] * chances(theta[moving], pairs)
        size, flat = len(moving) * pairs.size, away.ravel()
        slope = np.bincount(first[: len(flat)], flat, size) - np.bincount(second[: len(flat)], flat, size)
        step = slope.reshape(-1, pairs.size) @ bread
        theta[moving] += step
        moving = moving[~(np.abs(step).max(axis=1) < 1e-8)]
        if not len(moving):
            break
    rest = np.zeros(len(cells), dtype=np.bool_)
    rest[moving] = True
    return theta, rest


def _fragile(pairs: Pairs, cells: Floats) -> NDArray[np.bool_]:
    """Which resamples have no finite estimate. Those with all the wins of the original cannot be among them."""
    kept = (cells[:, :, :2] > 0) | (cells[:, :, 2:] > 0)
    original = (pairs.cells[:, :2] > 0) | (pairs.cells[:, 2:] > 0)
    poor = (kept != original).any(axis=(1, 2))
    for number in np.flatnonzero(poor):
        one = Pairs(pairs.size, pairs.first, pairs.second, cells[number], cells[number])
        poor[number] = not is_strong(one.beaten())
    return np.asarray(poor)
