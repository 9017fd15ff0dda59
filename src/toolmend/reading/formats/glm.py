"""Pairs of key and value. GLM 4.5 to 4.7.

    <tool_call>get_weather
    <arg_key>city</arg_key>
    <arg_value>Paris</arg_value>
    </tool_call>

A value is a text as it stands, or JSON where the parameter is no text.
"""

from __future__ import annotations

import re
from typing import Any

from toolmend.base.messages import Call
from toolmend.reading.formats.block import Block, Format, named
from toolmend.reading.formats.typed import schema_of, typed
from toolmend.reading.reading import Names

_HEAD = re.compile(r"<tool_call>\s*(?P<name>[\w.:-]+)\s*(?=<arg_key>|</tool_call>)")
_KEY = re.compile(r"\s*<arg_key>(?P<key>[^<]*)</arg_key>\s*<arg_value>")
_VALUE_END = re.compile(r"</arg_value>|<arg_key>|</tool_call>")
_END = re.compile(r"\s*</tool_call>")
_TURN = re.compile(r"\s*(?:<\|(?:observation|user|assistant)\|>|(?=<tool_call>))")


def _read(text: str, place: int, names: Names) -> Block | None:
    head = _HEAD.match(text, place)
    if head is None:
        return None
    tool, notes = named(head["name"], names)
    if text.startswith("</", head.end()) and names.find(tool) is None:
        return None
    at, arguments = head.end(), dict[str, Any]()
    while (key := _KEY.match(text, at)) is not None:
        name = key["key"].strip()
        end = _VALUE_END.search(text, key.end())
        if end is None or end[0] != "</arg_value>":
            how = f"closed by {end[0]}" if end else "cut"
            return Block(end.end() if end else len(text), (), notes, f"{tool}: the value of {name} is {how}")
        arguments[name] = typed(text[key.end() : end.start()], *schema_of(names.find(tool), name))
        at = end.end()
    if closing := _END.match(text, at):
        return Block(closing.end(), (Call(tool, arguments),), notes)
    if turn := _TURN.match(text, at):
        return Block(turn.end(), (Call(tool, arguments),), (*notes, "unclosed"))
    return Block(len(text), (), notes, f"{tool}: the call is cut")


GLM = Format("glm", ("<tool_call>",), _read, "GLM 4.5, 4.6, 4.7")
