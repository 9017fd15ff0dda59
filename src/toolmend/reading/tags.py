"""Tagged calls: `<tool_call>{…}</tool_call>`, `<function=name>{…}</function>`, `<invoke name="…"><parameter …>`,
`[TOOL_CALLS] […]` and their kin. What stands between the tags is JSON, parameters in tags, or a line of Python.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolmend.base.messages import Call, ToolSpec
from toolmend.reading.json_calls import read_json
from toolmend.reading.python import read_python
from toolmend.reading.reading import Names, Problem, Reading
from toolmend.reading.scan import Leftover, without_reasoning
from toolmend.reading.value import value_of

_OPENING = re.compile(
    r"<(?P<tag>tool_call|function_call|tool_use|tool|call)>"
    r"|<(?P<named>function|invoke|tool)(?:=|[ \t]+name=)[\"']?(?P<name>[\w.-]+)[\"']?[ \t]*>"
    r"|(?P<mark>\[TOOL_CALLS\]|<\|python_tag\|>|<\|tool_call\|>)"
)
_PARAMETER = re.compile(
    r"<parameter(?:=|[ \t]+name=)[\"']?(?P<name>[\w.*-]+)[\"']?[^<>\n]*>(?P<value>.*?)</parameter>", re.DOTALL
)
TAGGED = re.compile(r"<(?:tool_call|function_call|function=|invoke |tool_use|\|python_tag)|\[TOOL_CALLS\]")
"""What shows that a text is written with tags."""


def read_tags(text: str, specs: Sequence[ToolSpec], *, nested: bool = False) -> Reading:
    """The calls between tags. A tag that is never closed ends with the text (leniency "unclosed"). `nested` tells that
    the text stood between tags itself."""
    names = Names(specs)
    left = Leftover(text)
    budget = 8 * len(text) + 1_000
    calls: list[Call] = []
    notes: list[str] = []
    detail = ""
    place = without_reasoning(text)
    if place:
        notes.append("reasoning")
        left.take(0, place, bare=False)
    while budget > 0 and (opening := _OPENING.search(text, place)) is not None:
        stop, inner_stop, closed = _closing(text, opening)
        inner = text[opening.end() : inner_stop]
        budget -= len(inner)
        reading = _inside(inner, opening["name"], specs, names, nested)
        if reading is None:
            place = opening.end()
            continue
        left.take(opening.start(), stop)
        calls += reading.calls
        notes += [*reading.leniencies, *([] if closed else ["unclosed"])]
        detail = detail or (reading.detail or "broken between tags" if reading.problem == "syntax" else "")
        place = stop
    rest, more, _ = left.finish(bool(calls))
    problem: Problem | None = "syntax" if detail else None if calls else "no_call"
    return Reading(tuple(calls), rest, tuple(dict.fromkeys([*notes, *more])), problem, detail)


def _closing(text: str, opening: re.Match[str]) -> tuple[int, int, bool]:
    """Where the tagged part stops, where what is inside it stops, and whether it was closed."""
    if opening["mark"]:
        return len(text), len(text), True
    closing = f"</{opening['tag'] or opening['named']}>"
    place = text.find(closing, opening.end())
    following = _OPENING.search(text, opening.end()) if place < 0 else None
    if place >= 0:
        return place + len(closing), place, True
    stop = following.start() if following else len(text)
    return stop, stop, False


def _inside(inner: str, name: str | None, specs: Sequence[ToolSpec], names: Names, nested: bool) -> Reading | None:
    if name is not None:
        return _function(inner, name, names)
    following = None if nested else _OPENING.search(inner)
    if following is not None and following["name"]:
        reading = read_tags(inner, specs, nested=True)
        return reading if reading.calls else None
    reading = read_json(inner, specs)
    if reading.problem == "no_call":
        reading = read_python(inner, specs)
    return None if reading.problem == "no_call" else reading


def _function(inner: str, name: str, names: Names) -> Reading:
    spec = names.find(name)
    parameters = list(_PARAMETER.finditer(inner))
    if parameters:
        properties = spec.properties if spec else {}
        arguments = {
            match["name"]: value_of(match["value"].strip("\n"), properties.get(match["name"])) for match in parameters
        }
        return Reading((Call(name, arguments),))
    if not inner.strip():
        return Reading((Call(name, {}),))
    # read with the tool's name put before it, so that one ladder serves
    reading = read_json(f'{{"name": "{name}", "arguments": {inner.strip()}}}', list(names.full.values()))
    if reading.calls or reading.problem == "syntax":
        return reading
    return Reading((), "", (), "syntax", f"the arguments of {name} cannot be read")
