"""Models around a model: kept (its exchanges go to a function) and cached (the same request is asked once); and what a
request is called, and how a reply is written, in caches and recordings: stable hashes, and JSON-able rows.

Where one attempt must not know of another there is to be no cache; that is for the caller to see to. Knows no place.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import Any, get_args

from toolmend.base.messages import Call, Finish, Reply, Request, Usage, Wire
from toolmend.models.model import Model, OnDelta

Keep = Callable[[str, Wire], None]
Get = Callable[[str], Reply | None]
Put = Callable[[str, Reply], None]
_USUAL = Reply("")
_KEPT = ("reasoning", "finish", "truncated", "unmet")


class Wrapped:
    """The base of wrappers, with the inner model's name, abilities and options. `model` is the inner one, which a
    subclass asks in its `reply`."""

    def __init__(self, model: Model) -> None:
        self.name, self.abilities, self.model = model.name, model.abilities, model
        self.options = dict(getattr(model, "options", {}))


class KeepWires(Wrapped):
    """Another model; the wire of each reply that has one is given to `keep`, with the model's name."""

    def __init__(self, model: Model, keep: Keep) -> None:
        super().__init__(model)
        self._keep = keep

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """The other model's reply."""
        reply = await self.model.reply(request, on_delta=on_delta)
        if reply.wire is not None:
            self._keep(self.name, reply.wire)
        return reply


class Cached(Wrapped):
    """Another model, behind `get` (a reply by its key, None if there is none) and `put`.

    A reply from the cache is marked `cached`; its usage is what it was when it was asked for.
    """

    def __init__(self, model: Model, get: Get, put: Put) -> None:
        super().__init__(model)
        self._get, self._put = get, put

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """The cached reply, given at once, else the other model's, which is put into the cache."""
        key = reply_key(self, request)
        found = self._get(key)
        if found is None:
            reply = await self.model.reply(request, on_delta=on_delta)
            self._put(key, reply)
            return reply
        if on_delta and found.text:
            on_delta(found.text)
        return replace(found, cached=True)


def request_key(request: Request) -> str:
    """A stable hash of everything a request holds."""
    return _digest(asdict(request))


def reply_key(model: Model, request: Request) -> str:
    """A stable hash of the model's name and options and of everything the request holds."""
    held = {name: value for name, value in asdict(request).items() if name != "avoid" or value}
    return _digest([model.name, getattr(model, "options", {}), held])


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, default=str, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def to_row(reply: Reply) -> dict[str, Any]:
    """Text and tokens; native calls, reasoning, how it finished and what was unmet where they are not the usual."""
    usage = reply.usage
    row = {"text": reply.text, "input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
    if reply.calls:
        row["calls"] = [{"tool": call.tool, "arguments": call.arguments, "id": call.id} for call in reply.calls]
    return row | {name: getattr(reply, name) for name in _KEPT if getattr(reply, name) != getattr(_USUAL, name)}


def from_row(row: Mapping[str, Any], model: str) -> Reply:
    """The reply of a row. Raises ValueError, KeyError, TypeError, AttributeError or OverflowError for another thing."""
    usage = Usage(int(row.get("input_tokens", 0)), int(row.get("output_tokens", 0)), float(row.get("seconds", 0.0)))
    calls = tuple(Call(str(call["tool"]), dict(call["arguments"]), str(call["id"])) for call in row.get("calls", ()))
    kept = {name: row[name] for name in _KEPT if name in row}
    if kept.get("finish", "stop") not in get_args(Finish):
        raise ValueError(f"finish is {kept['finish']!r}, not one of {', '.join(get_args(Finish))}")
    if "unmet" in kept:
        kept["unmet"] = tuple(str(option) for option in kept["unmet"])
    return Reply(str(row["text"]), calls, usage=usage, model=model, **kept)
