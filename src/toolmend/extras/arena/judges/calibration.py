"""A judge held against people who voted on the same comparisons: how far it agrees, and how much its votes may count.

A comparison is two contestants on one prompt and turn. Neither side better (tie, both bad) is one outcome. Sides carry
no meaning, so that each comparison counts in both orientations, half each: which is called a changes nothing. Several
votes on one comparison share its weight. Intervals: 95 %, whole prompts resampled. docs/judges.md has the formulas.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from toolmend.base.errors import BadOption
from toolmend.base.stats import wilson
from toolmend.extras.arena.ratings import Votes

Floats = NDArray[np.float64]
ROUNDS = 1000
_DECIDED = np.ix_([0, 2], [0, 2])

Key = tuple[str, str, str, str]  # prompt, turn, and both contestants in the order of their names
_FLIP = {0: 2, 1: 1, 2: 0}


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its interval; None where the data do not define it, or where nothing could vary."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Agreed:
    """How far two agree on so many comparisons of so many prompts. `decided` leaves every tie of either out.

    `kappa` is Cohen's (1960), `correlation` Pearson's of votes as −1, 0, 1.
    """

    comparisons: int
    prompts: int
    agreement: Estimate
    decided: Estimate
    kappa: Estimate
    correlation: Estimate


@dataclass(frozen=True, slots=True)
class Calibration:
    """A judge against people; `people` against each other where a comparison has several of them; by category.

    `weight` is what a vote of the judge counts beside a person's: the square of the lower end of the correlation,
    or 0. As measures of people's votes, so many of the judge's are worth one (Spearman 1904; docs/judges.md).
    `alone` are the judge's comparisons that nobody voted on, `unjudged` those of people that it did not judge.
    """

    judge: Agreed
    weight: float
    people: Agreed | None
    categories: Mapping[str, Agreed]
    alone: int
    unjudged: int
    warnings: tuple[str, ...] = ()


def calibrate(human: Votes, judge: Votes, *, rounds: int = ROUNDS, seed: int = 0) -> Calibration:
    """Hold a judge's votes against people's. Raises BadOption where they share no comparison, or have no prompts."""
    if human.prompt is None or judge.prompt is None:
        raise BadOption("calibration needs a column `prompt` in both files: it says which votes are on the same thing")
    people, judged = _units(human), _units(judge)
    common = sorted(people.keys() & judged.keys())
    if not common:
        raise BadOption(_nothing(people, judged))
    tables = [_table(people[key].outcomes, judged[key].outcomes) for key in common]
    found = _agreed(common, tables, rounds, seed)
    several = [key for key in people if len(people[key].outcomes) > 1]
    among = _agreed(several, [_among(people[key].outcomes) for key in several], rounds, seed) if several else None
    low = found.correlation.low
    return Calibration(
        found,
        max(0.0, low) ** 2 if low is not None else 0.0,
        among,
        _by_category(common, tables, people, judged, rounds, seed),
        len(judged.keys() - people.keys()),
        len(people.keys() - judged.keys()),
        tuple(_warnings(found)),
    )


# comparisons ---------------------------------------------------------------------------------------------------------


@dataclass
class _Unit:
    """The votes on one comparison: outcomes 0 (the first of the names won), 1 (neither), 2."""

    outcomes: list[int]
    category: str = ""


def _units(votes: Votes) -> dict[Key, _Unit]:
    """Votes by what they are about. A vote without a prompt cannot be matched and is left out."""
    made: dict[Key, _Unit] = {}
    prompt, turn, category = (votes.texts(name) for name in ("prompt", "turn", "category"))
    for at in range(len(votes)):
        if not prompt[at]:
            continue
        a, b = votes.names[int(votes.a[at])], votes.names[int(votes.b[at])]
        outcome = {0: 0, 1: 2}.get(int(votes.winner[at]), 1)
        key = (prompt[at], turn[at], *sorted((a, b)))
        unit = made.setdefault(key, _Unit([], category[at]))  # type: ignore[arg-type]  # sorted keeps two texts
        unit.outcomes.append(outcome if a < b else _FLIP[outcome])
    return made


def _table(first: list[int], second: list[int]) -> Floats:
    """Every vote of the one with every vote of the other, together one, in both orientations."""
    table = np.zeros((3, 3))
    share = 1 / (len(first) * len(second))
    for one in first:
        for other in second:
            table[one, other] += share
    return np.asarray((table + table[::-1, ::-1]) / 2)


def _among(outcomes: list[int]) -> Floats:
    """Every two votes of a comparison, together one, in both orientations and both ways round."""
    pairs = list(combinations(outcomes, 2))
    made = sum((_table([one], [other]) for one, other in pairs), np.zeros((3, 3))) / len(pairs)
    return np.asarray((made + made.T) / 2)


# figures -------------------------------------------------------------------------------------------------------------


def _agreed(keys: list[Key], tables: list[Floats], rounds: int, seed: int) -> Agreed:
    whole = np.array(tables)
    names = {key[0]: None for key in keys}
    place = {name: index for index, name in enumerate(names)}
    clusters = np.zeros((len(names), 3, 3))
    np.add.at(clusters, [place[key[0]] for key in keys], whole)
    drawn = _resampled(len(names), rounds, seed) @ clusters.reshape(len(names), 9)
    total, stack = clusters.sum(axis=0), drawn.reshape(-1, 3, 3)
    same = _share(_estimate(observed(total), observed(stack)), len(names))
    return Agreed(
        len(keys),
        len(names),
        same,
        _share(_estimate(observed(total[_DECIDED]), observed(stack[:, [0, 2]][:, :, [0, 2]])), len(names)),
        _corrected(_estimate(kappas(total), kappas(stack)), same),
        _corrected(_estimate(correlations(total), correlations(stack)), same),
    )


def observed(tables: Floats) -> Floats:
    """Agreement of each of a stack of tables (… × k × k); nan without a unit."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.trace(tables, axis1=-2, axis2=-1) / tables.sum(axis=(-2, -1)))


def kappas(tables: Floats) -> Floats:
    """Cohen's κ = (p_o − p_e) / (1 − p_e) of each of a stack, p_e from both margins; nan where it is not defined."""
    with np.errstate(invalid="ignore", divide="ignore"):
        total = tables.sum(axis=(-2, -1))
        chance = (tables.sum(axis=-1) * tables.sum(axis=-2)).sum(axis=-1) / total**2
        return np.asarray(np.where(chance < 1, (observed(tables) - chance) / (1 - chance), np.nan))


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


def _share(found: Estimate, prompts: int) -> Estimate:
    """A share; where no resample varied, with Wilson's interval of one trial per prompt: wide on purpose."""
    if found.value is None or found.low is None or found.low != found.high:
        return found
    low, high = wilson(round(found.value * prompts), prompts)
    return Estimate(found.value, min(low, found.value), max(high, found.value))


def _corrected(found: Estimate, same: Estimate) -> Estimate:
    """A coefficient; where no resample varied, at most 2 p − 1 for the lowest agreement p there may be."""
    if found.value is None or found.low is None or found.low != found.high or same.low is None:
        return found
    return Estimate(found.value, min(found.value, 2 * same.low - 1), found.high)


def _by_category(
    common: list[Key],
    tables: list[Floats],
    people: Mapping[Key, _Unit],
    judged: Mapping[Key, _Unit],
    rounds: int,
    seed: int,
) -> dict[str, Agreed]:
    """By category, where votes have one: people's counts, the judge's where they gave none."""
    members: dict[str, list[int]] = {}
    for at, key in enumerate(common):
        members.setdefault(people[key].category or judged[key].category, []).append(at)
    members.pop("", None)
    return {
        name: _agreed([common[at] for at in members[name]], [tables[at] for at in members[name]], rounds, seed)
        for name in sorted(members)
    }


# resampling ----------------------------------------------------------------------------------------------------------


def _resampled(clusters: int, rounds: int, seed: int) -> NDArray[np.float64]:
    """How often each cluster is drawn in each round: rounds × clusters. No rounds where nothing could vary."""
    if clusters < 2:
        return np.zeros((0, clusters))
    random = np.random.default_rng(seed)
    return random.multinomial(clusters, np.full(clusters, 1 / clusters), size=rounds).astype(np.float64)


def _estimate(value: Floats, drawn: Floats) -> Estimate:
    """The figure and the percentiles of its resamples; those in which it is not defined say nothing."""
    if not np.isfinite(value):
        return Estimate(None, None, None)
    finite = drawn[np.isfinite(drawn)]
    if not len(finite):
        return Estimate(float(value), None, None)
    low, high = np.quantile(finite, [0.025, 0.975])
    return Estimate(float(value), float(low), float(high))


def _warnings(found: Agreed) -> list[str]:
    made = []
    if found.prompts < 2:
        made.append("one prompt: no interval, and no weight follows")
    elif found.prompts < 30:
        made.append(f"few prompts: with {found.prompts} the intervals are too narrow")
    if found.kappa.value is None:
        made.append("κ is not defined: all votes say the same")
    return made


def _nothing(people: Mapping[Key, _Unit], judged: Mapping[Key, _Unit]) -> str:
    one, other = (next(iter(units), None) for units in (people, judged))
    if one is None or other is None:
        return "calibration: the votes of one side name no prompt"
    shown = ["prompt {!r}, turn {!r}, {} against {}".format(*key) for key in (one, other)]
    return f"calibration: no comparison has votes of both. People: {shown[0]}, …; judge: {shown[1]}, …"
