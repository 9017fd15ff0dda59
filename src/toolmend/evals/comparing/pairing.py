"""Who is compared with whom, and which sample with which: by everything but what is compared.

Two samples are a pair when case, attempt and arm agree, and that half of the contestant which is not compared. What has
no partner is counted. The order in which samples come changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from toolmend.base.errors import BadOption, UnknownName
from toolmend.evals.metrics.outcomes import Played, SampleOutcome

By = Literal["model", "strategy", "contestant"]
Key = tuple[str, int, str, str]  # case, attempt, arm, the half of the contestant that is not compared


@dataclass(frozen=True)
class ComparedSide:
    """One of those compared: its name, its outcomes by what they are paired by, and how many could not be run."""

    name: str
    outcomes: Mapping[Key, SampleOutcome]
    errors: int = 0


@dataclass(frozen=True)
class PairedSides:
    """Two sides: their paired outcomes in the order of the keys, and what each has that the other has not."""

    a: ComparedSide
    b: ComparedSide
    both: tuple[tuple[SampleOutcome, SampleOutcome], ...]
    only_a: int
    only_b: int


def pair(a: ComparedSide, b: ComparedSide) -> PairedSides:
    """Every two outcomes that agree in all but what is compared."""
    common = sorted(a.outcomes.keys() & b.outcomes.keys())
    both = tuple((a.outcomes[key], b.outcomes[key]) for key in common)
    return PairedSides(a, b, both, len(a.outcomes) - len(common), len(b.outcomes) - len(common))


def couples(sides: Sequence[ComparedSide], against: str | None = None) -> list[tuple[ComparedSide, ComparedSide]]:
    """Every two sides, or each with the one that `against` names (a part of its name will do) as the first."""
    if against is None:
        return list(combinations(sides, 2))
    found = [side for side in sides if side.name == against] or [side for side in sides if against in side.name]
    if len(found) != 1:
        if found:
            raise BadOption(f"{against!r} may be any of {', '.join(side.name for side in found)}; give more of it")
        raise UnknownName("contestant", against, [side.name for side in sides])
    return [(found[0], side) for side in sides if side is not found[0]]


def sides_within(played: Played, by: By | None = None) -> tuple[By, list[ComparedSide]]:
    """The contestants of one run: by model, by strategy, or whole; what is compared when nobody says is what varies.

    Raises BadOption where there are not two.
    """
    models = _names(played, "model")
    strategies = _names(played, "strategy")
    chosen: By = by or ("model" if len(strategies) == 1 else "strategy" if len(models) == 1 else "contestant")
    names = {"model": models, "strategy": strategies, "contestant": _names(played, "contestant")}[chosen]
    if len(names) < 2:
        one = names[0] if names else "no contestant"
        raise BadOption(
            f"run {played.run.id} has one {chosen} only ({one}): nothing to compare it with; name a second run"
        )
    return chosen, [_side(name, chosen, played.outcomes, name) for name in names]


def sides_across(a: Played, b: Played) -> tuple[ComparedSide, ComparedSide]:
    """Two runs: contestants of the same name are paired. Where they share none, those that differ in one half, or the
    only one of each. Raises BadOption where that leaves a choice.
    """
    if a.run.id == b.run.id:
        raise BadOption(f"both are run {a.run.id}: name two runs, or one run alone to compare its contestants")
    names = [f"run {played.run.id[:8]}" for played in (a, b)]
    if set(_names(a, "contestant")) & set(_names(b, "contestant")):
        return _side(names[0], None, a.outcomes), _side(names[1], None, b.outcomes)
    for by in ("model", "strategy", "contestant"):
        others = [set(_names(played, _OTHER[by])) if by != "contestant" else {""} for played in (a, b)]
        singles = [_names(played, by) for played in (a, b)]
        if len(singles[0]) == len(singles[1]) == 1 and others[0] & others[1]:
            first, second = singles[0][0], singles[1][0]
            return _side(first, by, a.outcomes, first), _side(second, by, b.outcomes, second)
    raise BadOption(
        f"runs {a.run.id} and {b.run.id} have no contestant in common, and several each: nothing can be paired"
    )


_OTHER: Mapping[str, Literal["model", "strategy"]] = {"model": "strategy", "strategy": "model"}


def _side(name: str, by: str | None, outcomes: Iterable[SampleOutcome], only: str | None = None) -> ComparedSide:
    """The outcomes of a side: of the contestants whose compared half is `only`, or all, paired by the whole name."""
    mine = [outcome for outcome in outcomes if by is None or getattr(outcome, by) == only]
    rest = {"model": "strategy", "strategy": "model", None: "contestant"}.get(by)
    keyed = {
        (outcome.case, outcome.attempt, outcome.arm, str(getattr(outcome, rest)) if rest else ""): outcome
        for outcome in mine
        if outcome.ok
    }
    return ComparedSide(name, keyed, sum(not outcome.ok for outcome in mine))


def _names(played: Played, half: str) -> list[str]:
    """Different models, strategies or contestants that have samples, in the order in which they were named."""
    named = [f"{contestant.model} · {contestant.strategy}" for contestant in played.run.config.contestants]
    place = {name: number for number, name in enumerate(named)}
    there = sorted(
        {outcome.contestant: outcome for outcome in played.outcomes}.items(),
        key=lambda x: (place.get(x[0], len(place)), x[0]),
    )
    return list(dict.fromkeys(str(getattr(outcome, half)) for _, outcome in there))
