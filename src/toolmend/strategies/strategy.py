"""What a strategy is: a generator that asks a model and makes calls, without any I/O of its own.

    flow = strategy.turn(talk)            # talk: what was said so far, the new request last
    reply = flow.send(None) ...           # yields Ask  -> is sent a Reply
                                          # yields Act  -> is sent the results of its calls
                                          # yields TakeBack -> calls are undone; is sent the ids
                                          # yields Say or Flag -> is sent None
                                          # returns when the turn is over
The session drives it; so does any test, with plain lists.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, Protocol

from toolmend.base.messages import Call, Constraint, Message, ToolSpec, Wrong
from toolmend.language.resolve.background import Background, Open
from toolmend.reading import Reading

WORDS = frozenset({"summary", "chat"})
"""Roles in which a model writes words for a person and no call: any model will do, whatever it was trained for."""


def _nothing() -> str:
    return ""


@dataclass(frozen=True, slots=True)
class About:
    """What is told of a talk beside what is said in it: the names of the model and the toolbox, whether the model calls
    tools itself, whether it was trained for this toolbox, how many turns amend others, this one included, and the
    strategy that the model is made for."""

    model: str = ""
    toolbox: str = ""
    calls_tools: bool = False
    trained: bool = False
    corrections: int = 0
    strategy: str = "oneline"


@dataclass(frozen=True, slots=True)
class Talk:
    """What a strategy may know: the tools, the messages so far (the new request last), the system text given.

    `view()` is the world as text as it is at that moment, "" where there is none to show. `wrong` is the reply that the
    new request corrects or changes, if it does. `background()` is what words are said against: the calls that stand,
    the things of the world, the clock.
    """

    tools: tuple[ToolSpec, ...]
    messages: tuple[Message, ...]
    system: str | None = None
    view: Callable[[], str] = _nothing
    about: About = About()
    wrong: tuple[Wrong, ...] = ()
    background: Callable[[], Background] = Background


@dataclass(frozen=True, slots=True)
class Ask:
    """Please send this to the model of that role.

    `stop` are texts before which it should stop, `avoid` whole replies that it should not give.
    """

    messages: tuple[Message, ...]
    role: str = "main"
    tools: tuple[ToolSpec, ...] = ()
    constraint: Constraint | None = None
    stop: tuple[str, ...] = ()
    avoid: tuple[Wrong, ...] = ()


@dataclass(frozen=True, slots=True)
class Act:
    """Please run these calls; `reading` tells how they were read from the reply."""

    calls: tuple[Call, ...]
    reading: Reading


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Please undo these earlier calls, by their ids, which the person does not want any more."""

    calls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PutBack:
    """Please do these earlier calls again, which were undone for what is taken back now."""

    calls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Say:
    """The words the turn ends with, where they are not a model's last reply. `own` is what the model is told later
    that it said, "" for the same words. `open` is the call that waits for an answer, where they ask for one."""

    text: str
    own: str = ""
    open: Open | None = None


@dataclass(frozen=True, slots=True)
class Flag:
    """Something the strategy did of its own accord: `too_many_intents`. It is a Guarded event of that name."""

    name: str
    detail: str = ""


Step = Ask | Act | TakeBack | PutBack | Say | Flag
Flow = Generator[Step, Any, None]
"""What a turn is. It is sent a Reply, results, ids or None, by what it yielded."""


class Strategy(Protocol):
    """A way of turning a request into calls. `bare` tells whether its prompt demands nothing but the call.

    It may have `roles`, the roles it asks in where that is not `main` alone, and `calls_tools` where it needs a model
    that calls tools itself. `edits` tells that its calls say which earlier ones they replace, so that no router is
    asked; `computes` that its calls are not what the model wrote; `once` that its first reply with calls ends the
    turn; `as_published` that the world takes no words for values; `lines` that it is told calls as the lines of Python
    they were, and a system text given instead of its own. One that can go on after calls that somebody else ran has
    `resume` (resuming.py); one that is another for each talk has `choose` (auto.py).
    """

    name: str
    bare: bool

    @property
    def prompt_hash(self) -> str:
        """12 hex digits of all that its prompts are made of."""
        ...

    def turn(self, talk: Talk) -> Flow:
        """One turn: the last message of `talk` is answered."""
        ...

    def system_text(self, talk: Talk) -> str:
        """The system text that would be sent, for reports and dry runs."""
        ...
