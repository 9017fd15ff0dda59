"""A turn in words for a screen: its steps, its mistakes, and the corrections one may send with a click."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from toolmend.arena.views import StepView
from toolmend.corrections import correction_for, headline_level, name_first, wordings
from toolmend.errors import BadOption
from toolmend.events import Asked, Called, Corrected, Decided, Event, Guarded, Read, Refused, Replied, Undone
from toolmend.messages import Call, ToolSpec
from toolmend.mistakes import Correction, Kind, Mistake
from toolmend.reading import render
from toolmend.reading.origins import origins

_KINDS = {
    Kind.NO_CALL: "no call where one was due",
    Kind.CHATTER: "words beside the call",
    Kind.SYNTAX: "cannot be read as a call",
    Kind.UNKNOWN_TOOL: "there is no such tool",
    Kind.WRONG_TOOL: "the wrong tool",
    Kind.MISSING_CALL: "a call is missing",
    Kind.EXTRA_CALL: "a call too many",
    Kind.REPEATED_CALL: "the same call again",
    Kind.UNWANTED_CALL: "a call where none was due",
    Kind.MISSING_ARGUMENT: "is missing",
    Kind.UNKNOWN_ARGUMENT: "is no argument of it",
    Kind.WRONG_VALUE: "has the wrong value",
    Kind.WRONG_FORMAT: "is written in the wrong way",
    Kind.WRONG_TYPE: "has the wrong type",
    Kind.WRONG_STATE: "is not as it should be",
}
_LONGEST = 120


def in_words(mistake: Mistake) -> str:
    """`time has the wrong value: 12:00 instead of 13:00`."""
    what = _KINDS[mistake.kind]
    head = f"{mistake.argument} {what}" if mistake.argument else what
    got, due = (_shown(value) for value in (mistake.got, mistake.expected))
    if got and due:
        return f"{head}: {got} instead of {due}"
    return f"{head}: {got}" if got else f"{head}: {due} was expected" if due else head


def suggested(
    mistakes: Sequence[Mistake], specs: Sequence[ToolSpec], seed: int, errors: Sequence[str] = ()
) -> list[Correction]:
    """What a person might say: about the first mistake at the headline level, then with more said, then with less.

    `errors` are what tools answered: their own words are the last thing suggested. [] where nothing is wrong.
    """
    first = name_first(mistakes)
    if first is None:
        return []
    spec = next((each for each in specs if each.full_name == first.tool), None)
    level = headline_level(first, recoverable=True)
    found: dict[str, Correction] = {}
    for each in dict.fromkeys((level, 3, 2, 1)):
        if wordings(first, each, spec=spec):
            correction = correction_for(first, each, seed, spec=spec)
            found.setdefault(correction.text, correction)
    for error in errors[:1]:
        text = f"That was refused: {error.rstrip('.')}."
        found.setdefault(text, Correction(text, 2, first))
    return list(found.values())


def _shown(value: Any) -> str:
    if value is None or value == "":
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


_ROLES = {"main": "reply", "intent": "intents", "params": "parameters", "summary": "summary", "chat": "words"}
_MOST = 4_000


def steps_of(events: Sequence[Event], wires: Sequence[tuple[str, str]] = ()) -> tuple[StepView, ...]:
    """The steps of one turn. `wires` are the raw exchanges of its replies, in order."""
    raw = iter(wires)
    return tuple(step for event in events for step in _steps(event, raw))


def called(call: Call) -> str:
    """A call in Python's notation; as JSON where a model made up a name that Python cannot write."""
    try:
        return render(call)
    except BadOption:
        return json.dumps({"tool": call.tool, "arguments": dict(call.arguments)}, ensure_ascii=False, default=str)


def _steps(event: Event, wires: Iterator[tuple[str, str]]) -> Iterator[StepView]:
    if isinstance(event, Asked):
        if event.routed.startswith("router"):
            taken = "a new request" if event.amends is None else f"a correction of turn {event.amends + 1}"
            yield StepView("note", f"taken as {taken}", event.routed.removeprefix("router: "))
    elif isinstance(event, Corrected):
        named = f"names {event.correction.mistake}" if event.correction.mistake else ""
        level = "" if event.correction.level is None else f", level {event.correction.level}"
        yield StepView("note", f"correction of turn {event.amends + 1}{level}", named)
    elif isinstance(event, Replied):
        yield from _replied(event, wires)
    elif isinstance(event, Read):
        lines = [line for call in event.calls for line in (called(call), *origins(call))]
        lines += [f"told: {event.told}"] if event.told and not event.calls else []
        lines += [f"leniently: {', '.join(event.leniencies)}"] if event.leniencies else []
        lines += [f"no call: {event.problem}"] if event.problem else []
        yield StepView("read", "read as", "\n".join(lines))
    elif isinstance(event, Decided):
        if event.decision != "allowed" or event.by != "policy":  # what may run anyway is no news
            yield StepView("decided", f"{event.decision} by {event.by}", _decided(event)[:_MOST])
    elif isinstance(event, Called):
        yield from _called(event)
    elif isinstance(event, Refused):
        yield StepView("refused", called(event.call), event.reason[:_MOST])
    elif isinstance(event, Undone):
        what = "put back" if event.redone else "undone"
        yield StepView("undone", what, ", ".join(event.call_ids))
    elif isinstance(event, Guarded):
        yield StepView("note", event.guard.replace("_", " "), event.detail[:_MOST])


def _replied(event: Replied, wires: Iterator[tuple[str, str]]) -> Iterator[StepView]:
    if event.reasoning:
        yield StepView("thought", "thought", event.reasoning[:_MOST])
    sent, came = ("", "") if event.model == "given" else next(wires, ("", ""))
    notes = [f"ended: {event.finish}"] if event.finish != "stop" else []
    notes += ["the request was cut to fit"] if event.truncated else []
    notes += [f"not honoured: {each}" for each in event.unmet]
    text = "\n".join([event.text, *(called(call) for call in event.calls), *notes])
    title = _ROLES.get(event.role, event.role) + (f" of {event.model}" if event.model else "")
    wire = f"→ {sent}\n\n← {came}" if sent else ""
    tokens = event.usage.input_tokens + event.usage.output_tokens
    yield StepView("reply", title, text[:_MOST], tokens, round(event.usage.seconds, 3), wire)


def _decided(event: Decided) -> str:
    """The call of a decision, why it was decided so, and what was shown of it."""
    return "\n".join(filter(None, (called(event.call), event.reason, event.preview)))


def _called(event: Called) -> Iterator[StepView]:
    yield StepView("call", called(event.call), "; ".join(event.result.coerced))
    if event.result.error is not None:
        yield StepView("refused", "refused", event.result.error[:_MOST])
    else:
        yield StepView("result", "result", json.dumps(event.result.value, ensure_ascii=False, default=str)[:_MOST])
