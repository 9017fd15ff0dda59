"""What one turn of a talk came to, as a frozen value. Knows nothing of how it came about."""

from __future__ import annotations

from dataclasses import dataclass

from toolmend.messages import Call, CallResult, Usage
from toolmend.reading import Reading
from toolmend.resolve.background import Open


@dataclass(frozen=True, slots=True)
class Answer:
    """What one turn came to. `str()` is the raw text of the last reply.

    `reading` holds the calls that count: those that took effect, and those of the last reply. `amends` is the index of
    the turn it corrects; `redone` tells that no call that could be made came back and the undone ones were put back;
    `kept` are calls that could not be undone and still stand. `stopped` names the guard that ended the turn, "" if
    none did (guards.py). `open` is the call that waits for an answer, where the turn ended with a question.
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

    def __str__(self) -> str:
        """The raw text, so that printing an answer shows what the model said."""
        return self.text

    @property
    def standing(self) -> tuple[Call, ...]:
        """The calls of this turn that took effect and were not taken back within it."""
        return tuple(call for call, result in zip(self.calls, self.results, strict=True) if result.ok)
