"""The texts in a line: what people said, what is to be learned, everything; and the line with its texts changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from toolmend.training.datasets.lines import Chat, Hindsight, Line, Pair, Said

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
                parts += [asked, said.content.strip()]
        return "\n".join(parts)
    asked = next((said.content for said in reversed(line.messages) if said.role == "user"), "")
    if isinstance(line, Pair):
        return "\n".join([asked, *(said.content.strip() for said in (*line.chosen, *line.rejected))])
    return "\n".join([asked, *(f"{attempt.content.strip()}\n{attempt.wrong}" for attempt in line.attempts)])


def whole(line: Line) -> list[str]:
    """Every text of messages and replies; not the system text, nor the tools."""
    return [said.content for said in _messages(line) if said.role != "system"] + _said_of(line)


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
            replace(each, content=change(each.content), wrong=change(each.wrong)) for each in line.attempts
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
        return [text for each in line.attempts for text in (each.content, each.wrong)]
    return []


def _changed(said: Said, change: Change) -> Said:
    return said if said.role == "system" else replace(said, content=change(said.content))
