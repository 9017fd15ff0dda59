"""What events teach: a correction as the argument it changed. Pure; from a talk as it goes, or from a stored one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from toolmend.events import Asked, Called, Corrected, Event, Undone
from toolmend.messages import Call


@dataclass(frozen=True, slots=True)
class Changed:
    """One argument of a call that a person had changed: the tool, its name, was and is, and what was said.

    `beside` are the call's other arguments; `call` its id.
    """

    tool: str
    argument: str
    was: Any
    now: Any
    said: str
    call: str
    beside: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """As a memory."""
        return f"corrected {self.argument} of {self.tool} from {self.was!r} to {self.now!r}: “{self.said}”"

    @property
    def data(self) -> dict[str, Any]:
        """As data of a memory."""
        return {
            "tool": self.tool,
            "argument": self.argument,
            "was": self.was,
            "now": self.now,
            "beside": self.beside,
        }


class Reader:
    """Takes the events of one talk in order. `take` gives what the last one changed; what is undone again teaches
    nothing more, but was said."""

    def __init__(self) -> None:
        self._said, self._calls, self._amended = "", dict[str, Call](), set[str]()

    def take(self, event: Event) -> tuple[Changed, ...]:
        """The arguments that a call just made has otherwise than the call it amends."""
        if isinstance(event, Asked):
            self._said = event.text
        elif isinstance(event, Corrected):
            self._said = event.correction.text
        elif isinstance(event, Undone) and not event.redone:
            self._amended |= set(event.call_ids)
        elif isinstance(event, Called) and event.result.ok:
            self._calls[event.call.id] = event.call
            return tuple(self._changes(event.call))
        return ()

    def _changes(self, call: Call) -> Iterator[Changed]:
        old = self._calls.get(call.amends or "")
        if old is None or old.id not in self._amended or old.tool != call.tool:
            return
        for name, value in call.arguments.items():
            if old.arguments.get(name) != value:
                beside = {other: each for other, each in call.arguments.items() if other != name}
                yield Changed(call.tool, name, old.arguments.get(name), value, self._said, call.id, beside)


def changed_arguments(events: Iterable[Event]) -> list[Changed]:
    """All that the events of one talk teach."""
    reader = Reader()
    return [each for event in events for each in reader.take(event)]
