"""What was said and done before, as messages that a model can be sent. Every strategy takes its history from here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from toolmend.messages import Call, CallResult, Message

MAX_RESULT = 4_000


def spoken(messages: Iterable[Message]) -> tuple[Message, ...]:
    """The words alone, for strategies that read calls out of text."""
    return tuple(Message(each.role, each.content) for each in messages)


def acted(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Calls as calls, each followed by its result, then the words: for models that call tools themselves."""
    made: list[Message] = []
    for each in messages:
        if not each.calls:
            made.append(Message(each.role, each.content))
            continue
        made += exchange("", each.calls, each.results)
        if each.content:
            made.append(Message(each.role, each.content))
    return tuple(made)


def exchange(text: str, calls: Sequence[Call], results: Sequence[CallResult]) -> list[Message]:
    """An assistant message that makes calls, and the tools' answers."""
    answers = [Message("tool", told(result), call_id=call.id) for call, result in zip(calls, results, strict=True)]
    return [Message("assistant", text, tuple(calls)), *answers]


def reported(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Words, and what was done as a sentence in brackets, for models that must not imitate a notation of calls."""
    made = []
    for each in messages:
        done = "; ".join(brief(call, result) for call, result in zip(each.calls, each.results, strict=True))
        text = each.content if not done else f"{each.content}\n[{done}]".strip()
        made.append(Message(each.role, text))
    return tuple(made)


def told(result: CallResult) -> str:
    """What a model reads of a result: its value, or that it failed and why; a very long one cut."""
    if result.error is not None:
        text = f"Error: {result.error}"
    elif result.value is None:
        text = "Done."
    else:
        text = (
            result.value if isinstance(result.value, str) else json.dumps(result.value, ensure_ascii=False, default=str)
        )
    return text if len(text) <= MAX_RESULT else f"{text[:MAX_RESULT]} … ({len(text) - MAX_RESULT:,} characters more)"


def brief(call: Call, result: CallResult) -> str:
    """A call and how it went, in one line."""
    said = ", ".join(f"{name}: {value}" for name, value in call.arguments.items())
    outcome = "done" if result.ok else f"failed: {result.error}"
    return f"{call.tool} ({said}): {outcome}" if said else f"{call.tool}: {outcome}"
