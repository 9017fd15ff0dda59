"""Channels of messages, of which those addressed to a function are calls. GPT-OSS.

    <|channel|>analysis<|message|>…<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather
    <|constrain|>json<|message|>{"city": "Paris"}<|call|>

Servers that drop special tokens leave `commentary to=functions.get_weather json{…}`. What is addressed on the channel
`analysis` is thought.
"""

from __future__ import annotations

import re

from toolmend.reading.formats.block import Block, Format, json_arguments
from toolmend.reading.reading import Names

_CHANNEL = r"(?:<\|channel\|>)?\s*commentary"
_HEAD = re.compile(
    rf"(?:<\|start\|>)?\s*(?:assistant)?\s*(?:{_CHANNEL})?\s*to=(?P<name>[\w.:-]+?)(?:(?={_CHANNEL})|(?![\w.:-]))"
    rf"\s*(?:{_CHANNEL})?\s*(?:<\|constrain\|>)?\s*(?:json|code)?\s*(?:<\|message\|>)?\s*(?=[{{\"n<]|\Z)"
)
_ENDS = re.compile(r"<\|(?:call|end|start|return|channel)\|>")
_CALL = re.compile(r"\s*<\|(?:call|end|return)\|>")


def _read(text: str, place: int, names: Names) -> Block | None:
    head = _HEAD.match(text, place)
    if head is None or not (head["name"].startswith("functions.") or names.find(head["name"])):
        return None
    name = head["name"].removeprefix("functions.")
    block = json_arguments(text, head.end(), name, names, _ENDS)
    end = _CALL.match(text, block.stop)
    return Block(end.end() if end else block.stop, block.calls, block.notes, block.problem)


HARMONY = Format(
    "harmony",
    (
        "<|start|>assistant",
        "<|channel|>commentary",
        "assistantcommentary to=",
        "commentary to=",
        "to=functions.",
    ),
    _read,
    "GPT-OSS",
)
