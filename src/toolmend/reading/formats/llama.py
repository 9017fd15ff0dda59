"""`<|python_tag|>` and JSON with `parameters`, several joined by semicolons, or a built-in tool's call. Llama 3.

    <|python_tag|>{"name": "get_weather", "parameters": {"city": "Paris"}}<|eom_id|>
    <|python_tag|>brave_search.call(query="weather")<|eom_id|>
    >>>get_weather
    {"city": "Paris"}

The last is Functionary's. Without a mark Llama writes the JSON alone, which needs no format.
"""

from __future__ import annotations

import re
from dataclasses import replace

from toolmend.reading.formats.block import Block, Format, calls_between, json_arguments
from toolmend.reading.reading import Names

_END = re.compile(r"<\|e[o]?(?:m|t)_id\|>|<\|end_of_text\|>")
_FUNCTIONARY = re.compile(r">>>(?P<name>[\w.]+)\n(?=\s*\{)")
_NEXT = re.compile(r">>>|<\|")


def _read(text: str, place: int, names: Names) -> Block | None:
    if text.startswith(">>>", place):
        head = _FUNCTIONARY.match(text, place)
        known = head is not None and names.find(head["name"]) is not None
        return json_arguments(text, head.end(), head["name"], names, _NEXT) if head and known else None
    end = _END.search(text, place)
    stop = end.start() if end else len(text)
    block = calls_between(text, place + len("<|python_tag|>"), stop, names, end is not None)
    if block is None:
        return None
    calls = tuple(
        replace(call, tool=bare) if (bare := call.tool.removesuffix(".call")) and not names.find(call.tool) else call
        for call in block.calls
    )
    return Block(
        end.end() if end else stop, calls, tuple(note for note in block.notes if note != "unclosed"), block.problem
    )


LLAMA = Format("llama", ("<|python_tag|>", ">>>"), _read, "Llama 3.1 to 3.3, Functionary")
