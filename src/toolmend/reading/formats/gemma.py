"""`call:name{key:value}`, texts between marks of their own. FunctionGemma, Gemma 4; Gemma 3 writes Python in a fence.

<start_function_call>call:get_weather{city:<escape>Paris<escape>}<end_function_call>
<|tool_call>call:get_weather{city:<|"|>Paris<|"|>,days:3,tags:[<|"|>a<|"|>]}<tool_call|>
"""

from __future__ import annotations

import re
from typing import Any

from toolmend.base.messages import Call
from toolmend.reading.formats.block import Block, Format, named
from toolmend.reading.json_values import decode_at
from toolmend.reading.reading import MAX_DEPTH, Names

_HEAD = re.compile(r"(?:<start_function_call>|<\|tool_call>)\s*(?:call:)?\s*(?P<name>[\w.-]+)\s*(?=\{)")
_END = re.compile(r"\s*(?:<end_function_call>|<tool_call\|>)")
_KEY = re.compile(
    r"\s*(?:<escape>(?P<escaped>.*?)<escape>|<\|\"\|>(?P<marked>.*?)<\|\"\|>|\"(?P<quoted>[^\"]*)\"|(?P<bare>[\w.$-]+))\s*:\s*"
)
_QUOTES = ("<escape>", '<|"|>')
_BARE = re.compile(r"[^,\]}<]+")
_WORDS = {"true": True, "false": False, "null": None, "none": None, "True": True, "False": False, "None": None}


class _Cut(ValueError):
    """The text ends, or goes on otherwise, where a value is due."""


def _read(text: str, place: int, names: Names) -> Block | None:
    head = _HEAD.match(text, place)
    if head is None:
        return None
    tool, notes = named(head["name"], names)
    try:
        arguments, stop = _value(text, head.end(), 0)
    except _Cut:
        end = _END.search(text, head.end())
        how = "cannot be read" if end else "are cut"
        return Block(end.end() if end else len(text), (), notes, f"the arguments of {tool} {how}")
    end = _END.match(text, stop)
    return Block(end.end() if end else stop, (Call(tool, arguments),), notes if end else (*notes, "unclosed"))


def _value(text: str, place: int, depth: int) -> tuple[Any, int]:
    if depth > MAX_DEPTH:
        raise _Cut
    place += len(text[place:]) - len(text[place:].lstrip())
    for quote in _QUOTES:
        if text.startswith(quote, place):
            end = text.find(quote, place + len(quote))
            if end < 0:
                raise _Cut
            return text[place + len(quote) : end], end + len(quote)
    sign = text[place : place + 1]
    if sign == "{":
        return _members(text, place + 1, depth)
    if sign == "[":
        return _items(text, place + 1, depth)
    value, stop = decode_at(text, place) if sign == '"' else (None, None)
    if stop is not None:
        return value, stop
    bare = _BARE.match(text, place)
    if bare is None or sign == '"':
        raise _Cut
    word = bare[0].strip()
    number, stop = decode_at(word, 0)
    if word in _WORDS or stop != len(word):
        number = _WORDS.get(word, word)
    return number, bare.end()


def _members(text: str, place: int, depth: int) -> tuple[dict[str, Any], int]:
    made: dict[str, Any] = {}
    while (close := _closes(text, place, "}")) is None:
        key = _KEY.match(text, place)
        if key is None:
            raise _Cut
        name = next(part for part in key.groups() if part is not None)
        made[name], place = _value(text, key.end(), depth + 1)
        place = _comma(text, place, "}")
    return made, close


def _items(text: str, place: int, depth: int) -> tuple[list[Any], int]:
    made: list[Any] = []
    while (close := _closes(text, place, "]")) is None:
        item, place = _value(text, place, depth + 1)
        made.append(item)
        place = _comma(text, place, "]")
    return made, close


def _closes(text: str, place: int, mark: str) -> int | None:
    at = place + len(text[place:]) - len(text[place:].lstrip())
    return at + 1 if text.startswith(mark, at) else None


def _comma(text: str, place: int, mark: str) -> int:
    at = place + len(text[place:]) - len(text[place:].lstrip())
    if text.startswith(",", at):
        return at + 1
    if not text.startswith(mark, at):
        raise _Cut
    return at


GEMMA = Format("gemma", ("<start_function_call>", "<|tool_call>"), _read, "FunctionGemma, Gemma 4")
