"""What one turn of a talk came to, as a frozen value. Knows nothing of how it came about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from toolmend.base.messages import Call, CallResult, Usage
from toolmend.language.resolve.background import Open
from toolmend.reading import Reading


@dataclass(frozen=True, slots=True)
class Answer:
    """What one turn came to. `str()` is the raw text of the last reply.

    `reading` holds the calls that count: those that took effect, and those of the last reply. `amends` is the index of
    the turn it corrects; `redone` tells that no call that could be made came back and the undone ones were put back;
    `kept` are calls that could not be undone and still stand. `stopped` names the guard that ended the turn, "" if
    none did (guards.py). `open` is the call that waits for an answer, where the turn ended with a question; `restored`
    are calls that an earlier turn had replaced and that stand again; `reverts` are the turns that this one took back.
    """

    turn: int
    text: str
    reading: Reading
    calls: tuple[Call, ...] = ()
    results: tuple[CallResult, ...] = ()
    usage: Usage = Usage()
    amends: int | None = None
    undone: tuple[str, ...] = ()
    redone: bool = False
    kept: tuple[str, ...] = ()
    truncated: bool = False
    stopped: str = ""
    open: Open | None = None
    restored: tuple[str, ...] = ()
    reverts: tuple[int, ...] = ()

    def __str__(self) -> str:
        """The raw text, so that printing an answer shows what the model said."""
        return self.text

    @property
    def standing(self) -> tuple[Call, ...]:
        """The calls of this turn that took effect and were not taken back within it."""
        return tuple(call for call, result in zip(self.calls, self.results, strict=True) if result.ok)


def deeds(answers: Sequence[Answer], count: int) -> list[Answer]:
    """The last answers that did something and were not taken back, the newest first."""
    gone = {turn for answer in answers for turn in answer.reverts}
    did = [
        answer
        for answer in reversed(answers)
        if not answer.reverts and answer.turn not in gone
        if answer.standing or answer.restored or (answer.undone and not answer.redone)
    ]
    return did[:count]


def settled(answer: Answer | None, answers: Sequence[Answer], holds: Callable[[Call], bool]) -> Answer | None:
    """The answer whose calls stand: the one a failed amendment meant to replace, the one that replaced it, or the one
    that stands again."""
    if answer and answer.reverts and answer.restored:
        return next((old for old in answers for call in old.standing if call.id == answer.restored[-1]), answer)
    while answer and not answer.standing and answer.amends is not None:
        answer = answers[answer.amends]
    while answer and answer.standing and not any(holds(call) for call in answer.standing):
        ids = {call.id for call in answer.standing}
        later = [
            other
            for other in answers
            if other.standing
            and (other.amends == answer.turn or any(call.amends in ids for call in other.standing))
            and other is not answer
        ]
        if not later:
            break
        answer = later[-1]
    return answer
