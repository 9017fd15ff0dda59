"""Contestants or runs compared on the same requests: differences, intervals, tests. docs/comparing.md.

A difference is always B − A. Every p-value and interval is computed by stats.py; who is paired with whom is decided by
pairing.py. Knows outcomes; draws nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from toolmend.base import stats
from toolmend.base.errors import BadOption
from toolmend.evals.comparing.case_diff import CaseDifference, differences
from toolmend.evals.comparing.figures import BY_STRATEGY, FIGURES, Figure
from toolmend.evals.comparing.pairing import By, ComparedSide, PairedSides, couples, pair, sides_across, sides_within
from toolmend.evals.metrics.outcomes import Played, SampleOutcome
from toolmend.evals.store import RunConfig

ALPHA = 0.05
FEW = 10  # clusters under which a bootstrap interval is too narrow (stats.bootstrap_mean)


@dataclass(frozen=True, slots=True)
class Compared:
    """One figure of two sides on what both have: means, difference B − A with its 95 % interval, and its test.

    `pairs` are requests (or dialogues), `cases` the clusters; `only_a` and `only_b` count what one side alone has.
    `p` is None where nothing could be tested; `p_holm` is adjusted over everything shown.
    """

    figure: str
    pairs: int
    cases: int
    only_a: int
    only_b: int
    a: float | None = None
    b: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    test: str | None = None
    p: float | None = None
    p_holm: float | None = None

    @property
    def beyond_chance(self) -> bool:
        """Whether the difference is significant after Holm."""
        return self.p_holm is not None and self.p_holm < ALPHA


@dataclass(frozen=True)
class Contrast:
    """Two sides with all their figures and the steps at which they differ, the clearest first."""

    a: str
    b: str
    paired: int
    only_a: int
    only_b: int
    errors_a: int
    errors_b: int
    figures: tuple[Compared, ...]
    cases: tuple[CaseDifference, ...]


@dataclass(frozen=True)
class Comparison:
    """Everything that was compared. `by` is None for two runs; `differs` is what differs in their configurations."""

    runs: tuple[Played, ...]
    by: By | None
    contrasts: tuple[Contrast, ...]
    differs: tuple[tuple[str, Any, Any], ...]
    notes: tuple[str, ...]


def compare_within(played: Played, by: By | None = None, against: str | None = None) -> Comparison:
    """The contestants of one run with each other. Raises BadOption where there are not two."""
    chosen, sides = sides_within(played, by)
    made = contrasts(couples(sides, against))
    return Comparison((played,), chosen, made, (), _notes(made))


def compare_runs(a: Played, b: Played, *, anyway: bool = False) -> Comparison:
    """Two runs. Raises BadOption where nothing can be paired, and for different suites unless `anyway`."""
    differs = tuple(configuration(a, b))
    notes = check_suites(a, b, anyway=anyway)
    made = contrasts([sides_across(a, b)])
    return Comparison((a, b), None, made, differs, (*notes, *_notes(made)))


def check_suites(a: Played, b: Played, *, anyway: bool) -> list[str]:
    """A note where the suites differ. Raises BadOption unless `anyway`: then what has the same name is compared."""
    ours, theirs = a.run.config, b.run.config
    if (ours.suite, ours.suite_hash) == (theirs.suite, theirs.suite_hash):
        return []
    each_played = [
        f"run {played.run.id} played '{played.run.config.suite}' ({played.run.config.suite_hash})" for played in (a, b)
    ]
    what = " and ".join(each_played)
    if not anyway:
        raise BadOption(f"{what}: not the same suite")
    return [f"{what}: not the same suite; cases with the same name are compared"]


def contrasts(pairs: Sequence[tuple[ComparedSide, ComparedSide]]) -> tuple[Contrast, ...]:
    """Each couple compared; p-values adjusted over all of them together. Raises BadOption if nothing can be paired."""
    paired = [pair(a, b) for a, b in pairs]
    if not any(couple.both for couple in paired):
        raise BadOption("nothing can be compared: no case, attempt and arm that both have played")
    figures = [[compared(figure, couple) for figure in _figures(couple)] for couple in paired]
    adjusted = iter(_adjusted([figure for row in figures for figure in row]))
    return tuple(
        Contrast(
            couple.a.name,
            couple.b.name,
            len(couple.both),
            couple.only_a,
            couple.only_b,
            couple.a.errors,
            couple.b.errors,
            tuple(next(adjusted) for _ in row),
            tuple(differences(couple.both)),
        )
        for couple, row in zip(paired, figures, strict=True)
    )


def _figures(pairs: PairedSides) -> list[Figure]:
    """What is compared: the costs of single requests only between strategies, for every test costs the others power."""
    strategies = any(a.strategy != b.strategy for a, b in pairs.both)
    return [figure for figure in FIGURES if strategies or figure.name not in BY_STRATEGY]


@dataclass(frozen=True)
class Trials:
    """One figure of two sides: the values both have, with the case of each, and how many one side alone has."""

    cases: tuple[str, ...]
    a: tuple[float, ...]
    b: tuple[float, ...]
    only_a: int
    only_b: int

    def by_case(self) -> list[float]:
        """The mean of B − A of each case, rounded so that equal differences are equal."""
        sums: dict[str, tuple[float, int]] = {}
        for case, a, b in zip(self.cases, self.a, self.b, strict=True):
            total, number = sums.get(case, (0.0, 0))
            sums[case] = (total + b - a, number + 1)
        return [round(total / number, 9) for total, number in sums.values()]


def trials(figure: Figure, both: Sequence[tuple[SampleOutcome, SampleOutcome]]) -> Trials:
    """What both outcomes of each pair have of a figure, in the order of the pairs and their steps."""
    found = []
    only_a = only_b = 0
    for a, b in both:
        ours, theirs = a.values.get(figure.name, {}), b.values.get(figure.name, {})
        common = sorted(ours.keys() & theirs.keys())
        found += [(a.case, ours[place], theirs[place]) for place in common]
        only_a += len(ours) - len(common)
        only_b += len(theirs) - len(common)
    cases, first, second = zip(*found, strict=True) if found else ((), (), ())
    return Trials(cases, first, second, only_a, only_b)


def compared(figure: Figure, pairs: PairedSides) -> Compared:
    """One figure of two sides; p-values not adjusted yet."""
    both = trials(figure, pairs.both)
    number = len(both.cases)
    made = Compared(figure.name, number, len(set(both.cases)), both.only_a, both.only_b)
    if not number:
        return made
    a, b = sum(both.a) / number, sum(both.b) / number
    low, high = _interval(figure, both)
    made = replace(made, a=a, b=b, difference=round(b - a, 12), low=low, high=high)
    if is_single(figure, both):
        won, lost = (sum(x > y for x, y in zip(*sides, strict=True)) for sides in ((both.b, both.a), (both.a, both.b)))
        return replace(made, test="mcnemar", p=stats.mcnemar(won, lost))
    scores = both.by_case()
    return replace(made, test="wilcoxon", p=stats.wilcoxon(scores, [0.0] * len(scores)))


def is_single(figure: Figure, both: Trials) -> bool:
    """Whether these are single independent trials, right or wrong: one of each case. Else scores by case are tested."""
    return figure.unit == "%" and figure.name != "net_fix" and len(set(both.cases)) == len(both.cases)


def _interval(figure: Figure, both: Trials) -> tuple[float | None, float | None]:
    """The interval of B − A; none where all cases differ by the same: one of no width would claim too much."""
    if figure.unit == "%" and figure.name != "net_fix":
        return stats.diff_interval([bool(b) for b in both.b], [bool(a) for a in both.a], both.cases)
    found = stats.paired_bootstrap(both.b, both.a, both.cases)
    return found if found and found[0] < found[1] else (None, None)


def _adjusted(family: Sequence[Compared]) -> Iterator[Compared]:
    adjusted = iter(stats.holm([figure.p for figure in family if figure.p is not None]))
    for figure in family:
        yield figure if figure.p is None else replace(figure, p_holm=next(adjusted))


def _notes(made: Sequence[Contrast]) -> tuple[str, ...]:
    """What a reader should know of the numbers: too few cases."""
    notes = []
    tested = [figure for contrast in made for figure in contrast.figures if figure.p is not None]
    most = max(figure.cases for figure in tested)
    few = f"{most} cases are" if most > 1 else "1 case is"
    if most < FEW:
        notes.append(f"{few} few: intervals from under {FEW} are too narrow")
    if stats.mcnemar(0, most) * len(tested) >= ALPHA:
        tests = f"{len(tested)} tests" if len(tested) > 1 else "a test"
        notes.append(f"{few} too few for {tests}: no difference, however clear, could be significant")
    return tuple(notes)


def configuration(a: Played, b: Played) -> Iterator[tuple[str, Any, Any]]:
    """Every field in which the configurations of two runs differ, with both values; None where one has none.

    A contestant that only one of them has is one field.
    """
    ours, theirs = (_by_name(played.run.config) for played in (a, b))
    for name in sorted(ours["contestants"].keys() ^ theirs["contestants"].keys()):
        for config in (ours, theirs):
            if config["contestants"].pop(name, None) is not None:
                config["contestants"][name] = "played"
    first, second = (dict(_flat("", config)) for config in (ours, theirs))
    for name in dict.fromkeys([*first, *second]):
        if first.get(name) != second.get(name) and name != "settings.suite_path":
            yield name, first.get(name), second.get(name)


def _by_name(config: RunConfig) -> dict[str, Any]:
    """A configuration with contestants and experiments as mappings by name: each is compared with its like."""
    data = config.to_json()
    experiments = {experiment["id"]: experiment for experiment in data["settings"].get("experiments", ())}
    contestants = {
        f"{contestant.model} · {contestant.strategy}": {
            "prompt_hash": contestant.prompt_hash,
            "options": dict(contestant.options),
        }
        for contestant in config.contestants
    }
    return {**data, "contestants": contestants, "settings": {**data["settings"], "experiments": experiments}}


def _flat(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            yield from _flat(f"{name}.{key}" if name else str(key), item)
    else:
        yield name, value
