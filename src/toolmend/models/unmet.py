"""What was asked for and visibly not honoured. Servers answer 200 and ignore what they do not know.

Only what a reply shows: whether a temperature or a seed was used cannot be seen in one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from toolmend.base.errors import BadOption
from toolmend.base.messages import Call, Constraint, Request, Usage
from toolmend.base.schemas import errors, harmless


def unmet(
    request: Request, text: str, calls: Sequence[Call], usage: Usage, *, tool_choice: str = ""
) -> tuple[str, ...]:
    """One line each: `max_tokens: 8 asked, 16 given`. `tool_choice` is what was sent of that name."""
    return tuple(_lines(request, text, calls, usage, tool_choice))


def _lines(request: Request, text: str, calls: Sequence[Call], usage: Usage, tool_choice: str) -> Iterator[str]:
    options = request.options
    if usage.output_tokens > options.max_tokens:
        yield f"max_tokens: {options.max_tokens} asked, {usage.output_tokens} given"
    for stop in options.stop:
        if stop and stop in text:
            yield f"stop: {stop!r} asked, it stands in the reply"
    if request.tools:
        yield from _choice(tool_choice, calls)
    if request.constraint and not calls:
        yield from broken(request.constraint, text)


def _choice(choice: str, calls: Sequence[Call]) -> Iterator[str]:
    if choice == "none" and calls:
        yield f"tool_choice: none asked, {calls[0].tool} called"
    elif choice == "required" and not calls:
        yield "tool_choice: required asked, no call given"
    elif choice not in ("", "auto", "none", "required") and [call.tool for call in calls[:1]] != [choice]:
        yield f"tool_choice: {choice} asked, {calls[0].tool if calls else 'no call'} given"


def broken(constraint: Constraint, text: str) -> Iterator[str]:
    """How a reply breaks the constraint that was asked for, in one line; nothing if it keeps to it."""
    if constraint.kind != "json_schema":
        yield f"constraint: {constraint.kind} asked, this kind of model has none"
        return
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        yield "response_format: reply is no JSON"
        return
    if problem := _misfit(constraint.value, value):
        yield f"response_format: reply does not fit the schema ({problem})"


def _misfit(schema: Any, value: Any) -> str:
    try:
        wrong = errors(harmless(schema), value)
    except BadOption as error:
        return str(error)
    return wrong[0].message[:120] if wrong else ""
