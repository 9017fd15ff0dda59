"""Parameters in tags of their own. Qwen-Coder, Seed, Nemotron 3, MiniMax, DeepSeek's DSML, Step 3, Anthropic's.

    <tool_call>
    <function=get_weather>
    <parameter=city>
    Paris
    </parameter>
    </function>
    </tool_call>

    <minimax:tool_call><invoke name="get_weather"><parameter name="city">Paris</parameter></invoke></minimax:tool_call>
    <｜DSML｜function_calls><｜DSML｜invoke name="f"><｜DSML｜parameter name="n" string="false">5</｜DSML｜parameter>…

Between the tags stands the value: a text as it is, anything else as JSON. `<function=f>{…}</function>` is Llama's.
"""

from __future__ import annotations

import re
from typing import Any

from toolmend.base.messages import Call
from toolmend.reading.formats.block import Block, Format, joined, json_arguments, named
from toolmend.reading.formats.typed import schema_of, typed
from toolmend.reading.reading import Names

_SPACE = r"(?:[｜|]+DSML[｜|]+|antml:|steptml:|minimax:)?"
_WRAPS = rf"{_SPACE}(?:function_calls?|tool_calls?)|seed:tool_call|tool_use"
_WRAPPER = re.compile(rf"<(?P<wrap>{_WRAPS})>\s*")
_FUNCTION = re.compile(
    rf"\s*<(?P<space>{_SPACE})(?P<tag>function|invoke|tool)(?:=|[ \t]+name=)[\"']?(?P<name>[^\"'<>\n]+?)[\"']?[ \t]*>"
)
_PARAMETER = re.compile(
    rf"\s*<{_SPACE}parameter(?:=|[ \t]+name=)[\"']?(?P<name>[^\"'<>\n=]+?)[\"']?(?P<more>[ \t][^<>\n]*)?>"
)
_TAG = re.compile(rf"</?{_SPACE}(?:parameter|function|invoke|tool)\b[^<>\n]*>|</(?:{_WRAPS})>")
_CLOSES = re.compile(rf"</{_SPACE}parameter>")
_END = re.compile(rf"\s*</(?:{_SPACE}(?:function|invoke|tool)|{_WRAPS})>")
_JSON_END = re.compile(rf"</{_SPACE}(?:function|invoke|tool)>|</(?:{_WRAPS})>")


def _read(text: str, place: int, names: Names) -> Block | None:
    """Functions one after the other, within a wrapper or without."""
    wrapper = _WRAPPER.match(text, place)
    at = wrapper.end() if wrapper else place
    if _FUNCTION.match(text, at) is None:
        return None
    blocks: list[Block] = []
    while (function := _FUNCTION.match(text, at)) is not None:
        block = _function(text, function, names)
        blocks.append(block)
        at = block.stop
        if wrapper is None or block.problem:
            break
    if wrapper is None:
        return joined(blocks, at)
    closing = re.compile(rf"\s*</{re.escape(wrapper['wrap'])}>").match(text, at)
    return joined(blocks, closing.end() if closing else at, () if closing else ("unclosed",))


def _function(text: str, function: re.Match[str], names: Names) -> Block:
    tool, notes = named(function["name"], names)
    spec, at, arguments = names.find(tool), function.end(), dict[str, Any]()
    if text[at:].lstrip()[:1] in ("{", "["):
        block = json_arguments(text, at, tool, names, _JSON_END)
        end = _END.match(text, block.stop)
        return Block(end.end() if end else block.stop, block.calls, block.notes, block.problem)
    while (parameter := _PARAMETER.match(text, at)) is not None:
        name = parameter["name"].strip()
        closing = _closing(text, parameter.end())
        if closing is None or _CLOSES.fullmatch(closing[0]) is None:
            how = f"closed by {closing[0].strip()}" if closing else "cut"
            return Block(closing.end() if closing else len(text), (), notes, f"{tool}: parameter {name} is {how}")
        arguments[name] = _value(text, parameter, closing.start(), *schema_of(spec, name))
        at = closing.end()
    end = _END.match(text, at)
    if end is None and (text[at:].strip() or arguments or not text[at:]):
        after = _FUNCTION.match(text, at)
        if after is None or not arguments:
            return Block(len(text), (), notes, f"{tool}: the call is cut, or closed by nothing that closes it")
        notes = (*notes, "unclosed")
    if end is not None and f"{function['tag']}>" not in end[0]:
        return Block(at, (Call(tool, arguments),), (*notes, "unclosed"))
    return Block(end.end() if end else at, (Call(tool, arguments),), notes)


def _closing(text: str, place: int) -> re.Match[str] | None:
    """The tag that ends a value: its own, unless a parameter or function begins or ends on a line before it."""
    own = _CLOSES.search(text, place)
    for tag in _TAG.finditer(text, place):
        if own is not None and tag.start() == own.start():
            return own
        if tag[0].startswith("</") or _PARAMETER.match(tag[0]):
            return tag
    return own


def _value(text: str, parameter: re.Match[str], stop: int, schema: Any, root: Any) -> Any:
    raw = text[parameter.end() : stop]
    if 'string="true"' in (parameter["more"] or ""):
        return raw
    begin = parameter.start() + len(parameter[0]) - len(parameter[0].lstrip())
    line = text[text.rfind("\n", 0, begin) + 1 : begin]
    return typed(raw, schema, root, 0 if line.strip() else len(line))


_NAMESPACES = ("", "｜DSML｜", "｜｜DSML｜｜", "|DSML|", "antml:", "steptml:", "minimax:")
PARAMETERS = Format(
    "parameters",
    (
        "<function=",
        "<function name=",
        "<tool name=",
        "<seed:tool_call>",
        "<tool_use>",
        *(
            f"<{space}{tag}>"
            for space in _NAMESPACES
            for tag in ("function_calls", "function_call", "tool_calls", "tool_call")
        ),
        *(f"<{space}invoke name=" for space in _NAMESPACES),
    ),
    _read,
    "Qwen3-Coder, Seed-OSS, Nemotron 3, MiniMax, DeepSeek V3.2 and V4 (DSML), Step 3, Claude, Llama 3 (`<function=`)",
)
