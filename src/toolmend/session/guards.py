"""What ends a turn that leads nowhere: the same call over and over, too many calls, endless rounds. Pure counting."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from toolmend.base.messages import Call, CallResult

SAME_AGAIN = "This very call was made before in this turn, with this very result. Do something else, or stop."


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a turn may go: rounds of asking, and of acting, calls in one reply, equal calls, seconds a tool may take,
    characters of a result."""

    rounds: int = 40
    calls: int = 32
    repeats: int = 3
    tool_seconds: float = 60.0
    result_characters: int = 65_536


class Guard:
    """Watches one turn. A guard that fires has a name: it stands in the event, the answer and the report."""

    def __init__(self, limits: Limits) -> None:
        self.limits, self._seen, self._steps = limits, Counter[str](), Counter[type]()

    def round(self, step: object) -> str:
        """Count a step of a strategy: `endless_rounds` if it is one too many of its kind, else ""."""
        self._steps[type(step)] += 1
        return "endless_rounds" if self._steps[type(step)] > self.limits.rounds else ""

    def too_many(self, calls: Sequence[Call]) -> str:
        """`too_many_calls` if a reply makes more calls than it may, else ""."""
        return "too_many_calls" if len(calls) > self.limits.calls else ""

    def seen(self, call: Call, result: CallResult) -> int:
        """How often this call had this result in this turn, this time included. 3 earns a hint, 4 is the end."""
        key = json.dumps([call.tool, call.arguments, result.value, result.error], sort_keys=True, default=repr)
        self._seen[key] += 1
        return self._seen[key]
