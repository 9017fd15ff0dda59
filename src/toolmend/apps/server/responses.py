"""Answers in the format of responses, whole and as events. Pure; knows no HTTP and no model."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from toolmend.apps.server.answering import ServedAnswer
from toolmend.apps.server.completion import PIECE, call_of, encoded, usage_of
from toolmend.apps.server.own_tools import APPROVE
from toolmend.apps.server.responses_body import AskedResponse
from toolmend.messages import Call

LABEL = "toolmend"
"""`server_label` of the calls that need a client's consent: they are the server's own."""


class ResponseForm:
    """One response. `model` is the name the client used."""

    def __init__(self, model: str, asked: AskedResponse) -> None:
        self.model, self._asked = model, asked
        self.id, self.created, self._number = f"resp_{secrets.token_hex(24)}", int(time.time()), 0
        self._items: list[dict[str, Any]] = []

    def whole(self, answers: Sequence[ServedAnswer], stops: Sequence[str]) -> dict[str, Any]:
        """`response`."""
        [answer] = answers
        return self.frame(answer, [*_message(answer), *(_item(call) for call in answer.calls)])

    def shown(self, place: int, stops: Sequence[str]) -> ShownResponse:
        """What streams it."""
        return ShownResponse(self)

    def end(self, answers: Sequence[ServedAnswer]) -> bytes:
        """The event with the whole response."""
        [answer] = answers
        made = self.frame(answer, self._items)
        return self.event(f"response.{made['status']}", response=made)

    def keep(self, item: dict[str, Any]) -> int:
        """Remember an item of the output that was streamed; its place."""
        self._items.append(item)
        return len(self._items) - 1

    def event(self, kind: str, **about: Any) -> bytes:
        """An event, numbered."""
        data = {"type": kind, "sequence_number": self._number, **about}
        self._number += 1
        return f"event: {kind}\n".encode() + b"data: " + encoded(data) + b"\n\n"

    def frame(self, answer: ServedAnswer | None, output: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """The response with this output; without an answer it is being made."""
        data = self._asked.data
        cut = answer is not None and answer.finish == "length" and not answer.calls
        return {
            "id": self.id,
            "object": "response",
            "created_at": self.created,
            "status": "in_progress" if answer is None else "incomplete" if cut else "completed",
            "error": None,
            "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
            "instructions": data.get("instructions"),
            "max_output_tokens": data.get("max_output_tokens"),
            "metadata": data.get("metadata") or {},
            "model": self.model,
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


class ShownResponse:
    """A response as it is streamed: its text as it comes, then its calls."""

    def __init__(self, form: ResponseForm) -> None:
        self._form, self._sent = form, ""
        self._item: dict[str, Any] | None = None
        self._place = 0

    def begin(self) -> bytes:
        """The events that say that it is being made."""
        made = self._form.frame(None, [])
        return self._form.event("response.created", response=made) + self._form.event(
            "response.in_progress", response=made
        )

    def add(self, piece: str) -> bytes:
        """The event of a piece of text, after those that open the message."""
        if not piece:
            return b""
        opening = b"" if self._item else self._open()
        self._sent += piece
        return opening + self._form.event("response.output_text.delta", **self._at(), delta=piece, logprobs=[])

    def rest(self, answer: ServedAnswer) -> Iterator[bytes]:
        """The rest of the text, the end of the message, the calls."""
        text = answer.text
        if not text.startswith(self._sent):  # a strategy may trim what its model said
            text = self._sent
        while len(self._sent) < len(text) or (self._item is None and not answer.calls):
            piece = text[len(self._sent) : len(self._sent) + PIECE]
            if not piece:
                yield self._open()
                break
            yield self.add(piece)
        if self._item is not None:
            yield self._close(self._item)
        for call in answer.calls:
            yield from self._call(call)

    def _open(self) -> bytes:
        self._item = {**_text_item(""), "status": "in_progress", "content": []}
        self._place = self._form.keep(self._item)
        added = self._form.event("response.output_item.added", output_index=self._place, item=self._item)
        return added + self._form.event("response.content_part.added", **self._at(), part=_part(""))

    def _close(self, item: dict[str, Any]) -> bytes:
        item |= {"status": "completed", "content": [_part(self._sent)]}
        event, at = self._form.event, self._at()
        return (
            event("response.output_text.done", **at, text=self._sent, logprobs=[])
            + event("response.content_part.done", **at, part=_part(self._sent))
            + event("response.output_item.done", output_index=self._place, item=item)
        )

    def _call(self, call: Call) -> Iterator[bytes]:
        item, event = _item(call), self._form.event
        place, arguments = self._form.keep(item), item["arguments"]
        if item["type"] != "function_call":
            yield event("response.output_item.added", output_index=place, item=item)
        else:
            begun = {**item, "arguments": "", "status": "in_progress"}
            yield event("response.output_item.added", output_index=place, item=begun)
            at = {"item_id": item["id"], "output_index": place}
            for start in range(0, len(arguments), PIECE):
                yield event("response.function_call_arguments.delta", **at, delta=arguments[start : start + PIECE])
            yield event("response.function_call_arguments.done", **at, name=call.tool, arguments=arguments)
        yield event("response.output_item.done", output_index=place, item=item)

    def _at(self) -> dict[str, Any]:
        assert self._item is not None, "it is open"
        return {"item_id": self._item["id"], "output_index": self._place, "content_index": 0}


def _message(answer: ServedAnswer) -> list[dict[str, Any]]:
    """The words as an item; an answer that is only calls has none."""
    return [_text_item(answer.text)] if answer.text or not answer.calls else []


def _text_item(text: str) -> dict[str, Any]:
    about = {"type": "message", "role": "assistant", "status": "completed"}
    return {"id": f"msg_{secrets.token_hex(24)}", **about, "content": [_part(text)]}


def _part(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _item(call: Call) -> dict[str, Any]:
    """A call, or the question whether one of the server's own may run."""
    if call.tool == APPROVE:
        shown = dict(call.arguments)
        name, arguments = shown.pop("tool"), shown.pop("arguments")
        about = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False), "server_label": LABEL}
        return {"id": call.id, "type": "mcp_approval_request", **about, **shown}
    made = call_of(call)
    about = {"call_id": made["id"], **made["function"], "status": "completed"}
    return {"id": f"fc_{secrets.token_hex(24)}", "type": "function_call", **about}


def _usage(answer: ServedAnswer) -> dict[str, Any]:
    counted = usage_of([answer])
    return {
        "input_tokens": counted["prompt_tokens"],
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": counted["completion_tokens"],
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": counted["total_tokens"],
    }
