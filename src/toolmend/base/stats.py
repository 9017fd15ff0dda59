"""Intervals of shares and differences, all of 95 %, and p-values: the only place that computes one.

Knows numbers only: not what a case, an arm or a mark is. numpy is imported by the bootstraps alone.
Too little data has a stated answer, never an exception and never a made-up interval: each docstring says which.
Impossible data (k > n, lengths that differ) raises BadOption.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import groupby
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, TypeVar

from toolmend.base.errors import BadOption

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Cluster = TypeVar("Cluster", bound=Hashable)

Interval = tuple[float, float]

_EXACT_WILCOXON = 100  # pairs; above this the exact law costs a second and the normal one is within 0.001 of it
_CELLS = 2_000_000  # numbers drawn at a time by a bootstrap, so that memory stays flat
_Z = NormalDist().inv_cdf(0.975)
ROUNDS = 2000  # of a bootstrap


def wilson(k: int, n: int) -> Interval:
    """Score interval of a share of k hits in n independent trials (Wilson 1927; Newcombe 1998, method 3).

    No trials: the full interval (0.0, 1.0), for nothing is known.
    """
    _check_share(k, n)
    if n == 0:
        return (0.0, 1.0)
    z = _Z
    share, shrink = k / n, 1 + z * z / n
    centre = (share + z * z / (2 * n)) / shrink
    half = z / shrink * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return (0.0 if k == 0 else max(0.0, centre - half), 1.0 if k == n else min(1.0, centre + half))


def newcombe(k1: int, n1: int, k2: int, n2: int) -> Interval:
    """Interval of k1/n1 - k2/n2 for two independent groups (Newcombe 1998, method 10: two Wilson intervals joined).

    A group without trials: the full interval (-1.0, 1.0).
    """
    low1, high1 = wilson(k1, n1)
    low2, high2 = wilson(k2, n2)
    if n1 == 0 or n2 == 0:
        return (-1.0, 1.0)
    p1, p2 = k1 / n1, k2 / n2
    difference = p1 - p2
    return (
        max(-1.0, difference - math.hypot(p1 - low1, high2 - p2)),
        min(1.0, difference + math.hypot(high1 - p1, p2 - low2)),
    )


def mcnemar(b: int, c: int, *, one_sided: bool = False) -> float:
    """Exact p of McNemar's test; b and c count the pairs on which only one side was right.

    Two-sided, or with `one_sided` the chance of a b this large if both were alike. No such pair: 1.0.
    """
    if b < 0 or c < 0:
        raise BadOption(f"mcnemar: counts of pairs cannot be negative (b={b}, c={c})")
    if one_sided:
        return float(sum(math.comb(b + c, i) for i in range(c + 1)) / 2 ** (b + c))
    tail = sum(math.comb(b + c, i) for i in range(min(b, c) + 1))
    return float(min(1.0, 2 * tail / 2 ** (b + c)))


def wilcoxon(x: Sequence[float], y: Sequence[float], *, one_sided: bool = False) -> float:
    """P of Wilcoxon's signed-rank test on pairs, ties by mid-ranks, equal pairs left out (Wilcoxon 1945).

    Two-sided, or with `one_sided` against x being the greater. Exact (the permutation law, ties included) up to 100
    different pairs, then normal with tie correction. No pair differs, or there is none: 1.0.
    """
    ranks, positive = _signed_ranks("wilcoxon", x, y)
    if not ranks:
        return 1.0
    if len(ranks) > _EXACT_WILCOXON:
        away = positive - sum(ranks) / 2
        spread = math.sqrt(sum(rank * rank for rank in ranks)) / 2
        tail = math.erfc((away if one_sided else abs(away)) / spread / math.sqrt(2))
        return tail / 2 if one_sided else tail
    lower = sum(ranks) - positive if one_sided else min(positive, sum(ranks) - positive)
    return float(min(1.0, (1 if one_sided else 2) * _ways_up_to(lower, ranks) / 2 ** len(ranks)))


def detectable(differences: Sequence[float], alpha: float = 0.05, power: float = 0.8) -> float | None:
    """The smallest mean difference that a one-sided paired test at `alpha` finds with that power, differences
    spreading as these do (in [-1, 1], one per case).

    Normal approximation (Julious 2004, section 3), and never less than the fewest cases that could be significant at
    all, each changed by 1, none the other way. Fewer than two differences: None. Above 1 no difference can be found.
    """
    n = len(differences)
    if n < 2:
        return None
    fewest = math.ceil(-math.log2(alpha))
    mean = sum(differences) / n
    spread = math.sqrt(sum((difference - mean) ** 2 for difference in differences) / (n - 1))
    normal = NormalDist()
    needed = normal.inv_cdf(1 - alpha) + normal.inv_cdf(power)
    return max(fewest / n, needed * spread / math.sqrt(n))


def holm(ps: Sequence[float]) -> list[float]:
    """Adjusted p-values of Holm's step-down method (Holm 1979), in the order given. None given: []."""
    adjusted = [0.0] * len(ps)
    reached = 0.0
    for step, index in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        reached = max(reached, min(1.0, ps[index] * (len(ps) - step)))
        adjusted[index] = reached
    return adjusted


def bootstrap_mean(values: Sequence[float], clusters: Sequence[Hashable] | None = None) -> Interval | None:
    """Percentile bootstrap interval of the mean; whole clusters are drawn (Davison & Hinkley 1997, section 3.8).

    `clusters` names the cluster of each value (without it every value is its own). Fewer than two clusters, or no
    value: None, because a resample could not vary. With under about ten clusters it is too narrow: say how many.
    """
    import numpy as np

    groups = _groups("bootstrap_mean", clusters, values)
    place = {name: index for index, name in enumerate(dict.fromkeys(groups))}  # by first appearance, by no hash
    count = len(place)
    index = np.array([place[group] for group in groups], dtype=np.intp)
    sums = np.bincount(index, weights=np.array(values, dtype=np.float64), minlength=count).astype(np.float64)
    return _resampled(sums, np.bincount(index, minlength=count).astype(np.float64))


def _resampled(sums: NDArray[np.float64], sizes: NDArray[np.float64]) -> Interval | None:
    """The bootstrap's interval of a mean, by the sum and the size of each cluster; None for fewer than two."""
    import numpy as np

    if (count := len(sums)) < 2:
        return None
    random, step, parts = np.random.default_rng(0), max(1, _CELLS // count), []
    for start in range(0, ROUNDS, step):
        draw = random.integers(0, count, (min(step, ROUNDS - start), count))
        parts.append(sums[draw].sum(axis=1) / sizes[draw].sum(axis=1))
    low, high = np.quantile(np.concatenate(parts), [0.025, 0.975])
    return (float(low), float(high))


def paired_bootstrap(
    a: Sequence[float], b: Sequence[float], clusters: Sequence[Hashable] | None = None
) -> Interval | None:
    """Interval of mean(a - b) over pairs; the differences of a cluster are drawn together.

    Fewer than two clusters: None, as in `bootstrap_mean`.
    """
    _check_lengths("paired_bootstrap", a, b)
    return bootstrap_mean([first - second for first, second in zip(a, b, strict=True)], clusters)


def share_interval(hits: Sequence[bool], clusters: Sequence[Hashable] | None = None) -> Interval:
    """Interval of a share as measures.md asks: Wilson for single trials, bootstrap where a cluster gives several.

    Where the bootstrap cannot vary (one cluster, all hits, no hit) it is Wilson's with one trial per cluster, the
    share rounded to whole clusters: wide on purpose. No trial: (0.0, 1.0).
    """
    return share_interval_of(Counter(zip(_groups("share_interval", clusters, hits), map(bool, hits), strict=True)))


def share_interval_of(counts: Mapping[tuple[Cluster, bool], int]) -> Interval:
    """`share_interval` of counts by cluster and hit."""
    right, trials = dict[Cluster, int](), dict[Cluster, int]()
    for (cluster, hit), number in counts.items():
        trials[cluster] = trials.get(cluster, 0) + number
        right[cluster] = right.get(cluster, 0) + number * hit
    count, k, n = len(trials), sum(right.values()), sum(trials.values())
    if count == n:
        return wilson(k, n)
    import numpy as np

    found = _resampled(np.array([*right.values()], np.float64), np.array([*trials.values()], np.float64))
    if found is None or found[0] == found[1]:
        return wilson(round(count * k / n), count)
    return found


def diff_interval(
    fixed: Sequence[bool], control: Sequence[bool], clusters: Sequence[Hashable] | None = None
) -> Interval:
    """Interval of net fix = share(fixed) - share(control) on the same turns, those of a cluster (a case) together.

    Without `clusters` each pair is its own. Where the bootstrap cannot vary (fewer than two clusters, a difference the
    same in every cluster) it is Newcombe's with one trial per cluster: wide on purpose; no pair: (-1.0, 1.0).
    """
    _check_lengths("diff_interval", fixed, control)
    if not fixed:
        return (-1.0, 1.0)
    found = paired_bootstrap(fixed, control, clusters)
    if found is not None and found[0] < found[1]:
        return found
    count = len(set(_groups("diff_interval", clusters, fixed)))
    k1, k2 = (round(count * sum(map(bool, arm)) / len(arm)) for arm in (fixed, control))
    return newcombe(k1, count, k2, count)


def _signed_ranks(name: str, x: Sequence[float], y: Sequence[float]) -> tuple[list[int], int]:
    """Doubled ranks of the pairs that differ, and how much of their sum belongs to pairs where x is the greater."""
    _check_lengths(name, x, y)
    differences = [a - b for a, b in zip(x, y, strict=True) if a != b]
    ranks = _doubled_ranks([abs(d) for d in differences])
    return ranks, sum(rank for rank, d in zip(ranks, differences, strict=True) if d > 0)


def _ways_up_to(total: int, ranks: Sequence[int]) -> int:
    """How many of all sets of these ranks have a sum of at most `total`.

    The numbers of sets by sum are the digits of one long integer: taking in a rank is one shift and one addition.
    """
    size = len(ranks) // 8 + 1  # bytes of a digit: no number of sets exceeds 2 ** len(ranks)
    digits = 1
    for rank in ranks:
        digits += digits << 8 * size * rank
    raw = digits.to_bytes(size * (sum(ranks) + 1), "little")
    return sum(int.from_bytes(raw[at : at + size], "little") for at in range(0, size * (total + 1), size))


def _doubled_ranks(values: Sequence[float]) -> list[int]:
    """Twice the mid-rank of each value: whole numbers even where values tie."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0] * len(values)
    below = 0
    for _, tied in groupby(order, key=values.__getitem__):
        same = list(tied)
        for index in same:
            ranks[index] = 2 * below + len(same) + 1
        below += len(same)
    return ranks


def _check_share(k: int, n: int) -> None:
    if not 0 <= k <= n:
        raise BadOption(f"a share needs 0 <= k <= n, not k={k}, n={n}")


def _check_lengths(name: str, a: Sequence[Any], b: Sequence[Any]) -> None:
    if len(a) != len(b):
        raise BadOption(f"{name}: pairs need sequences of one length, not {len(a)} and {len(b)}")


def _groups(name: str, clusters: Sequence[Hashable] | None, values: Sequence[Any]) -> Sequence[Hashable]:
    if clusters is None:
        return range(len(values))
    _check_lengths(f"{name}: values and clusters", values, clusters)
    return clusters
