"""From the mistakes of one reply to its marks. Marks over a conversation are history.py's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from toolmend.base.mistakes import Kind, Mark, Mistake

_MANY = 3
_CORRECT = (Mark.CORRECT,)
_GARBAGE = (Mark.GARBAGE,)
_JUNK = (Mark.GARBAGE, Mark.GARBAGE)


def marks_of(mistakes: Sequence[Mistake], valid_call: bool, junk: bool = False) -> tuple[Mark, ...]:
    """The marks of a reply by itself.

    No mistake: correct. Three or more, or junk repeated: garbage twice. No recognisable call where one was due:
    garbage. Else one mistake mark a mistake.
    """
    if not mistakes:
        return _CORRECT
    if junk or len(mistakes) >= _MANY:
        return _JUNK
    if any(mistake.kind is Kind.NO_CALL or (mistake.kind is Kind.SYNTAX and not valid_call) for mistake in mistakes):
        return _GARBAGE
    return (Mark.MISTAKE,) * len(mistakes)


def is_junk(mistakes: Sequence[Mistake], rest: str) -> bool:
    """Whether a reply repeats itself: three repeated calls, or one line of its text three times."""
    if sum(mistake.kind is Kind.REPEATED_CALL for mistake in mistakes) >= _MANY:
        return True
    if rest.count("\n") < _MANY - 1:
        return False
    lines = Counter(line.strip() for line in rest.split("\n") if any(map(str.isalnum, line)))
    return max(lines.values(), default=0) >= _MANY
