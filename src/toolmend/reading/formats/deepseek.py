"""Calls between DeepSeek's marks; V3 and R1 write a kind and a fence, V3.1 neither. Kimi K2's marks are their kin.

<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather
```json
{"city": "Paris"}
```<｜tool▁call▁end｜><｜tool▁calls▁end｜>

<｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Paris"}<｜tool▁call▁end｜>
<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Paris"}<|tool_call_end|>
"""

from __future__ import annotations

import re

from toolmend.reading.formats.block import Block, Format, joined, json_arguments
from toolmend.reading.formats.parameters import PARAMETERS
from toolmend.reading.reading import Names

_OPEN, _BAR = "<[｜|]", "[｜|]>"
_S = "[▁_ ]"
_SECTION = re.compile(rf"\s*{_OPEN}tool{_S}calls{_S}(?:section{_S})?begin{_BAR}\s*")
_CALL = re.compile(
    rf"\s*{_OPEN}tool{_S}call{_S}begin{_BAR}\s*(?:function\s*{_OPEN}tool{_S}sep{_BAR})?\s*(?P<name>[^<\n`{{]{{1,120}})"
    rf"\s*(?:{_OPEN}tool{_S}(?:sep|call{_S}argument{_S}begin){_BAR})?\s*"
)
_ENDS = re.compile(rf"{_OPEN}tool{_S}calls?{_S}(?:section{_S})?(?:end|begin){_BAR}")
_CALL_END = re.compile(rf"\s*{_OPEN}tool{_S}call{_S}end{_BAR}\s*")
_SECTION_END = re.compile(rf"(?:\s*{_OPEN}tool{_S}calls{_S}(?:section{_S})?end{_BAR})+")
_NUMBERED = re.compile(r"(?:tool_)?call_?\d*\Z|\d+\Z")


def _read(text: str, place: int, names: Names) -> Block | None:
    section = _SECTION.match(text, place)
    at, blocks = section.end() if section else place, list[Block]()
    while (call := _CALL.match(text, at)) is not None:
        block = _one(text, call, names)
        blocks.append(block)
        at = block.stop
        if block.problem:
            break
    if not blocks:
        inner = PARAMETERS.read(text, at, names) if text.startswith("<", at) else None
        blocks = [inner] if inner else []
        at = inner.stop if inner else at
    if not blocks:
        return None
    end = _SECTION_END.match(text, at)
    return joined(blocks, end.end() if end else at, ("unclosed",) if section and not end else ())


def _one(text: str, call: re.Match[str], names: Names) -> Block:
    name = call["name"].strip()
    if _NUMBERED.match(name) and names.find(name) is None:
        end = _ENDS.search(text, call.end())
        return Block(end.end() if end else len(text), (), (), f"no tool is named, only {name}")
    block = None
    if name == "function" and text.startswith("<", call.end()):
        block = PARAMETERS.read(text, call.end(), names)
    block = block or json_arguments(text, call.end(), name, names, _ENDS)
    end = _CALL_END.match(text, block.stop)
    return Block(end.end() if end else block.stop, block.calls, block.notes, block.problem)


_FORMS = [(o, s) for o in ("｜", "|") for s in ("▁", "_")]
DEEPSEEK = Format(
    "deepseek",
    tuple(f"<{bar}tool{s}call{more}{s}begin{bar}>" for bar, s in _FORMS for more in ("s", "")),
    _read,
    "DeepSeek V3, R1, V3.1, Step 3",
)
KIMI = Format("kimi", ("<|tool_calls_section_begin|>", "<|tool_call_begin|>"), _read, "Kimi K2, K2.5")
