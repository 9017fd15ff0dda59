"""`[TOOL_CALLS]`, and behind it a list, or a name and its arguments. Mistral, Ministral, Magistral, Devstral.

[TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "Paris"}, "id": "D681PevKs"}]
[TOOL_CALLS]get_weather[CALL_ID]D681PevKs[ARGS]{"city": "Paris"}
[TOOL_CALLS]get_weather{"city": "Paris"}
"""

from __future__ import annotations

import re

from toolmend.reading.formats.block import Block, Format, calls_between, joined, json_arguments
from toolmend.reading.json_values import decode_at
from toolmend.reading.reading import Names

_MARK = re.compile(r"\s*\[TOOL_CALLS\]\s*")
_NAMED = re.compile(
    r"(?P<name>[^\s\[{(]{1,100})\s*(?:\[CALL_ID\]\s*[\w-]*\s*)?(?P<args>\[ARGS\])?\s*(?=\{|\[TOOL|\Z|\")"
)
_ENDS = re.compile(r"\[TOOL_CALLS\]|</s>|\n\n")


def _read(text: str, place: int, names: Names) -> Block | None:
    blocks: list[Block] = []
    at = place
    while (mark := _MARK.match(text, at)) is not None:
        block = _one(text, mark.end(), names)
        if block is None:
            break
        blocks.append(block)
        at = block.stop
    return joined(blocks, at) if blocks else None


def _one(text: str, begin: int, names: Names) -> Block | None:
    if text[begin : begin + 1] in ("[", "{"):
        _, stop = decode_at(text, begin)
        found = calls_between(text, begin, stop or len(text), names, stop is not None)
        return found or Block(len(text), (), (), "broken behind [TOOL_CALLS]")
    head = _NAMED.match(text, begin)
    if head is not None and (head["args"] or names.find(head["name"]) or text[head.end() : head.end() + 1] == "{"):
        return json_arguments(text, head.end(), head["name"], names, _ENDS)
    newline = text.find("\n", begin)
    return calls_between(text, begin, len(text) if newline < 0 else newline, names, True)


MISTRAL = Format("mistral", ("[TOOL_CALLS]",), _read, "Mistral, Mixtral, Ministral, Magistral, Devstral")
