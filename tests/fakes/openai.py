"""Replies in the format of OpenAI's chat completions: one object, or server-sent events. Knows no fault but `merge`."""

from __future__ import annotations

import json
import re
from typing import Any

from fakes.exchange import Event, Exchange

DONE = b"data: [DONE]\n\n"
PIECE = re.compile(r"\s*\S+|\s+")


def limit(exchange: Exchange) -> int:
    """How many tokens the request allows; a token is a word here."""
    body = exchange.received.body
    asked = body.get("max_completion_tokens", body.get("max_tokens"))
    return asked if isinstance(asked, int) and exchange.limited else 1_000_000


def events(exchange: Exchange) -> list[Event]:
    """The whole reply as objects: one, or a chunk per word and per piece of a call."""
    return _chunks(exchange) if exchange.streaming else [_whole(exchange)]


def encode(exchange: Exchange) -> None:
    """The events as bytes, with the headers that belong to them."""
    if exchange.streaming:
        exchange.headers = {"content-type": "text/event-stream; charset=utf-8"}
        exchange.pieces = [b"data: " + _json(event) + b"\n\n" for event in exchange.events] + [DONE]
        exchange.framing = "chunked"
    else:
        exchange.headers = {"content-type": "application/json"}
        exchange.pieces = [_json(event) for event in exchange.events]


def models(name: str) -> bytes:
    """The reply of /v1/models."""
    return _json({"object": "list", "data": [{"id": name, "object": "model", "created": 0, "owned_by": "fakes"}]})


def _whole(exchange: Exchange) -> Event:
    reply = exchange.reply
    message: dict[str, Any] = {"role": "assistant", "content": reply.text if reply.text or not reply.calls else None}
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    if reply.calls:
        message["tool_calls"] = [_call(name, text, id_) | {"type": "function"} for id_, name, text in _called(exchange)]
    choice = {"index": 0, "message": message, "finish_reason": _finish(exchange)}
    return _envelope(exchange, "chat.completion", [choice]) | (_usage(exchange) if exchange.counted else {})


def _chunks(exchange: Exchange) -> list[Event]:
    reply = exchange.reply
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"reasoning_content": piece} for piece in PIECE.findall(reply.reasoning)]
    deltas += [{"content": piece} for piece in PIECE.findall(reply.text)]
    deltas += [{"tool_calls": calls} for calls in call_deltas(exchange)]
    made = [_chunk(exchange, delta, None) for delta in deltas] + [_chunk(exchange, {}, _finish(exchange))]
    if exchange.counted and exchange.received.body.get("stream_options", {}).get("include_usage"):
        made.append(_envelope(exchange, "chat.completion.chunk", []) | _usage(exchange))
    return made


def call_deltas(exchange: Exchange) -> list[list[dict[str, Any]]]:
    """The calls in pieces, each delta a list, told apart in the way that `merge` says."""
    runs = [_pieces(exchange, place, *call) for place, call in enumerate(_called(exchange))]
    if exchange.merge == "shuffled":
        longest = max(map(len, runs), default=0)
        return [[run[turn]] for turn in range(longest) for run in runs if turn < len(run)]
    return [[piece] for run in runs for piece in run]


def _pieces(exchange: Exchange, place: int, id_: str, name: str, text: str) -> list[dict[str, Any]]:
    merge = exchange.merge
    third = max(1, len(text) // 3)
    parts = [text] if merge == "whole" else ["", text[:third], text[third : 2 * third], text[2 * third :]]
    index = {"id": None, "first id": None, "nothing": None, "same index": 0, "wrong index": 5 - 3 * place}.get(
        merge, place
    )
    made = []
    for turn, part in enumerate(parts):
        first = turn == 0 or merge == "echo"
        piece = _call(name if first else None, part, id_ if _has_id(merge, first) else None)
        made.append(piece | ({} if index is None else {"index": index}) | ({"type": "function"} if first else {}))
    return made


def _has_id(merge: str, first: bool) -> bool:
    return merge not in ("index", "nothing") and (first or merge == "id")


def _call(name: str | None, arguments: str, id_: str | None) -> dict[str, Any]:
    function = {"arguments": arguments} if name is None else {"name": name, "arguments": arguments}
    return ({} if id_ is None else {"id": id_}) | {"function": function}


def _called(exchange: Exchange) -> list[tuple[str, str, str]]:
    """Id, name and arguments as text of every call."""
    return [
        (call.id or f"call_{place}", call.tool, json.dumps(call.arguments, ensure_ascii=False))
        for place, call in enumerate(exchange.reply.calls)
    ]


def _finish(exchange: Exchange) -> str:
    return "tool_calls" if exchange.reply.calls else "length" if exchange.reply.finish == "length" else "stop"


def _usage(exchange: Exchange) -> Event:
    read, written = exchange.reply.usage.input_tokens, exchange.reply.usage.output_tokens
    return {"usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}}


def _chunk(exchange: Exchange, delta: dict[str, Any], finish: str | None) -> Event:
    return _envelope(
        exchange, "chat.completion.chunk", [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]
    )


def _envelope(exchange: Exchange, kind: str, choices: list[Event]) -> Event:
    number, model = exchange.received.number, exchange.received.body.get("model", "fake")
    return {"id": f"chatcmpl-{number}", "object": kind, "created": 0, "model": model, "choices": choices}


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
