"""The steps of a turn, from its events: what was asked, thought, called and refused, what it cost, the raw exchange."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from toolmend.arena.views import StepView
from toolmend.errors import BadOption
from toolmend.events import Asked, Called, Corrected, Decided, Event, Guarded, Read, Refused, Replied, Undone
from toolmend.messages import Call
from toolmend.reading import render
from toolmend.reading.origins import origins

_ROLES = {"main": "reply", "intent": "intents", "params": "parameters", "summary": "summary", "chat": "words"}
_LONGEST = 4_000


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
        lines += [f"leniently: {', '.join(event.leniencies)}"] if event.leniencies else []
        lines += [f"no call: {event.problem}"] if event.problem else []
        yield StepView("read", "read as", "\n".join(lines))
    elif isinstance(event, Decided):
        if event.decision != "allowed" or event.by != "policy":  # what may run anyway is no news
            yield StepView("decided", f"{event.decision} by {event.by}", _decided(event)[:_LONGEST])
    elif isinstance(event, Called):
        yield from _called(event)
    elif isinstance(event, Refused):
        yield StepView("refused", called(event.call), event.reason[:_LONGEST])
    elif isinstance(event, Undone):
        what = "put back" if event.redone else "undone"
        yield StepView("undone", what, ", ".join(event.call_ids))
    elif isinstance(event, Guarded):
        yield StepView("note", event.guard.replace("_", " "), event.detail[:_LONGEST])


def _replied(event: Replied, wires: Iterator[tuple[str, str]]) -> Iterator[StepView]:
    if event.reasoning:
        yield StepView("thought", "thought", event.reasoning[:_LONGEST])
    sent, came = ("", "") if event.model == "given" else next(wires, ("", ""))
    notes = [f"ended: {event.finish}"] if event.finish != "stop" else []
    notes += ["the request was cut to fit"] if event.truncated else []
    notes += [f"not honoured: {each}" for each in event.unmet]
    text = "\n".join([event.text, *(called(call) for call in event.calls), *notes])
    title = _ROLES.get(event.role, event.role) + (f" of {event.model}" if event.model else "")
    wire = f"→ {sent}\n\n← {came}" if sent else ""
    tokens = event.usage.input_tokens + event.usage.output_tokens
    yield StepView("reply", title, text[:_LONGEST], tokens, round(event.usage.seconds, 3), wire)


def _decided(event: Decided) -> str:
    """The call of a decision, why it was decided so, and what was shown of it."""
    return "\n".join(filter(None, (called(event.call), event.reason, event.preview)))


def _called(event: Called) -> Iterator[StepView]:
    yield StepView("call", called(event.call), "; ".join(event.result.coerced))
    if event.result.error is not None:
        yield StepView("refused", "refused", event.result.error[:_LONGEST])
    else:
        yield StepView("result", "result", json.dumps(event.result.value, ensure_ascii=False, default=str)[:_LONGEST])
