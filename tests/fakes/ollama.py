"""Replies in the format of Ollama's /api/chat: one object, or a line of JSON per piece. Knows no fault."""

from __future__ import annotations

import json
from typing import Any

from fakes.exchange import Event, Exchange
from fakes.openai import PIECE

MOMENT = "2026-01-01T00:00:00Z"


def limit(exchange: Exchange) -> int:
    """How many tokens the request allows; a token is a word here."""
    asked = (exchange.received.body.get("options") or {}).get("num_predict")
    return asked if isinstance(asked, int) and exchange.limited else 1_000_000


def events(exchange: Exchange) -> list[Event]:
    """The whole reply as objects: one, or one per word, one for the calls, and the last with the counts."""
    reply = exchange.reply
    calls = [{"function": {"name": call.tool, "arguments": dict(call.arguments)}} for call in reply.calls]
    if not exchange.streaming:
        thought = {"thinking": reply.reasoning} if reply.reasoning else {}
        return [_event(exchange, reply.text, thought | ({"tool_calls": calls} if calls else {})) | _last(exchange)]
    said = [_event(exchange, "", {"thinking": piece}) for piece in PIECE.findall(reply.reasoning)]
    said += [_event(exchange, piece) for piece in PIECE.findall(reply.text)]
    said += [_event(exchange, "", {"tool_calls": calls})] if calls else []
    return [*said, _event(exchange, "") | _last(exchange)]


def encode(exchange: Exchange) -> None:
    """The events as bytes, with the headers that belong to them."""
    end = b"\n" if exchange.streaming else b""
    exchange.pieces = [_json(event) + end for event in exchange.events]
    exchange.framing = "chunked" if exchange.streaming else "length"
    exchange.headers = {"content-type": "application/x-ndjson" if exchange.streaming else "application/json"}


def models(name: str) -> bytes:
    """The reply of /api/tags."""
    details = {"family": "fake", "parameter_size": "0B", "quantization_level": "F32"}
    return _json({"models": [{"name": name, "model": name, "size": 0, "digest": "0" * 64, "details": details}]})


def shown() -> bytes:
    """The reply of /api/show."""
    return _json({"capabilities": ["completion", "tools"], "model_info": {"fake.context_length": 4096}})


def _event(exchange: Exchange, text: str, more: dict[str, Any] | None = None) -> Event:
    message = {"role": "assistant", "content": text, **(more or {})}
    model = exchange.received.body.get("model", "fake")
    return {"model": model, "created_at": MOMENT, "message": message, "done": False}


def _last(exchange: Exchange) -> Event:
    reply = exchange.reply
    last: Event = {"done": True, "done_reason": "length" if reply.finish == "length" else "stop"}
    if exchange.counted:
        read, written = reply.usage.input_tokens, reply.usage.output_tokens
        last |= {"total_duration": 5000000, "prompt_eval_count": read, "eval_count": written, "eval_duration": 4000000}
    return last


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
