"""A conversation as ids with a mark for what is learned: the embedded models' own form. Knows messages, not files.

    <|begin_of_text|> <|user|> request <|assistant|> reply <|eot_id|> …          learned: reply <|eot_id|>

A wrong reply stands in the conversation but is not learned (`learn` False).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from toolmend.messages import ToolSpec
from toolmend.models.builtin.tokens import ASSISTANT, BEGIN, END, USER, Tokens
from toolmend.reading.render import render
from toolmend.training.datasets.lines import Said


@dataclass(frozen=True)
class Row:
    """One conversation: `learn[i]` says whether `ids[i]` is to be predicted from the ids before it."""

    ids: tuple[int, ...]
    learn: tuple[bool, ...]


class Form(Protocol):
    """How a base writes conversations."""

    def row(self, messages: Sequence[Said], tools: Sequence[ToolSpec]) -> Row:
        """The conversation as ids; the assistant's messages are learned unless their `learn` is False."""
        ...


class EmbeddedForm:
    """The form of embedded models: no system text, no tools, no results."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens

    def row(self, messages: Sequence[Said], tools: Sequence[ToolSpec]) -> Row:
        """The conversation as ids; other roles than user and assistant are left out, as when it is asked."""
        ids, learn = [BEGIN], [False]
        for message in messages:
            if message.role == "user":
                piece = [USER, *self._tokens.encode(message.content)]
                ids, learn = ids + piece, learn + [False] * len(piece)
            elif message.role == "assistant":
                reply = [*self._tokens.encode(as_text(message, tools)), END]
                ids, learn = [*ids, ASSISTANT, *reply], [*learn, False, *[message.learn] * len(reply)]
        return Row(tuple(ids), tuple(learn))


def as_text(message: Said, tools: Sequence[ToolSpec]) -> str:
    """What an assistant's message says: its content and its calls, one line of Python each."""
    specs = {spec.full_name: spec for spec in tools}
    calls = [render(call, specs.get(call.tool)) for call in message.calls]
    return "\n".join([*([message.content] if message.content or not calls else []), *calls])
