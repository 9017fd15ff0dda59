"""Tool calls out of pieces, and arguments out of text. Servers number, name and repeat the pieces as they like.

Nothing is repaired: arguments that are no JSON object stay as they came under RAW, for a strategy to name the mistake.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from toolmend.base.messages import RAW, Call


class _Part:
    """One call in the making."""

    __slots__ = ("id", "index", "name", "text", "value")

    def __init__(self, call_id: str, index: int | None) -> None:
        self.id, self.index, self.name = call_id, index, ""
        self.text: list[str] = []
        self.value: Mapping[str, Any] | None = None

    @property
    def arguments(self) -> Mapping[str, Any]:
        return arguments_of("".join(self.text)) if self.value is None else self.value

    @property
    def complete(self) -> bool:
        """Whether a whole call stands here already, so that a name which follows begins another."""
        return bool(self.name) and (self.value is not None or (bool(self.text) and RAW not in self.arguments))


class Calls:
    """Merges pieces of calls: by id, then by index, then to the call that is open. `quirks` tells what was unusual."""

    def __init__(self) -> None:
        self._parts: list[_Part] = []
        self.quirks: dict[str, None] = {}

    def add(self, delta: Any) -> None:
        """Take a piece: `{"index", "id", "function": {"name", "arguments"}}`, any of them missing or null."""
        if not isinstance(delta, Mapping):
            return
        function = delta.get("function")
        function = function if isinstance(function, Mapping) else {}
        name = str(function.get("name") or "")
        index = delta.get("index")
        index = index if isinstance(index, int) and not isinstance(index, bool) else None
        part = self._part(str(delta.get("id") or ""), index, name)
        if name and name != part.name:
            part.name += name
        arguments = function.get("arguments")
        if isinstance(arguments, str):
            part.text.append(arguments)
        elif isinstance(arguments, Mapping):
            part.value = arguments
        elif arguments is not None:
            part.text.append(json.dumps(arguments))

    def whole(self, call: Any) -> None:
        """Take a call that came in one piece."""
        if isinstance(call, Mapping):
            self._parts.append(_Part("", None))
            open_part = self._parts[-1]
            self.add({**call, "id": None, "index": None})
            open_part.id = str(call.get("id") or "")

    def done(self) -> tuple[Call, ...]:
        """The calls, in the order of their indices if they all have one of their own, else as they came."""
        places = [part.index for part in self._parts]
        parts = self._parts
        if None not in places and len(set(places)) == len(places):
            parts = sorted(parts, key=lambda part: part.index or 0)
        return tuple(Call(part.name, part.arguments, part.id) for part in parts)

    def _part(self, call_id: str, index: int | None, name: str) -> _Part:
        if call_id:
            same = [part for part in self._parts if part.id == call_id]
            if same:
                return same[-1]
            here = [part for part in self._parts if part.index == index and index is not None]
            if not here and not name and (waiting := self._waiting()) is not None:
                return waiting
            # A new id begins a call, unless only the id comes late or a server makes one up for every piece.
            if here and (not here[-1].id or not name):
                here[-1].id = here[-1].id or call_id
                return here[-1]
            return self._begin(call_id, index)
        if index is not None:
            here = [part for part in self._parts if part.index == index]
            if not here and not name and (waiting := self._waiting()) is not None:
                return waiting
            return here[-1] if here and not (name and here[-1].complete) else self._begin("", index)
        last = self._parts[-1] if self._parts else None
        if last is None or (name and (last.text or last.value is not None or last.name not in ("", name))):
            return self._begin("", None)
        return last

    def _waiting(self) -> _Part | None:
        """The call that more of its arguments can only belong to, whatever number they come under: one that is begun
        and not whole, else the first without any."""
        begun = [part for part in self._parts if part.name and not (part.complete and any(part.text))]
        if not begun:
            return None
        self.quirks["tool_calls: a piece under another number was joined to its call"] = None
        return begun[-1] if any(begun[-1].text) else begun[0]

    def _begin(self, call_id: str, index: int | None) -> _Part:
        self._parts.append(_Part(call_id, index))
        return self._parts[-1]


def arguments_of(text: str) -> Mapping[str, Any]:
    """The arguments in a text of JSON; `{RAW: text}` if it is no JSON object. No text at all is no arguments."""
    if not text.strip():
        return {}
    try:
        value = _DECODER.decode(text.strip())
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {RAW: text}


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key is given twice")
    return result


def _float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError("a number is too large")
    return value


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_float=_float, parse_constant=_constant)
