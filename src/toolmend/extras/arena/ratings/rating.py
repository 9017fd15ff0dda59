"""From votes to a table of ratings with intervals and ranks: the one function most callers need.

Chooses nothing by itself: what it had to do about the data (a ridge, an odd rater) stands in `warnings`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np

from toolmend.base.errors import BadOption
from toolmend.base.plots import table_html
from toolmend.extras.arena.ratings.bradley_terry import (
    INITIAL,
    SCALE,
    Clusters,
    clustered_sandwich,
    fit_pairs,
    sandwich,
    z_of,
)
from toolmend.extras.arena.ratings.elo import elo as play_elo
from toolmend.extras.arena.ratings.hygiene import check_votes, flag_lines
from toolmend.extras.arena.ratings.pairs import CountedVotes, connectivity_warnings, count_pairs
from toolmend.extras.arena.ratings.votes import Floats, Ints, Votes

Cluster = Literal["prompt", "rater", "vote"]
Ties = Literal["half", "drop"]

_FEW_CLUSTERS = 30
_ORDERS = 100  # over which Elo is averaged


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


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """What every way of rating comes to: points, and lower bounds of all differences."""

    rating: Floats
    low: Floats
    high: Floats
    lower: Floats
    method: str
    warnings: tuple[str, ...] = ()


def fit(
    votes: Votes,
    *,
    cluster: Cluster | None = None,
    ties: Ties = "half",
    elo: float | None = None,
    level: float = 0.95,
    rounds: int = 1000,
    seed: int = 0,
) -> Ratings:
    """Rate every contestant: 1000 + 400 / ln 10 · θ by Bradley–Terry, the mean of θ being 0.

    Intervals are a sandwich's, by `cluster`: by prompt where prompts are known and one was voted on more than once,
    else by vote; `ties` count half or are dropped. `elo` is the K of an Elo rating instead, averaged over orders, with
    intervals of so many `rounds` of resampled votes, drawn by `seed`.
    No votes: no contestants, or all at 1000, and a warning. Raises BadOption for what does not go together.
    """
    for name, value, known in (
        ("cluster", cluster, ("prompt", "rater", "vote", None)),
        ("ties", ties, ("half", "drop")),
    ):
        if value not in known:
            raise BadOption(f"{name} is {' or '.join(choice for choice in known if choice)}, not {value!r}")
    if not 0 < level < 1:
        raise BadOption(f"level must lie between 0 and 1 (0.95 for 95 %), not {level}")
    if elo is not None and not 0 < elo < float("inf"):
        raise BadOption(f"elo is a K above 0 (32 is usual), not {elo}")
    if elo is not None and (cluster not in (None, "vote") or rounds < 1):
        raise BadOption("elo has resampled intervals by vote only: no cluster, and rounds of at least 1")
    drop = ties == "drop"
    counted = count_pairs(votes, drop_ties=drop)
    warnings = [*votes.notes, *_emptiness(votes, counted)]
    if elo is not None:
        found = _as_wide(_by_elo(votes, elo, drop, level, rounds, seed), votes, counted, drop, level)
    else:
        cluster = cluster or _alike(votes)
        found = _by_strength(votes, counted, cluster, _clusters(votes, cluster, warnings), drop, level)
    if len(counted.pairs.first):
        warnings += connectivity_warnings(counted.pairs.beaten(), votes.names)
    warnings += [*found.warnings, *flag_lines(check_votes(votes))]
    return Ratings(_rows(votes, counted, found), found.method, level, tuple(warnings))


def _by_strength(
    votes: Votes, counted: CountedVotes, cluster: Cluster, clusters: Clusters | None, drop: bool, level: float
) -> _Found:
    pairs, z = counted.pairs, z_of(level)
    found = fit_pairs(pairs)
    if pairs.size < 2:
        covariance = np.zeros((pairs.size, pairs.size))
    elif clusters is None:
        covariance = sandwich(pairs, found)
    else:
        covariance = clustered_sandwich(votes, clusters, pairs, found, drop_ties=drop)
    rating, half = INITIAL + SCALE * found.theta, SCALE * z * np.sqrt(np.maximum(0.0, np.diag(covariance)))
    method = "Bradley-Terry, sandwich" + ("" if cluster == "vote" else f", by {cluster}")
    ridge = "ridge: the votes alone give no finite ratings, so a normal law of 400 points holds them together"
    told = (ridge,) if found.ridge and len(pairs.first) else ()
    return _Found(rating, rating - half, rating + half, lower_bounds(found.theta, covariance, z), method, told)


def _by_elo(votes: Votes, k: float, drop: bool, level: float, rounds: int, seed: int) -> _Found:
    rating = play_elo(votes, k, rounds=_ORDERS, drop_ties=drop, seed=seed).mean(axis=0)
    drawn = play_elo(votes, k, rounds=rounds, resample=True, drop_ties=drop, seed=seed)
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
    method = f"Elo, K = {k:g}, mean of {_ORDERS} orders, bootstrap of {rounds}"
    noise = "Elo: the intervals hold the noise of the order of votes; Bradley-Terry's do not"
    return _Found(rating, low, high, lower_by_resamples(drawn, level), method, (noise,))


def _as_wide(found: _Found, votes: Votes, counted: CountedVotes, drop: bool, level: float) -> _Found:
    """Resampling one vote, or votes that are all alike, gives the same each time: then the intervals are those of
    Bradley–Terry, which know that the next vote may be another."""
    kinds = (counted.pairs.cells > 0).sum(axis=1)
    if not len(kinds) or (kinds > 1).any():
        return found
    known = _by_strength(votes, counted, "vote", None, drop, level)
    half = (known.high - known.low) / 2
    low, high = np.minimum(found.low, found.rating - half), np.maximum(found.high, found.rating + half)
    return replace(found, low=low, high=high, lower=np.minimum(found.lower, known.lower))


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


def _rows(votes: Votes, counted: CountedVotes, found: _Found) -> tuple[Rating, ...]:
    best, worst = rank_intervals(found.lower)
    order = sorted(range(len(votes.names)), key=lambda who: (-found.rating[who], votes.names[who]))
    return tuple(
        Rating(
            votes.names[who],
            float(found.rating[who]),
            float(found.low[who]),
            float(found.high[who]),
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


def lower_by_resamples(rating: Floats, level: float) -> Floats:
    """Lower bounds of all differences, as percentiles of resampled ratings (rounds × contestants)."""
    return np.stack([np.quantile(one[:, None] - rating, (1 - level) / 2, axis=0) for one in rating.T])
