"""What a contestant's requests came to: replies, tokens, seconds and retries by role, and the seconds of each request.

A request is one message of the user in the talk itself, corrections too: all that every role was asked for until it was
answered. Events tell; branches and replies that a suite gave are left out. Knows one contestant; draws nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from toolmend.base.events import Called, Event, Read, Refused, Replied, Tried
from toolmend.base.messages import Usage
from toolmend.evals.store import Sample

USES = (Replied, Tried)  # the events that tell what was asked of models, branches too
TELLS = (Called, Read, Refused)  # the events that tell a retry from a further step


@dataclass
class RoleCost:
    """The replies of one role: tokens, and the seconds of each. `retries` counts those after one of the same role and
    turn that came to nothing: it could not be read, or a call of it was not run or failed."""

    input_tokens: int = 0
    output_tokens: int = 0
    seconds: list[float] = field(default_factory=list)
    retries: int = 0

    def add(self, input_tokens: int, output_tokens: int, seconds: Iterable[float], retries: int = 0) -> None:
        """Count more replies."""
        self.input_tokens += input_tokens
        self.output_tokens += output_tokens
        self.seconds += seconds
        self.retries += retries

    def to_json(self) -> dict[str, Any]:
        """As the report has it: the seconds of a reply as median and 95th percentile, None without a reply."""
        seconds = sorted(self.seconds)
        return {
            "replies": len(seconds),
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "seconds_median": seconds[len(seconds) // 2] if seconds else None,
            "seconds_p95": seconds[int(len(seconds) * 0.95)] if seconds else None,
            "retries": self.retries,
        }


@dataclass
class Spent:
    """By role, in the order met; `requests` are the seconds of each request, all roles together."""

    roles: dict[str, RoleCost] = field(default_factory=dict)
    requests: list[float] = field(default_factory=list)

    def add(self, events: Iterable[Event]) -> None:
        """Count the events of one sample, in their order."""
        seconds: dict[int, float] = {}
        failed: dict[tuple[int, str], bool] = {}  # by turn and role: did its last reply come to nothing
        last = (-1, "")
        for event in events:
            if isinstance(event, Replied) and event.model != "given":
                usage, last = event.usage, (event.turn, event.role)
                role = self.roles.setdefault(event.role, RoleCost())
                role.add(usage.input_tokens, usage.output_tokens, [usage.seconds], failed.get(last, False))
                failed[last] = True  # until something is read from it
                seconds[event.turn] = seconds.get(event.turn, 0.0) + event.usage.seconds
            elif isinstance(event, TELLS) and event.turn == last[0]:
                failed[last] = _fails(event) or (failed[last] and not isinstance(event, Read))
        self.requests += seconds.values()

    def whole(self) -> RoleCost:
        """All roles together."""
        every = RoleCost()
        for role in self.roles.values():
            every.add(role.input_tokens, role.output_tokens, role.seconds, role.retries)
        return every

    def within(self, limit: float) -> float | None:
        """Share of the requests that were answered within so many seconds; None without a request."""
        return sum(took <= limit for took in self.requests) / len(self.requests) if self.requests else None


def _fails(event: Event) -> bool:
    """Whether a reply could not be read, or a call of it was not run or came to nothing."""
    if isinstance(event, Called):
        return not event.result.ok
    return isinstance(event, Refused) or (isinstance(event, Read) and event.problem is not None)


def used(sample: Sample) -> Usage:
    """What was asked for in a sample, not what the cache answered. Replies that a suite gave are nobody's."""
    found = [
        event.usage
        for event in sample.events
        if isinstance(event, Tried) or (isinstance(event, Replied) and event.model != "given")
        if not event.cached
    ]
    return sum(found, Usage())
