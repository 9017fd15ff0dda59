"""Marks over a conversation: what a correction fixed, what keeps coming back, what was right and went wrong.

A pure function of the graded replies and the corrections between them; docs/measures.md is the law.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from toolmend.base.mistakes import Correction, Kind, Mark, Mistake
from toolmend.grading.grade import Grade

Key = tuple[str, str | None]

_OFTEN = 3
_ARGUMENT_KINDS = frozenset(
    {Kind.MISSING_ARGUMENT, Kind.UNKNOWN_ARGUMENT, Kind.WRONG_VALUE, Kind.WRONG_FORMAT, Kind.WRONG_TYPE}
)
# A mistake is not fixed by becoming one of its kin: another wrong name, another call too many.
_KIN = {
    Kind.UNKNOWN_TOOL: {Kind.UNKNOWN_TOOL, Kind.WRONG_TOOL, Kind.MISSING_CALL},
    Kind.WRONG_TOOL: {Kind.UNKNOWN_TOOL, Kind.WRONG_TOOL, Kind.MISSING_CALL},
    Kind.MISSING_CALL: {Kind.MISSING_CALL, Kind.WRONG_TOOL},
    Kind.EXTRA_CALL: {Kind.EXTRA_CALL, Kind.REPEATED_CALL},
    Kind.REPEATED_CALL: {Kind.EXTRA_CALL, Kind.REPEATED_CALL},
}


@dataclass(frozen=True, slots=True)
class GradedTurn:
    """A graded reply. `correction` is the one it answers, None after a new request; `step` the step it belongs to."""

    grade: Grade
    correction: Correction | None = None
    step: int = 0


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """What became of a reply in its conversation.

    `fixed_named`: the mistake that the correction named is gone; `fixed_clean`: wrong before, nothing wrong now;
    `regressed`: right before the correction, wrong now; `recurring`: the mistakes (kind, argument) that recur.
    """

    fixed_named: bool = False
    fixed_clean: bool = False
    regressed: bool = False
    recurring: frozenset[Key] = frozenset()
    marks: tuple[Mark, ...] = ()


def outcomes(turns: Sequence[GradedTurn]) -> tuple[StepOutcome, ...]:
    """What became of every reply of one conversation, in order. A correction answers the reply just before it."""
    recurring = _recurring(turns)
    return tuple(_outcome(turns, place, recurring) for place in range(len(turns)))


def mark_history(turns: Sequence[GradedTurn]) -> tuple[tuple[Mark, ...], ...]:
    """The marks of every reply of one conversation, in order: `(FIXED, MISTAKE)` and the like."""
    return tuple(outcome.marks for outcome in outcomes(turns))


def _outcome(turns: Sequence[GradedTurn], place: int, recurring: frozenset[Key]) -> StepOutcome:
    turn = turns[place]
    now = turn.grade
    mine = recurring.intersection(mistake.key for mistake in now.mistakes)
    named = clean = regressed = False
    if turn.correction is not None and place > 0:
        before = turns[place - 1].grade
        clean = bool(before.mistakes) and not now.mistakes
        regressed = not before.mistakes and bool(now.mistakes)
        mistake = turn.correction.mistake
        was_there = mistake is not None and mistake.key in {other.key for other in before.mistakes}
        named = mistake is not None and was_there and is_gone(mistake, now)
    marks = _marks(now, mine, fixed=named or clean, regressed=regressed)
    return StepOutcome(named, clean, regressed, mine, marks)


def _marks(now: Grade, recurring: frozenset[Key], fixed: bool, regressed: bool) -> tuple[Mark, ...]:
    first = (Mark.FIXED,) if fixed else (Mark.REGRESSED,) if regressed else ()
    if not now.mistakes:
        return first or now.marks
    if Mark.MISTAKE not in now.marks:
        return first + now.marks
    again = sum(mistake.key in recurring for mistake in now.mistakes)
    return first + (Mark.MISTAKE,) * (len(now.mistakes) - again) + (Mark.RECURRING,) * again


def is_gone(named: Mistake, now: Grade) -> bool:
    """Whether a reply is free of a mistake that was named: seen to be, not hidden by a worse one.

    A wrong value is gone when only its notation is wrong; a missing argument when it is there; every other mistake of
    an argument when nothing is wrong with the argument; what was wrong with the world when that part of it is right.
    """
    kinds = {mistake.kind for mistake in now.mistakes}
    if Kind.NO_CALL in kinds or (Kind.SYNTAX in kinds and not now.valid_call):
        return False
    if named.kind is Kind.WRONG_STATE:
        return all(mistake.key != named.key for mistake in now.mistakes)
    if named.kind in _ARGUMENT_KINDS:
        return not any(_still(named, mistake) for mistake in now.mistakes)
    return kinds.isdisjoint(_KIN.get(named.kind, {named.kind}))


def _still(named: Mistake, mistake: Mistake) -> bool:
    if mistake.kind in (Kind.WRONG_TOOL, Kind.MISSING_CALL, Kind.UNKNOWN_TOOL):
        # the arguments were not looked at, unless only the receiver is wrong
        bare = str(mistake.got).rpartition(".")[2] == str(mistake.tool).rpartition(".")[2]
        hidden = mistake.kind is not Kind.UNKNOWN_TOOL or not bare
        return hidden and named.tool in (None, mistake.tool)
    if mistake.argument != named.argument:
        return False
    if named.kind is Kind.WRONG_VALUE:
        return mistake.kind is not Kind.WRONG_FORMAT
    if named.kind in (Kind.MISSING_ARGUMENT, Kind.UNKNOWN_ARGUMENT):
        return mistake.kind is named.kind
    return True


def _recurring(turns: Sequence[GradedTurn]) -> frozenset[Key]:
    """Mistakes made again although a correction named them, or made in three replies."""
    replies: Counter[Key] = Counter()
    corrected: set[Key] = set()
    found: set[Key] = set()
    for place, turn in enumerate(turns):
        named = turn.correction.mistake if turn.correction else None
        if named is not None and place and named.key in {other.key for other in turns[place - 1].grade.mistakes}:
            corrected.add(named.key)
        keys = {mistake.key for mistake in turn.grade.mistakes}
        found |= keys & corrected
        replies.update(keys)
    return frozenset(found | {key for key, count in replies.items() if count >= _OFTEN})
