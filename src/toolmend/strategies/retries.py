"""How errors are told to a model, and how often it may try again: the same for every strategy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from toolmend.messages import Call, CallResult

DEFAULT_RETRIES = 3
UNREADABLE = "unreadable"


class Retries:
    """A budget for one turn: `most` more tries for each class of error (CallResult.fault, or `unreadable`)."""

    def __init__(self, most: int = DEFAULT_RETRIES) -> None:
        self.most, self._spent = most, Counter[str]()

    def spend(self, *faults: str) -> bool:
        """Whether all of these may be tried once more; if so, that is one try of each class less."""
        kinds = {fault for fault in faults if fault}
        if any(self._spent[kind] >= self.most for kind in kinds):
            return False
        self._spent.update(kinds)
        return True


def failed(calls: Iterable[Call], results: Iterable[CallResult]) -> list[tuple[Call, CallResult]]:
    """The calls that came to nothing, with why."""
    return [(call, result) for call, result in zip(calls, results, strict=False) if not result.ok]
