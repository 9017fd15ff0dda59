"""Lines or lists of Python between two marks, with JSON's words for values. LFM2, Olmo 3.

<|tool_call_start|>[get_weather(city="Paris", metric=true)]<|tool_call_end|>
<function_calls>get_weather(city="Paris")
get_weather(city="Rome")</function_calls>
"""

from __future__ import annotations

from toolmend.reading.formats.block import Block, Format, calls_between
from toolmend.reading.reading import Names

_ENDS = {"<|tool_call_start|>": "<|tool_call_end|>", "<function_calls>": "</function_calls>"}


def _read(text: str, place: int, names: Names) -> Block | None:
    mark = next(mark for mark in _ENDS if text.startswith(mark, place))
    end = text.find(_ENDS[mark], place)
    stop = end if end >= 0 else len(text)
    block = calls_between(text, place + len(mark), stop, names, end >= 0)
    if block is None:
        return None
    return Block(stop + (len(_ENDS[mark]) if end >= 0 else 0), block.calls, block.notes, block.problem)


PYTHONIC = Format("pythonic", tuple(_ENDS), _read, "LFM2, LFM2.5, Olmo 3")
