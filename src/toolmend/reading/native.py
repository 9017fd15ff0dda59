"""A model's native calls as a server passed them on, read like those in a text: one quirk, one treatment.

Names with what templates leave on them, arguments written as text, twice, as null, as nothing, behind an empty object:
each is forgiven and named. Arguments that cannot be read are a problem, and stay as they came, under RAW.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from toolmend.base.messages import RAW, Call, Reply, ToolSpec
from toolmend.reading.formats.block import named
from toolmend.reading.json_calls import arguments_of
from toolmend.reading.json_values import decode_at, mended
from toolmend.reading.reading import Names, Reading
from toolmend.reading.thoughts import words_of


def read_native(reply: Reply, specs: Sequence[ToolSpec]) -> Reading:
    """The native calls of a reply. The words beside them are its rest, without thoughts."""
    names, notes, detail = Names(specs), list[str](), ""
    calls = []
    for call in reply.calls:
        clean, problem = _read(call, names, notes)
        calls.append(clean)
        detail = detail or problem
    rest = words_of(reply.text).strip() if reply.text else ""
    if not calls:
        return Reading((), rest, problem="no_call")
    return Reading(tuple(calls), rest, tuple(dict.fromkeys(notes)), "syntax" if detail else None, detail)


def _read(call: Call, names: Names, notes: list[str]) -> tuple[Call, str]:
    tool, renamed = named(call.tool, names)
    if names.find(tool) is None:
        tool, renamed = call.tool, ()
    notes += renamed
    if renamed:
        call = replace(call, tool=tool)
    raw = call.arguments.get(RAW)
    if raw is None or len(call.arguments) > 1:
        return call, ""
    trial: list[str] = []
    arguments = _arguments(raw if isinstance(raw, str) else "", call, names, trial)
    if arguments is None:
        return call, f"the arguments of {tool} are no JSON object"
    notes += trial
    return replace(call, arguments=arguments), ""


def _arguments(text: str, call: Call, names: Names, notes: list[str]) -> dict[str, Any] | None:
    body = text.strip()
    value, stop = decode_at(body, 0)
    if value == {} and stop is not None and body[stop:].lstrip()[:1] == "{":
        value, stop = decode_at(body[stop:].lstrip(), 0)
        body = "" if stop is None else body[: stop or 0]
        notes.append("repeated")
    elif stop is not None and body[stop:].strip():
        stop = None
    if stop is None:
        decoded = mended(body) if body[-1:] == "}" else None  # what is cut stays as it came
        if decoded is None or decoded.problem:
            return None
        value = decoded.value
        notes += decoded.notes
    if value is None or value == "":
        notes.append("empty")
    return arguments_of(value, names.find(call.tool), notes)
