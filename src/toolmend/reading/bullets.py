"""Bullet lines as calls: a line that names the tool, then `- parameter: value` lines (the name may be left out if
there is only one tool). Values are read by the parameter's schema; text is kept as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.reading.reading import Names, Reading
from toolmend.reading.scan import Leftover
from toolmend.reading.thoughts import blanked, thoughts
from toolmend.reading.value import NOTHING, value_of

_BULLET = re.compile(r"[ \t]*(?:[-*•]|\d{1,3}[.)])[ \t]+(?P<name>[^:=\n]{1,80}?)[ \t]*[:=](?P<value>.*)")
_HEADER = re.compile(r"[ \t]*(?:#+[ \t]+)?(?:tool|function|operation|call|action)[ \t]*:[ \t]*(?P<name>[^\s:(]+)[ \t]*")
_DECORATION = "*`\"' \t_"


def read_bullets(text: str, specs: Sequence[ToolSpec]) -> Reading:
    """The calls in bullet lines. Without a line naming a tool the only tool of `specs` is meant."""
    return _Bullets(text, specs).read()


class _Bullets:
    def __init__(self, text: str, specs: Sequence[ToolSpec]) -> None:
        hidden, thinks = thoughts(text)
        self.text, self.names = blanked(text, hidden), Names(specs)
        self.only = specs[0] if len(specs) == 1 else None
        self.left = Leftover(text, hidden)
        self.notes: list[str] = ["reasoning"] if thinks else []
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.tool: str | None = None

    def read(self) -> Reading:
        """What all lines come to."""
        place = 0
        for line in self.text.split("\n"):
            if self._line(line.rstrip("\r")):
                self.left.take(place, place + len(line))
            place += len(line) + 1
        rest, more, _ = self.left.finish(bool(self.calls))
        calls = tuple(Call(tool, arguments) for tool, arguments in self.calls)
        return Reading(calls, rest, tuple(dict.fromkeys([*self.notes, *more])), None if calls else "no_call")

    def _line(self, line: str) -> bool:
        bullet = _BULLET.fullmatch(line)
        if bullet is not None:
            return self._argument(bullet["name"], bullet["value"].strip())
        header = _HEADER.fullmatch(line)
        written = header["name"] if header else line.strip().rstrip(":").strip("*`# ").removesuffix("()")
        if header is None and (not written or self.names.find(written) is None):
            return False
        self.tool = written.strip("*`\"'")
        self.calls.append((self.tool, {}))
        return True

    def _argument(self, written: str, text: str) -> bool:
        spec = self.names.find(self.tool) if self.tool else self.only
        name = self._parameter(written, spec)
        if self.tool is None and (spec is None or (not self.calls and name not in spec.properties)):
            return False
        if self.tool is None and (not self.calls or name in self.calls[-1][1]):
            self.calls.append((spec.full_name if spec else "", {}))
        arguments = self.calls[-1][1]
        if name in arguments:
            return False
        optional = spec is not None and name in spec.properties and name not in spec.required
        if optional and text != "null" and text.lower() in NOTHING:
            self._note("empty")
            return True
        schema = spec.properties.get(name) if spec else None
        arguments[name] = value_of(text, schema or {})
        return True

    def _parameter(self, written: str, spec: ToolSpec | None) -> str:
        properties = spec.properties if spec else {}
        if written in properties:
            return written
        name = written.strip(_DECORATION) if written.strip(_DECORATION) else written
        if name in properties or spec is None:
            return name
        folded = re.sub(r"[\s-]+", "_", name.casefold())
        match = next((known for known in properties if known.casefold() == folded), None)
        if match is None:
            return name
        self._note("names")
        return match

    def _note(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)
