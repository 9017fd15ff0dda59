"""A judge's habits, from its judgements alone: how often it flips, prefers what stands first, prefers what is longer.

Every interval is of 95 % and clustered by prompt. What people would have said is not asked here: see calibration.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from toolmend.base.stats import share_interval
from toolmend.extras.arena.judges.merging import Merged


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


def habits(merged: Sequence[Merged]) -> Habits:
    """The habits that the judgements of these matches show."""
    reads = [read for match in merged for read in match.reads]
    whole = [match for match in merged if match.state != "incomplete"]
    named = [read for read in reads if read.verdict.outcome in ("first", "second")]
    decided = [match for match in merged if match.winner in ("a", "b")]
    uneven = [match for match in decided if match.any.length_a != match.any.length_b]
    longer = [(match.any.length_a > match.any.length_b) == (match.winner == "a") for match in uneven]
    first = [read.verdict.outcome == "first" for read in named]
    problems = Counter(read.verdict.problem for read in reads)
    return Habits(
        len(merged),
        len(reads),
        problems["unreadable"],
        problems["out_of_range"],
        problems["truncated"],
        len(merged) - len(whole),
        sum(match.winner in ("tie", "both_bad") for match in whole),
        share([match.state == "flipped" for match in whole], _prompts(whole)),
        share([match.state == "halved" for match in whole], _prompts(whole)),
        share(first, [read.judgement.prompt or read.judgement.pair for read in named]),
        share(longer, _prompts(uneven)),
    )


def share(hits: Sequence[bool], clusters: Sequence[str]) -> Share:
    """A share with Wilson's interval, or resampled by cluster where clusters have several."""
    low, high = share_interval(hits, clusters)
    return Share(sum(hits), len(hits), low, high)


def _prompts(merged: Sequence[Merged]) -> list[str]:
    return [match.any.prompt or match.any.pair for match in merged]
