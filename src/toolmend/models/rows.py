"""A reply as JSON-able data and back: what a recording's lines and the store's cache of replies have in common.

Knows neither a file nor a table. What went over the wire is no part of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from toolmend.messages import Call, Finish, Reply, Usage

_USUAL = Reply("")
_KEPT = ("reasoning", "finish", "truncated", "unmet")


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
        kept["unmet"] = tuple(str(each) for each in kept["unmet"])
    return Reply(str(row["text"]), calls, usage=usage, model=model, **kept)
