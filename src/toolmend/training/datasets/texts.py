"""The texts in a line: what people said, what is to be learned, everything; and the line with its texts changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from toolmend.messages import Call
from toolmend.reading.render import as_json
from toolmend.training.datasets.lines import Attempt, Chat, Hindsight, Line, Pair, Said

Change = Callable[[str], str]


def spoken(line: Line) -> list[str]:
    """What people said, message by message."""
    return [said.content for said in line.messages if said.role == "user"]


def gist(line: Line) -> str:
    """What the line teaches: each learned reply after the words it answers, not the history before them."""
    if isinstance(line, Chat):
        asked, parts = "", list[str]()
        for said in line.messages:
            if said.role == "user":
                asked = said.content
            elif said.role == "assistant" and said.learn:
                parts += [asked, _shown(said)]
        return "\n".join(parts)
    asked = next((said.content for said in reversed(line.messages) if said.role == "user"), "")
    if isinstance(line, Pair):
        return "\n".join([asked, *map(_shown, line.chosen), *map(_shown, line.rejected)])
    return "\n".join([asked, *(f"{_shown(attempt)}\n{attempt.wrong}" for attempt in line.attempts)])


def whole(line: Line) -> list[str]:
    """Every text of messages and replies with the arguments of calls; not the system text, nor the tools."""
    return [text for said in _messages(line) if said.role != "system" for text in _texts(said)] + _said_of(line)


def length(line: Line) -> int:
    """Characters of all messages and replies, the system text included."""
    return sum(len(said.content) for said in line.messages if said.role == "system") + sum(map(len, whole(line)))


def changed(line: Line, change: Change) -> Line:
    """The line with every text of `whole` changed."""
    messages = tuple(_changed(said, change) for said in line.messages)
    if isinstance(line, Pair):
        chosen, rejected = (tuple(_changed(said, change) for said in side) for side in (line.chosen, line.rejected))
        return replace(line, messages=messages, chosen=chosen, rejected=rejected, why=change(line.why))
    if isinstance(line, Hindsight):
        attempts = tuple(
            replace(each, content=change(each.content), calls=_calls(each.calls, change), wrong=change(each.wrong))
            for each in line.attempts
        )
        return replace(line, messages=messages, attempts=attempts)
    return replace(line, messages=messages)


def _messages(line: Line) -> Iterator[Said]:
    yield from line.messages
    if isinstance(line, Pair):
        yield from (*line.chosen, *line.rejected)


def _said_of(line: Line) -> list[str]:
    if isinstance(line, Pair):
        return [line.why]
    if isinstance(line, Hindsight):
        return [text for each in line.attempts for text in (*_texts(each), each.wrong)]
    return []


def _shown(said: Said | Attempt) -> str:
    calls = [f"{call.tool} {as_json(dict(call.arguments))}" for call in said.calls]
    return "\n".join([said.content, *calls]).strip()


def _texts(said: Said | Attempt) -> list[str]:
    return [said.content, *(text for call in said.calls for text in _leaves(dict(call.arguments)))]


def _leaves(value: Any) -> Iterator[str]:
    """Every text and number in a value, as text."""
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _changed(said: Said, change: Change) -> Said:
    if said.role == "system":
        return said
    return replace(said, content=change(said.content), calls=_calls(said.calls, change))


def _calls(calls: tuple[Call, ...], change: Change) -> tuple[Call, ...]:
    return tuple(replace(call, arguments=_value(dict(call.arguments), change)) for call in calls)


def _value(value: Any, change: Change) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {name: _value(item, change) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_value(item, change) for item in value]
    if isinstance(value, int | float) and not isinstance(value, bool) and change(str(value)) != str(value):
        return change(str(value))
    return value
