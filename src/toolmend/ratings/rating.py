"""From votes to a table of ratings with intervals and ranks: the one function most callers need.

Chooses nothing by itself: what it had to do about the data (a ridge, an odd rater) stands in `warnings`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from toolmend.errors import BadOption
from toolmend.plots import table_html
from toolmend.ratings.bradley_terry import INITIAL, SCALE, Clusters, clustered_sandwich, fit_pairs, sandwich, z_of
from toolmend.ratings.hygiene import check_votes, flag_lines
from toolmend.ratings.pairs import CountedVotes, connectivity_warnings, count_pairs
from toolmend.ratings.votes import Floats, Ints, Votes

Cluster = Literal["prompt", "rater", "vote"]
Ties = Literal["half", "drop"]

_FEW_CLUSTERS = 30


@dataclass(frozen=True, slots=True)
class Rating:
    """One contestant: its rating with an interval, the best and the worst rank it may have, the votes behind it."""

    contestant: str
    rating: float
    low: float
    high: float
    rank_low: int
    rank_high: int
    votes: int
    both_bad: int


@dataclass(frozen=True, slots=True)
class Ratings:
    """The table, the best first, how it was made, and what a reader must know."""

    rows: tuple[Rating, ...]
    method: str
    level: float
    warnings: tuple[str, ...] = ()

    def __getitem__(self, contestant: str) -> Rating:
        for row in self.rows:
            if row.contestant == contestant:
                return row
        raise KeyError(contestant)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "ratings": [asdict(row) for row in self.rows],
            "method": self.method,
            "level": self.level,
            "warnings": list(self.warnings),
        }

    def _repr_html_(self) -> str:
        rows = [
            (
                row.contestant,
                f"{row.rating:.0f}",
                f"{row.low:.0f} to {row.high:.0f}",
                row.rank_low,
                row.rank_high,
                row.votes,
            )
            for row in self.rows
        ]
        return table_html(("contestant", "rating", f"{self.level:.0%} interval", "best rank", "worst", "votes"), rows)

    def __str__(self) -> str:
        width = max((len(row.contestant) for row in self.rows), default=0)
        return "\n".join(
            f"{row.contestant:<{width}}  {row.rating:7.1f}  [{row.low:7.1f}, {row.high:7.1f}]  "
            f"rank {row.rank_low}-{row.rank_high}  {row.votes:,} votes"
            for row in self.rows
        )


def fit(votes: Votes, *, cluster: Cluster | None = None, ties: Ties = "half", level: float = 0.95) -> Ratings:
    """Rate every contestant: 1000 + 400 / ln 10 · θ by Bradley–Terry, the mean of θ being 0.

    Intervals are a sandwich's, by `cluster`: by prompt where prompts are known and one was voted on more than once,
    else by vote; `ties` count half or are dropped.
    No votes: no contestants, or all at 1000, and a warning. Raises BadOption for what does not go together.
    """
    for name, value, known in (
        ("cluster", cluster, ("prompt", "rater", "vote", None)),
        ("ties", ties, ("half", "drop")),
    ):
        if value not in known:
            raise BadOption(f"{name} is {' or '.join(each for each in known if each)}, not {value!r}")
    if not 0 < level < 1:
        raise BadOption(f"level must lie between 0 and 1 (0.95 for 95 %), not {level}")
    counted = count_pairs(votes, drop_ties=ties == "drop")
    pairs = counted.pairs
    warnings = [*votes.notes, *_emptiness(votes, counted)]
    cluster = cluster or _alike(votes)
    clusters = _clusters(votes, cluster, warnings)
    found = fit_pairs(pairs)
    if len(pairs.first):
        warnings += connectivity_warnings(pairs.beaten(), votes.names)
    if found.ridge and len(pairs.first):
        warnings.append(
            "ridge: the votes alone give no finite ratings, so a normal law of 400 points holds them together"
        )
    if pairs.size < 2:
        covariance = np.zeros((pairs.size, pairs.size))
    elif clusters is None:
        covariance = sandwich(pairs, found)
    else:
        covariance = clustered_sandwich(votes, clusters, pairs, found, drop_ties=ties == "drop")
    warnings += flag_lines(check_votes(votes))
    by = "" if cluster == "vote" else f", by {cluster}"
    rows = _rows(votes, counted, found.theta, covariance, z_of(level))
    return Ratings(rows, f"Bradley-Terry, sandwich{by}", level, tuple(warnings))


def _emptiness(votes: Votes, counted: CountedVotes) -> list[str]:
    if not len(votes):
        return ["no votes: nothing can be said"]
    if not len(counted.pairs.first):
        return ["no vote says which side was better: all ratings are 1000"]
    return []


def _alike(votes: Votes) -> Cluster:
    """What votes are alike by, where nobody says: counting those on one prompt as independent makes intervals small."""
    if votes.prompt is None:
        return "vote"
    _, count = votes.prompt.groups()
    return "prompt" if 1 < count < len(votes) else "vote"


def _clusters(votes: Votes, cluster: Cluster, warnings: list[str]) -> Clusters | None:
    """The clusters asked for; a warning where they are too few. Raises BadOption where there are none, or one."""
    if cluster == "vote":
        return None
    labels = votes.prompt if cluster == "prompt" else votes.rater
    if labels is None:
        raise BadOption(f"cluster {cluster}: the votes have no column {cluster!r}")
    codes, count = labels.groups()
    if len(votes) and count < 2:
        raise BadOption(f"cluster {cluster}: all votes are of one {cluster}, so nothing shows how they vary")
    if len(votes) and count < _FEW_CLUSTERS:
        warnings.append(f"few clusters: with {count} {cluster}s the intervals are too narrow")
    return Clusters(codes, count)


def _rows(votes: Votes, counted: CountedVotes, theta: Floats, covariance: Floats, z: float) -> tuple[Rating, ...]:
    rating = INITIAL + SCALE * theta
    half = SCALE * z * np.sqrt(np.maximum(0.0, np.diag(covariance)))
    best, worst = rank_intervals(lower_bounds(theta, covariance, z))
    order = sorted(range(len(votes.names)), key=lambda who: (-rating[who], votes.names[who]))
    return tuple(
        Rating(
            votes.names[who],
            float(rating[who]),
            float(rating[who] - half[who]),
            float(rating[who] + half[who]),
            int(best[who]),
            int(worst[who]),
            int(counted.votes[who]),
            int(counted.both_bad[who]),
        )
        for who in order
    )


def rank_intervals(lower: Floats) -> tuple[Ints, Ints]:
    """Best and worst rank of each, from `lower[x, y]`, the lower bound of the difference x − y.

    One is surely behind those whose difference to it has an interval above 0; overlap of two intervals is not asked: it
    misses differences that the votes do show. Each pair has the level stated; all pairs together have less.
    """
    surely = lower > 0
    np.fill_diagonal(surely, False)
    return 1 + surely.sum(axis=0), len(lower) - surely.sum(axis=1)


def lower_bounds(theta: Floats, covariance: Floats, z: float) -> Floats:
    """Lower bounds of all differences, `z` standard deviations below."""
    own = np.diag(covariance)
    variance = np.maximum(0.0, own[:, None] + own[None, :] - covariance - covariance.T)
    return np.asarray(theta[:, None] - theta[None, :] - z * np.sqrt(variance))
