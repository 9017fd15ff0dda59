"""What a format is, what one block of it comes to, and what formats share: JSON at a place, arguments, typed texts.

A format knows where its blocks begin and reads one; it knows no other format. What is cut, or closed by the wrong tag,
is a problem with its name, never a smaller call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from toolmend.base.messages import Call
from toolmend.reading.json_calls import arguments_of, read_json
from toolmend.reading.json_values import decode_at
from toolmend.reading.python import read_python
from toolmend.reading.reading import Names

_FENCE = re.compile(r"\s*(?:```(?:json)?[ \t]*\n?)?\s*")
_FENCE_END = re.compile(r"\s*```")


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a text that is calls: it ends at `stop`. `problem` says why one in it could not be read."""

    stop: int
    calls: tuple[Call, ...] = ()
    notes: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Format:
    """A model family's way of writing calls into text.

    `marks` are the literal texts a block can begin with; `read(text, place, names)` reads the block whose mark stands
    at `place`, or returns None where it is not of this format. `models` says who writes so.
    """

    name: str
    marks: tuple[str, ...]
    read: Callable[[str, int, Names], Block | None]
    models: str = ""


def json_arguments(text: str, place: int, tool: str, names: Names, ends: re.Pattern[str]) -> Block:
    """The call of a tool whose arguments are the JSON at this place, up to one of `ends`, which is not taken.

    Fenced, written as text, null, none at all, or `{}` before them: each is forgiven and noted.
    """
    tool, renamed = named(tool, names)
    fence = _FENCE.match(text, place)
    begin = fence.end() if fence else place
    value, stop = decode_at(text, begin)
    notes = [*renamed]
    if value == {} and stop is not None and text.startswith("{", stop):
        value, stop = decode_at(text, stop)
        notes.append("repeated")
    if stop is None:
        return _broken(text, begin, tool, names, ends, notes)
    if fenced := _FENCE_END.match(text, stop):
        stop = fenced.end()
    arguments = arguments_of(value, names.find(tool), notes)
    if arguments is None:
        return Block(stop, (), tuple(notes), f"the arguments of {tool} are no JSON object")
    return Block(stop, (Call(tool, arguments),), tuple(notes))


def _broken(text: str, place: int, tool: str, names: Names, ends: re.Pattern[str], notes: list[str]) -> Block:
    end = ends.search(text, place)
    stop = end.start() if end else len(text)
    inner = text[place:stop].strip()
    if end is None:
        return Block(stop, (), tuple(notes), f"the arguments of {tool} are cut")
    if not inner:
        return Block(stop, (Call(tool, {}),), (*notes, "empty"))
    reading = read_json(f'{{"name": "{tool}", "arguments": {inner}}}', list(names.full.values()))
    problem = "" if reading.calls and not reading.problem else f"the arguments of {tool} cannot be read"
    return Block(stop, () if problem else reading.calls, (*notes, *reading.leniencies), problem)


def calls_between(text: str, start: int, stop: int, names: Names, closed: bool) -> Block | None:
    """The calls that stand between two marks as JSON or as Python; None if there are none."""
    inner, specs = text[start:stop], list(names.full.values())
    _, end = decode_at(text, start + len(inner) - len(inner.lstrip()))
    reading = read_json(inner if end is None or end > stop else text[start:end], specs)
    if reading.problem == "no_call":
        reading = read_python(inner, specs)
    if reading.problem == "no_call":
        return None
    notes = reading.leniencies if closed else (*reading.leniencies, "unclosed")
    if not closed and ("repaired" in notes or reading.problem == "syntax"):
        return Block(stop, (), notes, "the call is cut")
    problem = (reading.detail or "broken between marks") if reading.problem == "syntax" else ""
    calls = tuple(Call(named(call.tool, names)[0], call.arguments) for call in reading.calls)
    renamed = [note for call in reading.calls for note in named(call.tool, names)[1]]
    return Block(stop, calls, tuple(dict.fromkeys([*notes, *renamed])), problem)


_CHANNEL = re.compile(r"<\|?[a-z_]+\|?>.*\Z", re.DOTALL)


def named(written: str, names: Names) -> tuple[str, tuple[str, ...]]:
    """The tool's name without what servers and templates leave on it: `functions.`, `:0`, a channel, blanks, quotes."""
    if written in names.full:
        return written, ()
    plain_name = _CHANNEL.sub("", written).strip().strip("\"'`")
    for name in (plain_name, re.sub(r":\d+\Z", "", plain_name)):
        for known in (name.removeprefix("functions."), name):
            if names.find(known):
                return known, () if known == written else ("name",)
    bare = re.sub(r":\d+\Z", "", plain_name).removeprefix("functions.")
    return bare, () if bare == written else ("name",)


def joined(blocks: Sequence[Block], stop: int, notes: Sequence[str] = ()) -> Block:
    """Several blocks as one."""
    calls = tuple(call for block in blocks for call in block.calls)
    said = tuple(dict.fromkeys([note for block in blocks for note in block.notes] + list(notes)))
    return Block(stop, calls, said, next((block.problem for block in blocks if block.problem), ""))
