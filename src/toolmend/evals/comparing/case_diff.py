"""Where two sides differ: step by step what each said, and how it was marked. Pure; draws nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toolmend.base.mistakes import Mark
from toolmend.evals.metrics.outcomes import SampleOutcome, StepAnswers

Pair = tuple[SampleOutcome, SampleOutcome]


@dataclass(frozen=True, slots=True)
class Version:
    """What one side said first at a step in the attempt that is shown, its mistakes, the marks of all its replies."""

    reply: str
    mistakes: tuple[str, ...]
    marks: tuple[tuple[Mark, ...], ...]
    right: int


@dataclass(frozen=True, slots=True)
class CaseDifference:
    """A step at which marks differ, in `differ` of `attempts` paired attempts; shown is the first of those.

    `right` of a version counts attempts with a right first reply. `change` is the mean of B − A, where a right first
    reply is 1, a mended one a half. `of` is the half of the contestant that both sides have in common.
    """

    case: str
    step: int
    of: str
    asked: str
    attempts: int
    differ: int
    change: float
    a: Version
    b: Version


def differences(both: Sequence[Pair]) -> list[CaseDifference]:
    """Every step at which marks differ, those that changed most first, then by name."""
    places: dict[tuple[str, str, int], list[tuple[StepAnswers, StepAnswers]]] = {}
    for a, b in both:
        for step in sorted(a.steps.keys() & b.steps.keys()):
            places.setdefault((a.case, common_half(a, b), step), []).append((a.steps[step], b.steps[step]))
    found = [_difference(*place, pairs) for place, pairs in places.items() if any(_differ(*pair) for pair in pairs)]
    return sorted(
        found, key=lambda diff: (-abs(diff.change), -diff.differ / diff.attempts, diff.case, diff.of, diff.step)
    )


def common_half(a: SampleOutcome, b: SampleOutcome) -> str:
    """The half of the contestant that two outcomes share; "" where they share none, the whole where both."""
    halves = [ours for ours, theirs in ((a.model, b.model), (a.strategy, b.strategy)) if ours == theirs]
    return " · ".join(halves)


def _difference(case: str, of: str, step: int, pairs: Sequence[tuple[StepAnswers, StepAnswers]]) -> CaseDifference:
    shown = next(pair for pair in pairs if _differ(*pair))
    change = sum(b.score - a.score for a, b in pairs) / len(pairs)
    right = [sum(said.right[0] for said in side) for side in zip(*pairs, strict=True)]
    a, b = (Version(said.reply, said.mistakes, said.marks, hits) for said, hits in zip(shown, right, strict=True))
    differ = sum(_differ(*pair) for pair in pairs)
    return CaseDifference(case, step, of, shown[0].asked, len(pairs), differ, round(change, 9), a, b)


def _differ(a: StepAnswers, b: StepAnswers) -> bool:
    return a.marks != b.marks
