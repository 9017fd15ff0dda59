"""JSON, or a line of Python, between two marks. Hermes, Qwen 2.5 and 3, Granite 4, Nemotron, Jamba, Hunyuan, Apertus, …

    <tool_call>
    {"name": "get_weather", "arguments": {"city": "Paris"}}
    </tool_call>

Several calls stand in several blocks or in a list; a block that is never closed is read if its JSON is whole.
"""

from __future__ import annotations

from toolmend.base.messages import Call
from toolmend.reading.formats.block import Block, Format, calls_between
from toolmend.reading.json_values import decode_at
from toolmend.reading.reading import Names

_ENDS = {
    "<tool_call>": ("</tool_call>",),
    "<tool_calls>": ("</tool_calls>",),
    "<function_call>": ("</function_call>",),
    "<tool_use>": ("</tool_use>",),
    "<tool>": ("</tool>",),
    "<call>": ("</call>",),
    "<tools>": ("</tools>",),
    "<TOOLCALL>": ("</TOOLCALL>",),
    "<|tool_call|>": ("<|/tool_call|>", "<|tool_call|>", "<|end|>", "<|end_of_text|>"),
    "<|action_start|><|plugin|>": ("<|action_end|>",),
    "<|tools_prefix|>": ("<|tools_suffix|>",),
    "<|START_ACTION|>": ("<|END_ACTION|>",),
    "functools": ("<|end|>",),
}


def _read(text: str, place: int, names: Names) -> Block | None:
    mark = next(mark for mark in _ENDS if text.startswith(mark, place))
    begin = place + len(mark)
    if mark == "functools" and not text[begin:].lstrip().startswith("["):
        return None
    _, after = decode_at(text, begin + len(text[begin:]) - len(text[begin:].lstrip()))
    ends = [(at, end) for end in _ENDS[mark] if (at := text.find(end, after or begin)) >= 0]
    stop, end = min(ends, default=(len(text), ""))
    nested = text.find(mark, begin, stop)
    if nested >= 0 and after is None:  # the one before it was never closed
        stop, end = nested, ""
    block = calls_between(text, begin, stop, names, bool(end) or mark.startswith(("<|tool_call|", "functools")))
    if block is None:
        block = _bare_name(text[begin:stop], names, stop) if mark == "<|tools_prefix|>" else None
    if block is None and text[begin:stop].lstrip()[:1] in ("{", "["):
        return Block(stop, (), (), "broken between marks" if end else "the call is cut")
    if block is None:
        return None
    if not end and after is not None and mark.startswith(("<|tool_call|", "functools")):
        stop = after
    return Block(stop + (0 if end.startswith("<|tool_call|") else len(end)), block.calls, block.notes, block.problem)


def _bare_name(inner: str, names: Names, stop: int) -> Block | None:
    """Apertus: `[{"get_weather": {…}}]`, of any name."""
    value, _ = decode_at(inner, 0)
    items = value if isinstance(value, list) else []
    pairs = [pair for item in items if isinstance(item, dict) for pair in item.items() if isinstance(pair[1], dict)]
    return Block(stop, tuple(Call(name, given) for name, given in pairs)) if pairs else None


HERMES = Format(
    "hermes",
    tuple(_ENDS),
    _read,
    "Hermes, Qwen 2.5/3, Granite, Phi-4-mini, Command A, Nemotron, Jamba, Hunyuan, InternLM, Apertus, Ernie",
)
