"""How often a model may try again after an error, by class of error: the same for every strategy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolmend.base.messages import CallResult
from toolmend.strategies.history import cut, marked
from toolmend.strategies.strategy import Flag

DEFAULT_RETRIES = 3

# Classes beside those of CallResult.fault.
UNREADABLE = "unreadable"
EMPTY = "empty"
TOOL_CHOICE = "tool_choice"
REPEATED = "repeated"

SPENT = "retries_spent"
MOST_ROUNDS = 100
"""Whatever a strategy does again and again is done so often at most: a name must not hold a model for hours."""


def rounds_option(default: int) -> Any:
    """A field that says how often something may be done in a turn, once at least."""
    return field(default=default, metadata={"least": 1, "most": MOST_ROUNDS})


def retries_option() -> Any:
    """The field `retries` of a strategy: how many more tries each class of error gets, 0 for none."""
    return field(default=DEFAULT_RETRIES, metadata={"least": 0, "most": MOST_ROUNDS})


@dataclass(frozen=True, slots=True)
class RetryCause:
    """An error: its class, and what is wrong. `foreign` tells that the words are from outside."""

    kind: str
    text: str
    foreign: bool = False

    @property
    def told(self) -> str:
        """What a model is told of it: words from outside between their marks."""
        return marked(cut(self.text)) if self.foreign else self.text


class Retries:
    """A budget: `most` more tries for each class of error."""

    def __init__(self, most: int = DEFAULT_RETRIES) -> None:
        self.most, self._spent = most, Counter[str]()

    def spend(self, wrong: Iterable[RetryCause]) -> bool:
        """Whether all of these may be tried once more; if so, that is one try of each class less."""
        kinds = {cause.kind for cause in wrong}
        if any(self._spent[kind] >= self.most for kind in kinds):
            return False
        self._spent.update(kinds)
        return True

    @staticmethod
    def gave_up(wrong: Sequence[RetryCause]) -> Flag:
        """What is said when the budget is spent: what was wrong the last time."""
        return Flag(SPENT, "; ".join(dict.fromkeys(f"{cause.kind}: {cause.text}" for cause in wrong)))


def faults(results: Iterable[CallResult]) -> list[RetryCause]:
    """The errors among results."""
    return [
        RetryCause(result.fault or "refused", str(result.error), result.foreign) for result in results if not result.ok
    ]
