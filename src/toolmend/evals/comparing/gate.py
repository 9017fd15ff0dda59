"""Whether a run is worse than an earlier one, for somebody's CI: yes only beyond chance and by as much as matters.

A rate fails when the one-sided paired test says it is worse (p after Holm over the gated rates below ALPHA) and it is
worse by at least `drop`. docs/comparing.md. Knows outcomes; draws nothing, and no exit code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from toolmend.base import stats
from toolmend.base.errors import BadOption, UnknownName
from toolmend.evals.comparing.case_diff import CaseDifference, differences
from toolmend.evals.comparing.compare import Trials, check_suites, compared, configuration, is_single, trials
from toolmend.evals.comparing.figures import BY_NAME, SHARES, Figure
from toolmend.evals.comparing.pairing import PairedSides, pair, sides_across
from toolmend.evals.metrics.outcomes import Played

SCHEMA = 1
RATES = ("first_right", "fix_at_1", "regress", "done")
POWER = 0.8
ALPHA = 0.05
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Gated:
    """One rate of the base and the run on what both have. `worse` is how much worse the run is (negative: better).

    `p` is one-sided, `p_holm` adjusted over the gated rates; both None where nothing was tested. `detectable` is the
    smallest worsening that so many cases show in four runs of five; None where that cannot be told.
    """

    figure: str
    pairs: int
    cases: int
    base: float | None = None
    run: float | None = None
    worse: float | None = None
    low: float | None = None
    high: float | None = None
    test: str | None = None
    p: float | None = None
    p_holm: float | None = None
    detectable: float | None = None
    failed: bool = False


@dataclass(frozen=True)
class GateReport:
    """What came of it. `worse` are the steps whose replies got worse, those that lost most first; `a` is the base."""

    run: Played
    base: Played
    drop: float
    rates: tuple[Gated, ...]
    worse: tuple[CaseDifference, ...]
    differs: tuple[tuple[str, Any, Any], ...]
    notes: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether no rate failed."""
        return not any(rate.failed for rate in self.rates)


def gate(
    run: Played,
    base: Played,
    *,
    rates: Sequence[str] = RATES,
    drop: float = 0.05,
) -> GateReport:
    """Judge a run by an earlier one. Raises BadOption where they cannot be compared, UnknownName for a rate."""
    figures = [_figure(name) for name in dict.fromkeys(rates)]
    notes = check_suites(base, run, anyway=False)
    pairs = pair(*sides_across(base, run))
    both = {figure.name: trials(figure, pairs.both) for figure in figures}
    found = [_measured(figure, pairs, both[figure.name]) for figure in figures]
    tested = [rate.p for rate in found if rate.p is not None]
    if not tested:
        names = ", ".join(figure.label for figure in figures)
        raise BadOption(f"nothing can be compared: no case, attempt and arm for which both runs have {names}")
    adjusted = iter(stats.holm(tested))
    made = [
        rate if rate.p is None else _judged(rate, next(adjusted), both[rate.figure], drop, len(tested))
        for rate in found
    ]
    worse = [difference for difference in differences(pairs.both) if difference.change < 0]
    differs = tuple(configuration(base, run))
    return GateReport(run, base, drop, tuple(made), tuple(worse), differs, (*notes, *_notes(pairs, made, drop)))


def _figure(name: str) -> Figure:
    if name not in SHARES:
        raise UnknownName("rate", name, SHARES)
    return BY_NAME[name]


def _measured(figure: Figure, pairs: PairedSides, both: Trials) -> Gated:
    """A rate with its one-sided p, not judged yet."""
    seen = compared(figure, pairs)
    made = Gated(figure.name, seen.pairs, seen.cases, seen.a, seen.b)
    if seen.difference is None:
        return made
    ends = sorted(-figure.better * end for end in (seen.low, seen.high) if end is not None)
    low, high = ends or (None, None)
    if is_single(figure, both):
        lost, won = (sum(x > y for x, y in zip(*way, strict=True)) for way in ((both.a, both.b), (both.b, both.a)))
        p = stats.mcnemar(*((lost, won) if figure.better > 0 else (won, lost)), one_sided=True)
    else:
        scores = [-figure.better * score for score in both.by_case()]
        p = stats.wilcoxon(scores, [0.0] * len(scores), one_sided=True)
    return replace(made, worse=-figure.better * seen.difference, low=low, high=high, test=seen.test, p=p)


def _judged(rate: Gated, p_holm: float, both: Trials, drop: float, tests: int) -> Gated:
    failed = p_holm < ALPHA and rate.worse is not None and rate.worse > 0 and rate.worse >= drop - _ROUNDING
    least = stats.detectable(both.by_case(), ALPHA / tests, POWER)
    return replace(rate, p_holm=p_holm, detectable=least, failed=failed)


def _notes(pairs: PairedSides, made: Sequence[Gated], drop: float) -> Iterator[str]:
    """What could not be paired, and which rates this sample is too small for."""
    if pairs.only_a:
        yield f"samples of the base without a partner in the run, counted nowhere: {pairs.only_a}"
    if pairs.only_b:
        yield f"samples of the run without a partner in the base, counted nowhere: {pairs.only_b}"
    if pairs.b.errors:
        yield f"samples of the run that could not be run, counted nowhere: {pairs.b.errors}"
    for rate in made:
        label = BY_NAME[rate.figure].label
        if rate.p is None:
            yield f"{label}: no pair has it, so it was not tested"
        elif not rate.failed and (rate.detectable is None or rate.detectable > max(drop, 0.01)):
            many = f"{rate.cases} case{'s' if rate.cases > 1 else ''}"
            if rate.detectable is None or rate.detectable > 1:
                yield f"{label}: {many} cannot show any drop; play more cases"
            else:
                least = f"{100 * rate.detectable:.0f} %"
                yield f"{label}: {many} show a drop (four times in five) from {least} on, not one of {100 * drop:.0f} %"


def to_json(made: GateReport) -> dict[str, Any]:
    """A judgement as JSON-able data: docs/comparing.md names every field."""
    return {
        "schema": SCHEMA,
        "passed": made.passed,
        "run": made.run.run.head(),
        "base": made.base.run.head(),
        "drop": made.drop,
        "alpha": ALPHA,
        "rates": [asdict(rate) for rate in made.rates],
        "worse": [asdict(difference) for difference in made.worse],
        "differs": [{"field": name, "base": base, "run": run} for name, base, run in made.differs],
        "notes": list(made.notes),
    }
