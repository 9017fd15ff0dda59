"""The conversation of any chat template as ids with a mark for what is learned. Knows no weights.

What is learned of a message is what the model itself would write: from where a prompt for it ends to the token that
ends its reply. So a row is the very ids that the model is asked with, whatever the template does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from toolmend.errors import BadOption
from toolmend.messages import Message, ToolSpec
from toolmend.models.keras.chat import TemplateChat
from toolmend.models.openai_messages import names_of
from toolmend.training.datasets.lines import Said
from toolmend.training.tune.rows import Row


class ChatForm:
    """Rows by a model's template and tokenizer."""

    def __init__(self, chat: TemplateChat) -> None:
        self._chat = chat

    def row(self, messages: Sequence[Said], tools: Sequence[ToolSpec]) -> Row:
        """The conversation as ids, up to the end of the last reply; tools are shown where calls are native.

        A reply that a template shows otherwise once the talk goes on (Mistral moves its system text) is not learned.
        Raises BadOption for calls that the template cannot write.
        """
        native = [*tools] if any(said.calls for said in messages) else []
        if native and not self._chat.tools:
            raise BadOption("this model's chat template writes no tool calls; build the data with --as oneline")
        talk = [_message(said, number) for number, said in enumerate(messages)]
        replies = [number for number, said in enumerate(messages) if said.role == "assistant"]
        whole = self._prompt(talk, native)
        learn, end = [False] * len(whole), 0
        for number in replies:
            start, stop, ids = self._reply(talk, number, native)
            if whole[:stop] != ids[:stop]:
                continue
            end = max(end, stop)
            learn[start:stop] = [messages[number].learn] * (stop - start)
        return Row(tuple(whole[:end]), tuple(learn[:end]))

    def _reply(self, talk: Sequence[Message], number: int, tools: Sequence[ToolSpec]) -> tuple[int, int, list[int]]:
        """Where a reply begins and ends in the ids of the conversation so far, and these ids."""
        asked, ids = self._prompt(talk[:number], tools), self._prompt(talk[: number + 1], tools)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(asked, ids, strict=False)))
        stops = self._chat.stops
        stop = next((place + 1 for place in range(same, len(ids)) if ids[place] in stops), len(ids))
        return same, stop, ids

    def _prompt(self, talk: Sequence[Message], tools: Sequence[ToolSpec]) -> list[int]:
        answered = _answered(talk)
        return self._chat.prompt(answered, tools, names_of(answered, tools))


def _message(said: Said, number: int) -> Message:
    calls = tuple(replace(call, id=call.id or f"c{100 * number + place}") for place, call in enumerate(said.calls, 1))
    return Message(said.role, said.content, calls, said.call_id)


def _answered(talk: Sequence[Message]) -> list[Message]:
    """The talk with an empty result for every call that has none: calls without one would not be shown."""
    known = {message.call_id for message in talk}
    made: list[Message] = []
    for message in talk:
        made.append(message)
        made += [Message("tool", "", call_id=call.id) for call in message.calls if call.id not in known]
    return made
