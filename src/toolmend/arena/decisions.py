"""What was decided over the calls of a talk: as it is shown, and as it counts when the talk is told again.

A talk that is told again asks nobody. A talk that is copied brings its noes along and no yes: a yes counts once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from toolmend.arena.steps import called
from toolmend.arena.views import DecisionView
from toolmend.errors import ToolmendError
from toolmend.events import Called, Decided, Event
from toolmend.messages import Call
from toolmend.tools import Toolbox


def decision_views(events: Sequence[Event]) -> tuple[DecisionView, ...]:
    """The decisions somebody should see: not what the policy lets run anyway."""
    made = [event for event in events if isinstance(event, Decided) and not _usual(event)]
    return tuple(DecisionView(called(each.call), each.decision, each.by, each.reason, each.preview) for each in made)


def not_run(events: Sequence[Event]) -> frozenset[str]:
    """The ids of the calls that were not allowed to run."""
    return frozenset(each.call.id for each in events if isinstance(each, Decided) and each.decision != "allowed")


class Again:
    """Decides over the calls of one turn as they were decided before; what is new is denied, or with `copied` decided
    now."""

    def __init__(self, events: Sequence[Event], *, copied: bool = False) -> None:
        self._copied, self._left = copied, _decided(events)
        if copied:
            self._left = [each for each in self._left if each.decision != "allowed"]

    def before(self, turn: int, call: Call) -> Decided | None:
        """The decision that was made, None where it is to be made now."""
        for place, each in enumerate(self._left):
            if (each.call.tool, each.call.arguments) == (call.tool, call.arguments):
                return replace(self._left.pop(place), turn=turn, call=call)
        return None if self._copied else Decided(turn, call, "danger", "denied", reason="it was not made before")


def check_again(events: Sequence[Event], box: Toolbox) -> None:
    """Raise ToolmendError where telling a turn again would do something a second time outside of this process."""
    if box.has_snapshots:
        return
    for event in events:
        if isinstance(event, Called) and event.result.ok and box.tool(event.call.tool).effect != "read":
            raise ToolmendError(
                f"this talk cannot go on: {event.call.tool} was run outside of the arena and would be run again; "
                "clear it, or begin a new one"
            )


def _decided(events: Sequence[Event]) -> list[Decided]:
    """What was decided in a turn. One that was kept before there were decisions ran what it ran."""
    made = [event for event in events if isinstance(event, Decided)]
    ran = [event for event in events if isinstance(event, Called)]
    return made or [Decided(each.turn, each.call, "write", "allowed") for each in ran]


def _usual(event: Decided) -> bool:
    return event.decision == "allowed" and event.by == "policy"
