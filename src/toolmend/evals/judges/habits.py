"""A judge's habits, from its judgements alone: how often it flips, prefers what stands first, prefers what is longer.

Every interval is of 95 % and clustered by prompt. What people would have said is not asked here: see calibration.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from toolmend.evals.judges.merging import Merged, ReadJudgement
from toolmend.stats import share_interval

Floats = NDArray[np.float64]

_STEPS = 100
_FAR = 30.0  # logits for a doubling: beyond this the slope is not finite


@dataclass(frozen=True, slots=True)
class Share:
    """k of n, the share with its interval; a share of nothing is None, and anything is possible."""

    k: int
    n: int
    low: float
    high: float

    @property
    def value(self) -> float | None:
        """The share."""
        return self.k / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class Slope:
    """How the chance of winning grows when an answer is twice as long: in logits, with its interval.

    `value` is None where there is no finite estimate: too few votes, or the longer (or the shorter) always won. `n`
    are the decided votes on answers that differ in length.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True, slots=True)
class Habits:
    """What a judge does. The counts are of judgements, `flips` and `halves` of matches read in both orders.

    `first` is the share of judgements that name the side shown first among those that name one: one half for a judge
    without a favourite place, because every match is shown both ways. `longer` is the share of decided votes for the
    longer side.
    """

    matches: int
    judgements: int
    unreadable: int
    out_of_range: int
    truncated: int
    incomplete: int
    ties: int
    flips: Share
    halves: Share
    first: Share
    longer: Share
    length: Slope


def habits(merged: Sequence[Merged]) -> Habits:
    """The habits that the judgements of these matches show."""
    reads = [each for match in merged for each in match.reads]
    whole = [match for match in merged if match.state != "incomplete"]
    named = [each for each in reads if each.verdict.outcome in ("first", "second")]
    decided = [match for match in merged if match.winner in ("a", "b")]
    uneven = [match for match in decided if match.any.length_a != match.any.length_b]
    return Habits(
        len(merged),
        len(reads),
        _problems(reads, "unreadable"),
        _problems(reads, "out_of_range"),
        _problems(reads, "truncated"),
        len(merged) - len(whole),
        sum(each.winner in ("tie", "both_bad") for each in whole),
        share([match.state == "flipped" for match in whole], _prompts(whole)),
        share([match.state == "halved" for match in whole], _prompts(whole)),
        share(
            [each.verdict.outcome == "first" for each in named],
            [each.judgement.prompt or each.judgement.pair for each in named],
        ),
        share(
            [(match.any.length_a > match.any.length_b) == (match.winner == "a") for match in uneven], _prompts(uneven)
        ),
        length_slope(
            [_doublings(match.any.length_a, match.any.length_b) for match in uneven],
            [match.winner == "a" for match in uneven],
            _prompts(uneven),
        ),
    )


def share(hits: Sequence[bool], clusters: Sequence[str]) -> Share:
    """A share with Wilson's interval, or resampled by cluster where clusters have several."""
    low, high = share_interval(hits, clusters)
    return Share(sum(hits), len(hits), low, high)


def length_slope(doublings: Sequence[float], won: Sequence[bool], clusters: Sequence[str]) -> Slope:
    """β of logit P(a wins) = β · log2(length of a / length of b), by Newton, with a sandwich by cluster.

    There is no constant: exchanging the sides must change nothing. Not finite where every win is on the same side.
    """
    x, y = np.array(doublings, dtype=np.float64), np.array(won, dtype=np.float64)
    toward = x * (2 * y - 1)  # above 0 where the longer won
    if not len(x) or (toward >= 0).all() or (toward <= 0).all():
        return Slope(None, None, None, len(x))
    beta = _newton(x, y)
    if beta is None:
        return Slope(None, None, None, len(x))
    p = 1 / (1 + np.exp(-beta * x))
    _, codes = np.unique(np.array(clusters), return_inverse=True)
    scores = np.bincount(codes, x * (y - p))
    groups = len(scores)
    if groups < 2:
        return Slope(beta, None, None, len(x))
    meat = float(scores @ scores) * groups / (groups - 1)
    half = NormalDist().inv_cdf(0.975) * math.sqrt(meat) / float((x * x) @ (p * (1 - p)))
    return Slope(beta, beta - half, beta + half, len(x))


def _newton(x: Floats, y: Floats) -> float | None:
    beta = 0.0
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-np.clip(beta * x, -500, 500)))
        step = float(x @ (y - p)) / max(float((x * x) @ (p * (1 - p))), 1e-12)
        beta += max(-1.0, min(1.0, step))  # far steps would overshoot where p is near 0 or 1
        if abs(beta) > _FAR:
            return None
        if abs(step) < 1e-9:
            return beta
    return None


def _doublings(a: int, b: int) -> float:
    """log2 of the ratio of two lengths in words; nothing at all counts as one word."""
    return math.log2(max(1, a) / max(1, b))


def _problems(reads: Sequence[ReadJudgement], problem: str) -> int:
    return sum(each.verdict.problem == problem for each in reads)


def _prompts(merged: Sequence[Merged]) -> list[str]:
    return [match.any.prompt or match.any.pair for match in merged]
