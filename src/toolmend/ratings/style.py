"""Style control: how much of a rating is length, chatter or markdown? Covariates of both sides join the votes' logit.

    logit P(a wins) = θa − θb + Σ β x / rms(x),   x = (value of a − value of b) / (value of a + value of b + 1)

Ratings are then those of contestants that write alike (Chiang et al. 2024, "style control"). x changes its sign with
the sides, so swapping them changes nothing. Knows votes; no interval but its own sandwich.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from toolmend.errors import BadOption
from toolmend.ratings.bradley_terry import RIDGE
from toolmend.ratings.intervals import SCORES, Clusters, clustered_meat, rated_votes, wider
from toolmend.ratings.votes import Floats, Ints, Votes

_STEPS = 100
_CLOSE = 1e-6
_FLAT = 1e-9  # an information whose least curvature is this share of the greatest has no single best estimate


@dataclass(frozen=True, slots=True, eq=False)
class Styled:
    """Strengths and coefficients in logits, their joint covariance, the ridge it took, what could not be controlled."""

    theta: Floats
    beta: Floats
    names: tuple[str, ...]
    covariance: Floats
    ridge: float
    constant: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """The rated votes: sides, score of a, weight, and differences in style (votes × covariates)."""

    size: int
    a: Ints
    b: Ints
    score: Floats
    weight: Floats
    x: Floats

    @property
    def width(self) -> int:
        return int(self.size + self.x.shape[1])

    def logits(self, parameters: Floats) -> Floats:
        theta, beta = parameters[: self.size], parameters[self.size :]
        return np.asarray(theta[self.a] - theta[self.b] + self.x @ beta)

    def slope(self, away: Floats) -> Floats:
        theta = np.bincount(self.a, away, self.size) - np.bincount(self.b, away, self.size)
        return np.concatenate([theta, self.x.T @ away])

    def table(self, weight: Floats) -> Floats:
        """Σ weight d dᵀ over the votes, d being a vote's derivative of its logit."""
        size = self.size
        made = np.zeros((self.width, self.width))
        met = np.bincount(self.a.astype(np.intp) * size + self.b, weight, size * size).reshape(size, size)
        made[:size, :size] = -(met + met.T)
        made[np.diag_indices(size)] = (met + met.T).sum(axis=1)
        for place, column in enumerate(self.x.T):
            made[size + place, :size] = made[:size, size + place] = self.slope(weight * column)[:size]
        made[size:, size:] = (self.x * weight[:, None]).T @ self.x
        return made


def fit_style(
    votes: Votes, style: Sequence[str], *, drop_ties: bool, clusters: Clusters | None, connected: bool
) -> Styled:
    """Strengths and coefficients together, by Newton over the votes. `connected`: whether θ alone needs no ridge."""
    kept = np.flatnonzero(rated_votes(votes, drop_ties=drop_ties))
    names, constant, columns = _columns(votes, style, kept)
    rows = _Rows(
        len(votes.names),
        votes.a[kept],
        votes.b[kept],
        SCORES[votes.winner[kept]],
        np.ones(len(kept)) if votes.weight is None else votes.weight[kept],
        columns,
    )
    ridge, parameters = 0.0, _newton(rows, 0.0) if connected else None
    if parameters is None:
        ridge = float(RIDGE)
        parameters = _newton(rows, ridge)
        assert parameters is not None, "with a ridge the likelihood is strictly concave"
    covariance = _covariance(rows, parameters, ridge, None if clusters is None else clusters.codes[kept])
    return Styled(parameters[: rows.size], parameters[rows.size :], names, covariance, ridge, constant)


def _columns(votes: Votes, style: Sequence[str], kept: Ints) -> tuple[tuple[str, ...], tuple[str, ...], Floats]:
    """Names of the covariates that vary, of those that do not, and the differences (votes × covariates)."""
    names, constant, columns = [], [], []
    for name in style:
        if name not in votes.style:
            raise BadOption(f"style {name!r}: the votes have no columns {name}_a and {name}_b")
        a, b = (side[kept] for side in votes.style[name])
        difference = (a - b) / (a + b + 1)
        spread = float(np.sqrt(np.mean(difference**2))) if len(kept) else 0.0
        if spread > 0:
            names.append(name)
            columns.append(difference / spread)
        else:
            constant.append(name)
    return tuple(names), tuple(constant), np.column_stack(columns) if columns else np.zeros((len(kept), 0))


def _newton(rows: _Rows, ridge: float) -> Floats | None:
    parameters = np.zeros(rows.width)
    reached = _likelihood(rows, parameters, ridge)
    for _ in range(_STEPS):
        p = 0.5 + 0.5 * np.tanh(0.5 * rows.logits(parameters))
        slope = rows.slope(rows.weight * (rows.score - p)) - ridge * parameters
        table = _held(rows, rows.table(rows.weight * p * (1 - p)), ridge)
        curvatures = np.linalg.eigvalsh(table)
        if curvatures[0] <= _FLAT * curvatures[-1]:
            return None
        step = np.linalg.solve(table, slope)
        if np.abs(step).max(initial=0.0) < _CLOSE:
            return np.asarray(parameters + step)
        size = 1.0
        while (found := _likelihood(rows, parameters + size * step, ridge)) < reached and size > 1e-3:
            size /= 2
        parameters, reached = parameters + size * step, found
    return None


def _held(rows: _Rows, table: Floats, ridge: float) -> Floats:
    """The information with the ridge, and with the mean of the strengths held at 0."""
    made = table + ridge * np.eye(rows.width)
    made[: rows.size, : rows.size] += max(float(np.trace(table)), 1.0) / max(1, rows.size) ** 2
    return np.asarray(made)


def _likelihood(rows: _Rows, parameters: Floats, ridge: float) -> float:
    z = rows.logits(parameters)
    fit = rows.weight @ (rows.score * z - np.logaddexp(0.0, z))
    return float(fit - 0.5 * ridge * (parameters @ parameters))


def _covariance(rows: _Rows, parameters: Floats, ridge: float, codes: Ints | None) -> Floats:
    """The sandwich of all parameters, as in intervals.py."""
    p = 0.5 + 0.5 * np.tanh(0.5 * rows.logits(parameters))
    away = rows.weight * (rows.score - p)
    if codes is None:
        meat = rows.table(away**2)
    else:
        parts = [(rows.a, away), (rows.b, -away)]
        for place, column in enumerate(rows.x.T):
            parts.append((np.full(len(away), rows.size + place), away * column))
        meat = clustered_meat(codes, parts, rows.width)
    inverted = np.linalg.inv(_held(rows, rows.table(rows.weight * p * (1 - p)), ridge))
    centre = np.eye(rows.width)
    centre[: rows.size, : rows.size] -= 1 / max(1, rows.size)
    bread = np.asarray(centre @ inverted @ centre.T, dtype=np.float64)
    covariance = np.asarray(bread @ (meat + ridge * np.eye(rows.width)) @ bread)
    return wider(covariance, bread) if ridge else covariance
