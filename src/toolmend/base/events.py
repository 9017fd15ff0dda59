"""Everything that happens in a conversation, as values: the one schema that session, store, report and screens share.

`to_json` and `from_json` are exact inverses; `SCHEMA` is the version written beside every stored event list.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache, partial
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from toolmend.base.messages import Call, CallResult, Usage
from toolmend.base.mistakes import Correction, Mark, Mistake

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Asked:
    """A person (or simulated user) said something. `turn` counts from 0; `amends` is the turn it corrects, if any.

    `routed` tells who decided what it is: "explicit" by the door used, "router" by the router's verdict. `reminder` is
    the sentence at the end of `text` that a suite adds for this model, "" for none.
    """

    turn: int
    text: str
    amends: int | None = None
    routed: str = "explicit"
    reminder: str = ""


@dataclass(frozen=True, slots=True)
class Replied:
    """A model answered one request of a strategy; `role` is the strategy's name for that request.

    `unmet` is what was asked for and not honoured, `exchange` the key of what went over the wire, `cached` that it
    was answered without asking, `calls` are native ones beside the text.
    """

    turn: int
    text: str
    role: str = "main"
    model: str = ""
    usage: Usage = Usage()
    finish: str = "stop"
    reasoning: str = ""
    truncated: bool = False
    unmet: tuple[str, ...] = ()
    exchange: str = ""
    cached: bool = False
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Read:
    """What the reader made of the reply: calls, leniencies used, the text left over, and why there is no call.

    `told` is what the person was told where that is not the reply itself: calls computed from words, a question.
    """

    turn: int
    calls: tuple[Call, ...] = ()
    leniencies: tuple[str, ...] = ()
    rest: str = ""
    problem: str | None = None
    told: str = ""


@dataclass(frozen=True, slots=True)
class Called:
    """A tool ran (or refused its arguments: then `result.error` says why)."""

    turn: int
    call: Call
    result: CallResult


@dataclass(frozen=True, slots=True)
class Decided:
    """Whether a call may run: `decision` is allowed, denied or dry-run, `by` the policy or who was asked, `effect` that
    of the tool, `preview` what was shown of what it would change. Only talks with a policy have these."""

    turn: int
    call: Call
    effect: str
    decision: str
    by: str = "policy"
    reason: str = ""
    preview: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """A call was not run at all: unknown tool, denied, guard."""

    turn: int
    call: Call
    reason: str


@dataclass(frozen=True, slots=True)
class Guarded:
    """Something out of the ordinary, by name.

    The turn is ended: `repeated_call`, `too_many_calls`, `endless_rounds`. A tool is kept from doing harm:
    `tool_failed` (it raised), `tool_blocked` (it was overdue), `tool_busy` (an overdue one is still running),
    `tool_printed`, `long_result`. A strategy tells what it did of its own accord: `retries_spent`, `too_many_intents`,
    `step_limit`, `intent`, `auto`, `as_published`. A correction was `mended`, and how; of the answers that were
    offered with a question the place of the right one is `offered` (0: none), where a suite knows it. The model is told
    more than what was said: `recalled`, and whence.
    """

    turn: int
    guard: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Undone:
    """Calls taken back, newest first. `redone` when they were put back because nothing callable replaced them."""

    turn: int
    call_ids: tuple[str, ...]
    redone: bool = False


@dataclass(frozen=True, slots=True)
class Corrected:
    """A correction was given for the calls of turn `amends`."""

    turn: int
    correction: Correction
    amends: int


@dataclass(frozen=True, slots=True)
class Marked:
    """A reply was graded. `step` is the number of the suite's step it belongs to, where there is a suite."""

    turn: int
    marks: tuple[Mark, ...]
    mistakes: tuple[Mistake, ...] = ()
    valid_call: bool = True
    step: int | None = None


@dataclass(frozen=True, slots=True)
class Looked:
    """The world was looked at after a turn: the state it `was` in before the request and is in `now`; is it `right`?

    `words` is what was said beside the calls; `beside` tells which checks that stand beside the suite's own are passed:
    they decide nothing.
    """

    turn: int
    was: Any
    now: Any
    right: bool
    words: str = ""
    beside: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tried:
    """A branch: what came back to another sentence after turn `turn`, undone at once. `arm` names the branch.

    `after` are the mistakes of the reply it followed (none before a groundless correction); `exchange` is that of its
    last reply; `cached` tells that no model was asked, else `usage` is of the replies that one was asked for. `replies`
    counts them: of several only the last is kept, its text and its native `calls`. `mended` is how it was mended, ""
    where it was left to the model; `choice` the place of the right one among the answers that were offered with a
    question, 0 for none; `stands` tells that what it was said to stands as it was.
    """

    turn: int
    arm: str
    correction: Correction
    text: str
    marks: tuple[Mark, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    after: tuple[Mistake, ...] = ()
    valid_call: bool = True
    usage: Usage = Usage()
    exchange: str = ""
    cached: bool = False
    replies: int = 1
    calls: tuple[Call, ...] = ()
    mended: str = ""
    choice: int = 0
    stands: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    """The conversation ended. `reason`: done, gave_up, error, stuck."""

    reason: str = "done"
    detail: str = ""


Event = (
    Asked
    | Replied
    | Read
    | Called
    | Decided
    | Refused
    | Guarded
    | Undone
    | Corrected
    | Marked
    | Looked
    | Tried
    | Finished
)
Sink = Callable[[Event], None]

_TYPES: dict[str, type[Any]] = {cls.__name__.lower(): cls for cls in get_args(Event)}
T = TypeVar("T")


def event(cls: type[T]) -> type[T]:
    """A frozen dataclass of another package as a type of event, as a decorator: kept and read as the others are."""
    _TYPES[cls.__name__.lower()] = cls
    return cls


def to_json(event: Event) -> dict[str, Any]:
    """An event as plain JSON-able data, fields with default values left out, its type under `event`."""
    return {"event": type(event).__name__.lower(), **_plain(event)}


def from_json(data: Mapping[str, Any]) -> Event:
    """The event that `to_json` wrote. Raises ValueError naming an unknown type."""
    cls = _TYPES.get(str(data.get("event")))
    if cls is None:
        raise ValueError(f"unknown event {data.get('event')!r}")
    made: Event = _made(cls, {name: value for name, value in data.items() if name != "event"})
    return made


_BARE = frozenset({str, int, float, bool, type(None)})


@cache
def _fields(kind: type) -> tuple[tuple[str, Any, bool], ...] | None:
    """Name, default and whether it counts in comparisons of each field; None for what is no dataclass."""
    if not dataclasses.is_dataclass(kind):
        return None
    return tuple((field.name, field.default, field.compare) for field in dataclasses.fields(kind))


def _plain(value: Any) -> Any:
    kind: Any = type(value)
    if kind in _BARE:  # most of what is in a log
        return value
    if (fields := _fields(kind)) is not None:
        return {
            name: item if type(item) in _BARE else _plain(item)
            for name, default, counts in fields
            if (item := getattr(value, name)) is not default and item != default and (counts or item)
        }
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


Convert = Callable[[Any], Any]


@cache
def _converters(cls: type[Any]) -> Mapping[str, Convert]:
    """What makes values of a class's fields of plain data, by field; what is plain itself needs nothing."""
    hints = get_type_hints(cls)
    made = {field.name: _converter(hints[field.name]) for field in dataclasses.fields(cls)}
    return {name: convert for name, convert in made.items() if convert}


def _converter(hint: Any) -> Convert | None:
    """What makes a value of that type of plain data: for values, enumerations and tuples of them."""
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    if dataclasses.is_dataclass(hint):
        return partial(_made, hint)
    arguments = get_args(hint)
    if get_origin(hint) is tuple:
        inner = _converter(arguments[0])
        return partial(_several, inner) if inner else tuple
    if type(None) in arguments:
        inner = _converter(next(argument for argument in arguments if argument is not type(None)))
        return partial(_perhaps, inner) if inner else None
    return None


def _several(convert: Convert, items: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(map(convert, items))


def _perhaps(convert: Convert, value: Any) -> Any:
    return None if value is None else convert(value)


def _made(cls: Any, data: Mapping[str, Any]) -> Any:
    values = dict(data)
    for name, convert in _converters(cls).items():
        if name in values:
            values[name] = convert(values[name])
    return cls(**values)
