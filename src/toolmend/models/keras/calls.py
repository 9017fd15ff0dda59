"""Native calls out of a reply's text, in the three forms that families of templates have. Nothing is repaired.

<tool_call>{"name": …, "arguments": {…}}</tool_call>     [TOOL_CALLS] [{…}, {…}]     {"name": …, "parameters": {…}}
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from toolmend.messages import RAW, Call
from toolmend.models.names import WireNames

_CLOSING = {"<tool_call>": "</tool_call>"}
_DECODER = json.JSONDecoder()


def calls_of(text: str, opening: str, names: WireNames) -> tuple[str, tuple[Call, ...]]:
    """The text without its calls, and the calls; a text that cannot be read as calls stays text."""
    if opening.startswith("{"):
        found = list(_objects(text.strip())) if text.lstrip().startswith("{") else []
        before = ""
    else:
        before, sign, rest = text.partition(opening)
        if not sign:
            return text, ()
        for mark in (opening, _CLOSING.get(opening, "")):
            rest = rest.replace(mark, "\n") if mark else rest
        found = list(_objects(rest.strip()))
    calls = tuple(filter(None, (_call(each, number, names) for number, each in enumerate(found, 1))))
    return (before.strip(), calls) if calls and len(calls) == len(found) else (text, ())


def _objects(text: str) -> Iterator[Any]:
    """The JSON values of a text one after another, lists opened; something that is none at the end of it is None."""
    while text := text.lstrip(" \n\t;"):
        try:
            value, end = _DECODER.raw_decode(text)
        except (ValueError, RecursionError):
            yield None
            return
        yield from value if isinstance(value, list) else [value]
        text = text[end:]


def _call(value: Any, number: int, names: WireNames) -> Call | None:
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return None
    given = value.get("arguments", value.get("parameters", {}))
    arguments = given if isinstance(given, dict) else {RAW: given if isinstance(given, str) else json.dumps(given)}
    return Call(names.own(value["name"]), arguments, str(value.get("id") or f"call{number}"))
