"""What enters a turn beside what is said in it: text for the model to know, and how much of the talk it is told again.

The one hook for memories, documents and the like: `Session(context=…)`. Nothing of it is kept in the talk: it is asked
anew for every turn, and events tell only where it came from. Knows no store.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from toolmend.base.messages import Message


@dataclass(frozen=True, slots=True)
class Shown:
    """What a model is shown in one turn.

    `text` stands at the end of the system text; `origins` name where it is from, for the event (`recalled`);
    `messages` are what is told of the talk so far instead of all of it, None for all.
    """

    text: str = ""
    origins: tuple[str, ...] = ()
    messages: tuple[Message, ...] | None = None


Context = Callable[[str, Sequence[Message]], Shown]
"""Given what is said now and the talk before it, what is shown. It runs in a thread, once a turn, before the model."""

NOTHING = Shown()


def beside(messages: tuple[Message, ...], text: str) -> tuple[Message, ...]:
    """The messages with a text at the end of the system text; a system message is made where there is none."""
    if not text:
        return messages
    if messages and messages[0].role == "system":
        first = messages[0]
        return (replace(first, content=f"{first.content.rstrip()}\n\n{text}"), *messages[1:])
    return (Message("system", text), *messages)
