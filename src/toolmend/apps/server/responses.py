"""Answers in the format of responses, whole and as events. Pure; knows no HTTP and no model."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from toolmend.apps.server.answering import ServedAnswer
from toolmend.apps.server.completion import PIECE, ShownText, call_of, event
from toolmend.apps.server.plan import RequestPlan
from toolmend.base.messages import Call


class ResponseForm:
    """One response; `data` is the request as it came. Its `model` is the name the client used."""

    def __init__(self, plan: RequestPlan, data: Mapping[str, Any]) -> None:
        self._model, self._data = plan.served.name, data
        self._id, self._created, self._number = f"resp_{secrets.token_hex(24)}", int(time.time()), 0
        self._items: list[dict[str, Any]] = []  # of the output, as far as it was streamed; the text is the first
        self._shown, self._begun = ShownText(()), False

    def whole(self, answer: ServedAnswer) -> dict[str, Any]:
        """`response`; an answer that is only calls has no words."""
        words = [_text_item(answer.text)] if answer.text or not answer.calls else []
        return self._frame(answer, [*words, *map(_call_item, answer.calls)])

    def add(self, piece: str) -> bytes:
        """The events of a piece of text, after those that open the message."""
        return self._begin() + (self._piece(self._shown.add(piece)) if piece else b"")

    def rest(self, answer: ServedAnswer) -> Iterator[bytes]:
        """The rest of the text, the end of the message, the calls, and the whole response."""
        yield self._begin()
        for piece in self._shown.rest(answer.text):
            yield self._piece(piece)
        if not self._items and not answer.calls:
            yield self._open()
        if self._items:
            yield self._close()
        for call in answer.calls:
            yield from self._call(call)
        made = self._frame(answer, self._items)
        yield self._event(f"response.{made['status']}", response=made)

    def _begin(self) -> bytes:
        begun, self._begun = self._begun, True
        made = {} if begun else self._frame(None, [])
        kinds = () if begun else ("response.created", "response.in_progress")
        return b"".join(self._event(kind, response=made) for kind in kinds)

    def _piece(self, piece: str) -> bytes:
        opening = b"" if self._items else self._open()
        return opening + self._event("response.output_text.delta", **self._at(), delta=piece, logprobs=[])

    def _open(self) -> bytes:
        self._items.append({**_text_item(""), "status": "in_progress", "content": []})
        added = self._event("response.output_item.added", output_index=0, item=self._items[0])
        return added + self._event("response.content_part.added", **self._at(), part=_part(""))

    def _close(self) -> bytes:
        sent, at = self._shown.sent, self._at()
        self._items[0] |= {"status": "completed", "content": [_part(sent)]}
        return (
            self._event("response.output_text.done", **at, text=sent, logprobs=[])
            + self._event("response.content_part.done", **at, part=_part(sent))
            + self._event("response.output_item.done", output_index=0, item=self._items[0])
        )

    def _call(self, call: Call) -> Iterator[bytes]:
        item = _call_item(call)
        place, arguments = len(self._items), item["arguments"]
        self._items.append(item)
        begun = {**item, "arguments": "", "status": "in_progress"}
        yield self._event("response.output_item.added", output_index=place, item=begun)
        at = {"item_id": item["id"], "output_index": place}
        for start in range(0, len(arguments), PIECE):
            yield self._event("response.function_call_arguments.delta", **at, delta=arguments[start : start + PIECE])
        yield self._event("response.function_call_arguments.done", **at, name=call.tool, arguments=arguments)
        yield self._event("response.output_item.done", output_index=place, item=item)

    def _at(self) -> dict[str, Any]:
        return {"item_id": self._items[0]["id"], "output_index": 0, "content_index": 0}

    def _event(self, kind: str, **about: Any) -> bytes:
        """An event, numbered."""
        data = {"type": kind, "sequence_number": self._number, **about}
        self._number += 1
        return f"event: {kind}\n".encode() + event(data)

    def _frame(self, answer: ServedAnswer | None, output: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """The response with this output; without an answer it is being made."""
        data = self._data
        cut = answer is not None and answer.finish == "length" and not answer.calls
        return {
            "id": self._id,
            "object": "response",
            "created_at": self._created,
            "status": "in_progress" if answer is None else "incomplete" if cut else "completed",
            "error": None,
            "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
            "instructions": data.get("instructions"),
            "max_output_tokens": data.get("max_output_tokens"),
            "metadata": data.get("metadata") or {},
            "model": self._model,
            "output": list(output),
            "parallel_tool_calls": data.get("parallel_tool_calls") is not False,
            "previous_response_id": None,
            "store": False,
            "temperature": data.get("temperature"),
            "text": data.get("text") or {"format": {"type": "text"}},
            "tool_choice": data.get("tool_choice") or "auto",
            "tools": data.get("tools") or [],
            "top_p": None,
            "truncation": "disabled",
            "usage": None if answer is None else _usage(answer),
        }


def _text_item(text: str) -> dict[str, Any]:
    about = {"type": "message", "role": "assistant", "status": "completed"}
    return {"id": f"msg_{secrets.token_hex(24)}", **about, "content": [_part(text)]}


def _part(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _call_item(call: Call) -> dict[str, Any]:
    made = call_of(call)
    about = {"call_id": made["id"], **made["function"], "status": "completed"}
    return {"id": f"fc_{secrets.token_hex(24)}", "type": "function_call", **about}


def _usage(answer: ServedAnswer) -> dict[str, Any]:
    read, written = answer.usage.input_tokens, answer.usage.output_tokens
    return {
        "input_tokens": read,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": written,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": read + written,
    }
