"""Is a suite graded as it should be? Every reference must be accepted, every mutant refused for the right reason.

Knows suites only as what their steps expect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from toolmend.grading.compare import table_of
from toolmend.grading.expected import Expected
from toolmend.grading.grade import grade
from toolmend.grading.mutants import Key, Specimen, mutants, references, without_example
from toolmend.messages import ToolSpec


@dataclass(frozen=True, slots=True)
class SelfTestTrial:
    """One reply that was graded: what should have been found and what was. `step` counts from 0."""

    step: int
    name: str
    argument: str | None
    text: str
    due: frozenset[Key]
    got: frozenset[Key]
    problem: str = ""

    @property
    def ok(self) -> bool:
        """Whether exactly the due mistakes were found."""
        return not self.problem and self.due == self.got

    def __str__(self) -> str:
        """One line for a person: `step 1: dropped argument (date): due missing_argument(date), got none: f(…)`."""
        where = f"step {self.step + 1}: {self.name}{f' ({self.argument})' if self.argument else ''}"
        if self.problem:
            return f"{where}: {self.problem}"
        return f"{where}: due {_listed(self.due)}, got {_listed(self.got)}: {self.text}"


def _listed(keys: frozenset[Key]) -> str:
    names = [f"{kind}({argument})" if argument else kind for kind, argument in keys]
    return ", ".join(sorted(names)) or "none"


@dataclass(frozen=True, slots=True)
class SelfTestReport:
    """Every reference and mutant with its outcome."""

    trials: tuple[SelfTestTrial, ...]

    @property
    def ok(self) -> bool:
        """Whether there is no failure."""
        return all(trial.ok for trial in self.trials)

    @property
    def failures(self) -> tuple[SelfTestTrial, ...]:
        """What was not graded as it should be."""
        return tuple(trial for trial in self.trials if not trial.ok)

    @property
    def counts(self) -> dict[str, tuple[int, int]]:
        """Per name of reference or mutant: how many were graded as they should be, of how many."""
        right = Counter(trial.name for trial in self.trials if trial.ok)
        return {name: (right[name], total) for name, total in Counter(trial.name for trial in self.trials).items()}


def self_test(steps: Iterable[Expected], specs: Sequence[ToolSpec]) -> SelfTestReport:
    """Grade every reference and every mutant of every step, as text. Raises UnknownName, BadOption for broken steps."""
    trials: list[SelfTestTrial] = []
    table = table_of(specs)
    for place, expected in enumerate(steps):
        blind = without_example(expected)
        if blind:
            problem = f"the pattern of {', '.join(blind)} has no example; add one to let it be tested"
            trials.append(SelfTestTrial(place, "reference", blind[0], "", frozenset(), frozenset(), problem))
            continue
        for specimen in (*references(expected, table), *mutants(expected, table)):
            trials.append(_tried(place, specimen, expected, specs))
    return SelfTestReport(tuple(trials))


def _tried(place: int, specimen: Specimen, expected: Expected, specs: Sequence[ToolSpec]) -> SelfTestTrial:
    got = frozenset(mistake.key for mistake in grade(specimen.text, expected, specs).mistakes)
    return SelfTestTrial(place, specimen.name, specimen.argument, specimen.text, specimen.due, got)
