"""Calls between marks, in every format of the table (formats/). Knows where they stand, and what is left over."""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolmend.base.messages import Call, ToolSpec
from toolmend.reading.formats import marks, sections
from toolmend.reading.json_calls import read_json
from toolmend.reading.python import read_python
from toolmend.reading.reading import Names, Problem, Reading
from toolmend.reading.scan import Leftover
from toolmend.reading.thoughts import blanked, thoughts

_HINT = re.compile(r"<[\w|｜:/]|\[TOOL_CALLS\]|>>>|to=|functools")


def tagged(text: str) -> bool:
    """Whether a text has a mark that a block of calls can begin with."""
    return _HINT.search(text) is not None and marks().search(text) is not None


def spoken_format(text: str, specs: Sequence[ToolSpec]) -> str:
    """The name of the format in which a text makes a call: of the table, "JSON" or "Python"; "" if it makes none."""
    blocks = sections(blanked(text, thoughts(text)[0]), Names(specs))
    if name := next((name for _, block, name in blocks if block.calls), ""):
        return name
    return "JSON" if read_json(text, specs).calls else "Python" if read_python(text, specs).calls else ""


def read_tags(text: str, specs: Sequence[ToolSpec]) -> Reading:
    """The calls between marks. One that is whole, and only its mark is never closed, is read (leniency "unclosed")."""
    names = Names(specs)
    hidden, thinks = thoughts(text)
    left = Leftover(text, hidden)
    notes: list[str] = ["reasoning"] if thinks else []
    calls: list[Call] = []
    detail = ""
    for start, block, _ in sections(blanked(text, hidden), names):
        left.take(start, block.stop)
        calls += block.calls
        notes += block.notes
        detail = detail or block.problem
    rest, more, _ = left.finish(bool(calls))
    problem: Problem | None = "syntax" if detail else None if calls else "no_call"
    return Reading(tuple(calls), rest, tuple(dict.fromkeys([*notes, *more])), problem, detail)
