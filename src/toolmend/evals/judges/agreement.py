"""How far two ways of judging agree, beyond what chance would do: coefficients of tables, and correlations of ranks.

A table counts units: row by what the one said, column by what the other said. Knows numbers only; no vote, no judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toolmend.errors import BadOption

Floats = NDArray[np.float64]
Metric = Literal["nominal", "ordinal"]


def agreement(table: ArrayLike) -> float | None:
    """The share of units on which both say the same; None without a unit. Tables may be stacked (… × k × k)."""
    return _plain(observed(np.asarray(table, dtype=np.float64)))


def cohen_kappa(table: ArrayLike) -> float | None:
    """Cohen's κ = (p_o − p_e) / (1 − p_e), p_e from both margins (Cohen 1960).

    None where it is not defined: no unit, or both said the same one thing every time.
    """
    return _plain(kappas(np.asarray(table, dtype=np.float64)))


def observed(tables: Floats) -> Floats:
    """Agreement of each of a stack of tables; nan without a unit."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.trace(tables, axis1=-2, axis2=-1) / tables.sum(axis=(-2, -1)))


def kappas(tables: Floats) -> Floats:
    """Cohen's κ of each of a stack of tables; nan where it is not defined."""
    with np.errstate(invalid="ignore", divide="ignore"):
        total = tables.sum(axis=(-2, -1))
        chance = (tables.sum(axis=-1) * tables.sum(axis=-2)).sum(axis=-1) / total**2
        return np.asarray(np.where(chance < 1, (observed(tables) - chance) / (1 - chance), np.nan))


def coincidences(units: Sequence[Sequence[Any]], values: Sequence[Any]) -> Floats:
    """Krippendorff's table of coincidences: every two values of a unit, weighted 1 / (number of its values − 1).

    `units` has for each unit the values that were given, None for none. A unit with fewer than two does not count.
    """
    place = {value: index for index, value in enumerate(values)}
    table = np.zeros((len(values), len(values)))
    for unit in units:
        given = [place[value] for value in unit if value is not None]
        for one, first in enumerate(given):
            for other, second in enumerate(given):
                if one != other:
                    table[first, second] += 1 / (len(given) - 1)
    return table


def krippendorff_alpha(
    units: Sequence[Sequence[Any]], values: Sequence[Any], metric: Metric = "nominal"
) -> float | None:
    """Krippendorff's α = 1 − D_o / D_e (Krippendorff 2011), any number of raters, values missing where None.

    `values` are all that can be given, for `ordinal` in their order. None where it is not defined: fewer than two
    values, or all the same.
    """
    if metric not in ("nominal", "ordinal"):
        raise BadOption(f"metric is nominal or ordinal, not {metric!r}")
    return _plain(alphas(coincidences(units, values), metric))


def alphas(tables: Floats, metric: Metric) -> Floats:
    """α of each of a stack of tables of coincidences; nan where it is not defined."""
    margins = tables.sum(axis=-1)
    distance = _distances(margins, metric)
    total = margins.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        expected = (margins[..., :, None] * margins[..., None, :] * distance).sum(axis=(-2, -1)) / (total - 1)
        return np.asarray(np.where(expected > 0, 1 - (tables * distance).sum(axis=(-2, -1)) / expected, np.nan))


def _distances(margins: Floats, metric: Metric) -> Floats:
    """δ² of every two values: 1 or 0, or for ordinal ones how many given values lie between them, squared."""
    size = margins.shape[-1]
    if metric == "nominal":
        return np.asarray(1.0 - np.eye(size))
    upto = np.cumsum(margins, axis=-1) - margins / 2  # to the middle of each value
    return np.asarray((upto[..., :, None] - upto[..., None, :]) ** 2)


def correlations(tables: Floats) -> Floats:
    """Pearson's correlation of the scores −1, 0, 1 of rows and columns, in tables that do not know sides (3 × 3).

    Both means are 0 by symmetry. nan where one side only ever says the middle.
    """
    score = np.array([-1.0, 0.0, 1.0])
    together = np.einsum("...ij,i,j->...", tables, score, score)
    rows = (tables.sum(axis=-1) * score**2).sum(axis=-1)
    columns = (tables.sum(axis=-2) * score**2).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(together / np.sqrt(rows * columns))


def spearman(x: Floats, y: Floats) -> Floats:
    """Spearman's ρ along the last axis, ties by mid-ranks; nan where one side is constant."""
    rx, ry = _ranks(x), _ranks(y)
    dx, dy = rx - rx.mean(axis=-1, keepdims=True), ry - ry.mean(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((dx * dy).sum(axis=-1) / np.sqrt((dx**2).sum(axis=-1) * (dy**2).sum(axis=-1)))


def kendall(x: Floats, y: Floats) -> Floats:
    """Kendall's τ-b along the last axis; nan where one side is constant."""
    sx, sy = (np.sign(side[..., :, None] - side[..., None, :]) for side in (x, y))
    with np.errstate(invalid="ignore", divide="ignore"):
        agreed, x_apart, y_apart = ((one * other).sum(axis=(-2, -1)) for one, other in ((sx, sy), (sx, sx), (sy, sy)))
        return np.asarray(agreed / np.sqrt(x_apart * y_apart))


def _ranks(values: Floats) -> Floats:
    """Mid-ranks along the last axis, from 1."""
    below = (values[..., None, :] < values[..., :, None]).sum(axis=-1)
    same = (values[..., None, :] == values[..., :, None]).sum(axis=-1)
    return np.asarray(below + (same + 1) / 2)


def _plain(value: Floats) -> float | None:
    return float(value) if np.isfinite(value) else None
