"""The published notation: each table of the calendar experiment by that table's own rule, published rows beside it.

4.1 ✓ for the expected call as printed; 4.2 ✔ for every valid call with 🍄 beside it, the unsaid year being one mistake
that "The current year is 2024." corrects; 4.3 🥦 only when the reply is clean, 🔥 from two mistakes. The recap counts
glyphs. Source: Keras chatbot arena blog, 2024-12-05, sections 4 and 5. Never mixed into toolmend's own rates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from toolmend.base.events import Asked, Corrected, Read, Replied
from toolmend.base.messages import ToolSpec
from toolmend.base.mistakes import Correction, Kind, Mark, Mistake
from toolmend.evals.store import Sample
from toolmend.evals.suites.suite import Case, Step, Suite
from toolmend.grading import Expected, ExpectedCall, Grade, GradedTurn, grade, mark_history
from toolmend.reading import read_python
from toolmend.tools import Toolbox

ATTEMPTS_41, ATTEMPTS_43 = 5, 3
_COUNTED = (Mark.CORRECT, Mark.FIXED, Mark.MISTAKE, Mark.GARBAGE)


@dataclass(frozen=True)
class BlogLine:
    """One line of table 4.2: what was said, whether it was a correction, and the marks."""

    said: str
    correction: bool
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Tables:
    """One contestant in the published notation. Empty where the run had no such experiment."""

    reliability: tuple[Mark, ...]
    complete: tuple[BlogLine, ...]
    gave_up: bool
    fixing: dict[str, tuple[Mark, ...]]

    def recap(self) -> dict[str, int]:
        """Glyphs of all three tables: correct, fixed, mistake (recurring ones included), garbage (🔥🔥 is two)."""
        marks = Counter([*self.reliability, *(m for line in self.complete for m in line.marks)])
        marks.update(mark for cell in self.fixing.values() for mark in cell)
        marks[Mark.MISTAKE] += marks[Mark.RECURRING]
        return {mark.value: marks[mark] for mark in _COUNTED}


def tables(suite: Suite, samples: Iterable[Sample]) -> Tables:
    """The tables of one contestant's finished samples; attempts beyond the published number are left out."""
    specs = Toolbox.load(suite.tools).specs
    cases = suite.cases()
    by_experiment: dict[str, list[tuple[Sample, Case]]] = {}
    for sample in sorted(samples, key=lambda sample: sample.attempt):
        if sample.status == "ok" and sample.case in cases:
            by_experiment.setdefault(sample.case.split("/")[0], []).append((sample, cases[sample.case]))
    first = [
        _reliability(s, case, specs) for s, case in by_experiment.get("reliability", []) if s.attempt < ATTEMPTS_41
    ]
    lines, gave_up = next(
        iter(_complete(s, case, specs) for s, case in by_experiment.get("complete", []) if s.attempt == 0), ((), False)
    )
    cells: dict[str, list[Mark]] = {}
    shown = shown_cases(suite)
    for sample, case in by_experiment.get("fixing", []):
        if sample.attempt < ATTEMPTS_43 and case.id == shown.get(case.group):
            cells.setdefault(case.group, []).extend(_fixing(sample))
    return Tables(tuple(first), lines, gave_up, {group: tuple(marks) for group, marks in cells.items()})


def shown_cases(suite: Suite) -> dict[str, str]:
    """The first case of each group of mistakes, by group: the published table has one of each."""
    first: dict[str, str] = {}
    for case in (case for experiment in suite.experiments if experiment.id == "fixing" for case in experiment.cases):
        first.setdefault(case.group, case.id)
    return first


def _reliability(sample: Sample, case: Case, specs: Sequence[ToolSpec]) -> Mark:
    graded = grade(_replies(sample)[0], _printed(case.steps[0], specs), specs)
    if not graded.mistakes:
        return Mark.CORRECT
    return Mark.MISTAKE if graded.valid_call else Mark.GARBAGE


def _fixing(sample: Sample) -> Iterable[Mark]:
    if len(sample.marked) < 2:
        return []
    reply = sample.marked[1]
    if not reply.mistakes:
        return [Mark.FIXED]
    return [Mark.MISTAKE if len(reply.mistakes) == 1 and reply.valid_call else Mark.GARBAGE]


def _complete(sample: Sample, case: Case, specs: Sequence[ToolSpec]) -> tuple[tuple[BlogLine, ...], bool]:
    replies = _replies(sample)
    asked = {event.turn: event.text for event in sample.events if isinstance(event, Asked)}
    corrections = {event.turn: event.correction for event in sample.events if isinstance(event, Corrected)}
    turns, said, valid = [], [], []
    for marked in sample.marked:
        step = case.steps[marked.step or 0]
        graded = _graded(replies[marked.turn], case, marked.step or 0, specs)
        correction = corrections.get(marked.turn)
        if correction is None and step.corrects:
            correction = Correction(step.say, 3, Mistake(Kind.WRONG_VALUE, step.corrects))
        turns.append(GradedTurn(graded, correction, _row(case, marked.step or 0)))
        said.append((asked[marked.turn], correction is not None))
        valid.append(graded.valid_call)
    marks = mark_history(turns)
    lines = [
        BlogLine(text, corrected, _glyphs_42(row, corrected, ok))
        for (text, corrected), row, ok in zip(said, marks, valid, strict=True)
    ]
    return tuple(lines), len({turn.step for turn in turns}) < len({_row(case, n) for n in range(len(case.steps))})


def _replies(sample: Sample) -> dict[int, str]:
    """The last reply of each turn, as the person heard it: a strategy that computes its calls tells them in full."""
    replies = {event.turn: event.text for event in sample.events if isinstance(event, Replied)}
    return replies | {event.turn: event.told for event in sample.events if isinstance(event, Read) and event.told}


def _row(case: Case, number: int) -> int:
    """A step whose words correct the one before is part of that one."""
    return number - 1 if case.steps[number].corrects else number


def _graded(text: str, case: Case, number: int, specs: Sequence[ToolSpec]) -> Grade:
    step = case.steps[number]
    if step.forced and number + 1 < len(case.steps) and case.steps[number + 1].corrects == step.forced:
        step = case.steps[number + 1]
    return grade(text, _printed(step, specs), specs)


def _printed(step: Step, specs: Sequence[ToolSpec]) -> Expected:
    calls = read_python(step.reference, specs, lenient=False).calls
    return replace(step.expected, calls=tuple(ExpectedCall(call.tool, dict(call.arguments)) for call in calls))


def _glyphs_42(marks: tuple[Mark, ...], correction: bool, valid: bool) -> tuple[Mark, ...]:
    if correction or not valid or Mark.CORRECT in marks:
        return marks
    return (Mark.CORRECT, *marks) if Mark.GARBAGE not in marks else marks
