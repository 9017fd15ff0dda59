"""Faults in what is said, and in the objects that say it: nulls, odd types, calls in odd pieces. All is valid JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from fakes.exchange import Exchange, Merge
from fakes.fault import Fault, fault
from toolmend.base.messages import Usage

# How the pieces of calls are told apart, where it is not as OpenAI does it: `index` always, `id` once.
MERGES: dict[str, tuple[Merge, str]] = {
    "calls-by-id": ("id", "The id in every piece of a call, never an index."),
    "calls-by-index": ("index", "An index in every piece of a call, never an id."),
    "calls-by-first-id": ("first id", "The id in a call's first piece, and nothing in the others."),
    "calls-by-nothing": ("nothing", "Neither an id nor an index; a name begins a call."),
    "calls-same-index": ("same index", "Every call has the index 0; the ids differ."),
    "calls-wrong-index": ("wrong index", "Indexes that begin at 5 and go down."),
    "calls-shuffled": ("shuffled", "The pieces of several calls take turns."),
    "calls-whole": ("whole", "Each call in one piece."),
    "calls-echo": ("echo", "Id and name in every piece of a call."),
}


def _merge(merge: Merge, exchange: Exchange) -> None:
    exchange.merge = merge


def _merging(name: str) -> Fault:
    merge, about = MERGES[name]
    return Fault(name, "says", about, partial(_merge, merge), ("openai",), "streams", "calls")


calls_by_id = _merging("calls-by-id")
calls_by_index = _merging("calls-by-index")
calls_by_first_id = _merging("calls-by-first-id")
calls_by_nothing = _merging("calls-by-nothing")
calls_same_index = _merging("calls-same-index")
calls_wrong_index = _merging("calls-wrong-index")
calls_shuffled = _merging("calls-shuffled")
calls_whole = _merging("calls-whole")
calls_echo = _merging("calls-echo")


@fault("max-tokens-ignored", "says")
def max_tokens_ignored(exchange: Exchange) -> None:
    """More tokens than were asked for."""
    exchange.limited = False


@fault("empty-reply", "says")
def empty_reply(exchange: Exchange) -> None:
    """Nothing said, tokens spent."""
    exchange.reply = replace(exchange.reply, text="", calls=(), reasoning="", usage=Usage(12, 40))


@fault("usage-missing", "says")
def usage_missing(exchange: Exchange) -> None:
    """Tokens not counted."""
    exchange.counted = False


@fault("odd-characters", "says")
def odd_characters(exchange: Exchange) -> None:
    """Characters at which careless readers break lines, inside the text."""
    exchange.reply = replace(exchange.reply, text="one\u2028two\u0085three\x0bfour\x1cfive \U0001f344")


@fault("huge-piece", "says")
def huge_piece(exchange: Exchange) -> None:
    """A word of a megabyte."""
    exchange.reply = replace(exchange.reply, text="x" * 1_000_000, usage=Usage(1, 1))


@fault("content-null", "shape")
def content_null(exchange: Exchange) -> None:
    """`content` is null in every piece but those with text; null where there is only one piece."""
    for said in exchange.said:
        if not said.get("content") or not exchange.streaming:
            said["content"] = None


@fault("role-null", "shape")
def role_null(exchange: Exchange) -> None:
    """`role` is null in every piece."""
    for said in exchange.said:
        said["role"] = None


@fault("content-missing", "shape")
def content_missing(exchange: Exchange) -> None:
    """No `content` anywhere."""
    for said in exchange.said:
        said.pop("content", None)


@fault("content-parts", "shape")
def content_parts(exchange: Exchange) -> None:
    """`content` is a list of parts."""
    for said in exchange.said:
        if said.get("content"):
            said["content"] = [{"type": "text", "text": said["content"]}]


@fault("content-number", "shape")
def content_number(exchange: Exchange) -> None:
    """`content` is a number."""
    for said in exchange.said:
        said["content"] = 42


@fault("message-null", "shape")
def message_null(exchange: Exchange) -> None:
    """`message` or `delta` is null."""
    for holder in exchange.holders:
        holder.update({name: None for name in ("message", "delta") if name in holder})


@fault("choices-null", "shape", apis=("openai",))
def choices_null(exchange: Exchange) -> None:
    """`choices` is null."""
    for event in exchange.events:
        event["choices"] = None


@fault("choices-empty", "shape", apis=("openai",))
def choices_empty(exchange: Exchange) -> None:
    """`choices` is an empty list."""
    for event in exchange.events:
        event["choices"] = []


@fault("choices-two", "shape", apis=("openai",))
def choices_two(exchange: Exchange) -> None:
    """A second choice that nobody asked for."""
    for event in exchange.events:
        said = {"role": "assistant", "content": "the other choice "}
        name = "delta" if exchange.streaming else "message"
        event["choices"] = [*(event.get("choices") or ()), {"index": 1, name: said, "finish_reason": None}]


@fault("finish-odd", "shape")
def finish_odd(exchange: Exchange) -> None:
    """An unknown reason for stopping."""
    for holder in exchange.holders:
        holder.update({name: "because" for name in ("finish_reason", "done_reason") if holder.get(name)})


@fault("finish-missing", "shape")
def finish_missing(exchange: Exchange) -> None:
    """No reason for stopping."""
    for holder in exchange.holders:
        for name in ("finish_reason", "done_reason"):
            holder.pop(name, None)


@fault("usage-odd", "shape")
def usage_odd(exchange: Exchange) -> None:
    """Counts that are no counts."""
    for event in exchange.events:
        if "usage" in event:
            event["usage"] = {"prompt_tokens": "seven", "completion_tokens": -3, "total_tokens": None}
        if "eval_count" in event:
            event |= {"prompt_eval_count": "seven", "eval_count": -3}


@fault("usage-infinite", "shape")
def usage_infinite(exchange: Exchange) -> None:
    """Counts that no integer holds (JSON as Python writes it: Infinity, NaN)."""
    for event in exchange.events:
        if "usage" in event:
            event["usage"] = {"prompt_tokens": float("inf"), "completion_tokens": float("nan")}
        if "eval_count" in event:
            event |= {"prompt_eval_count": float("inf"), "eval_count": float("nan")}


@fault("usage-list", "shape")
def usage_list(exchange: Exchange) -> None:
    """`usage` is a list, counts are objects."""
    for event in exchange.events:
        if "usage" in event:
            event["usage"] = [1, 2]
        if "eval_count" in event:
            event |= {"prompt_eval_count": {}, "eval_count": [7]}


@fault("surrogate", "shape")
def surrogate(exchange: Exchange) -> None:
    """Half a surrogate pair and a NUL in the text."""
    for said in exchange.said:
        if isinstance(said.get("content"), str) and said["content"]:
            said["content"] = "\ud83c\x00" + said["content"]


@fault("error-in-stream", "shape")
def error_in_stream(exchange: Exchange) -> None:
    """An error after a piece or two, with the key in it; the only thing said where there is one piece."""
    text = f"the runner of {exchange.received.key} ran out of memory"
    error = {"error": {"message": text, "code": 500} if exchange.received.api == "openai" else text}
    exchange.events[2 if exchange.streaming else 0 :] = [error]


@fault("event-odd", "shape", where="streams")
def event_odd(exchange: Exchange) -> None:
    """An object in the stream that has nothing in common with the others."""
    exchange.events.insert(1, {"type": "ping"})


@fault("calls-null", "shape")
def calls_null(exchange: Exchange) -> None:
    """`tool_calls` and `function_call` are null in every piece."""
    for said in exchange.said:
        said.setdefault("tool_calls", None)
        said["function_call"] = None


@fault("calls-odd", "shape")
def calls_odd(exchange: Exchange) -> None:
    """`tool_calls` has no calls in it."""
    for said in exchange.said:
        said["tool_calls"] = [None, 7, {"function": None}, {}]


@fault("call-legacy", "shape", apis=("openai",), where="whole", needs="calls")
def call_legacy(exchange: Exchange) -> None:
    """The old `function_call` beside the calls, its name with a stray colon."""
    for said in exchange.said:
        for function in _functions(said):
            said["function_call"] = {**function, "name": f"{function['name']}:"}


@fault("arguments-other", "shape", where="whole", needs="calls")
def arguments_other(exchange: Exchange) -> None:
    """Arguments as the other API gives them: an object for text, text for an object."""
    for said in exchange.said:
        for function in _functions(said):
            given = function["arguments"]
            with suppress(ValueError):  # half of it, by another fault
                function["arguments"] = json.loads(given) if isinstance(given, str) else json.dumps(given)


@fault("arguments-half", "shape", where="whole", needs="calls")
def arguments_half(exchange: Exchange) -> None:
    """Arguments that break off."""
    for said in exchange.said:
        for function in _functions(said):
            given = function["arguments"]
            text = given if isinstance(given, str) else json.dumps(given)
            function["arguments"] = text[: len(text) // 2]


@fault("arguments-list", "shape", where="whole", needs="calls")
def arguments_list(exchange: Exchange) -> None:
    """Arguments are a list."""
    for said in exchange.said:
        for function in _functions(said):
            function["arguments"] = "[1, 2]" if exchange.received.api == "openai" else [1, 2]


@fault("name-null", "shape", where="whole", needs="calls")
def name_null(exchange: Exchange) -> None:
    """Calls without a name."""
    for said in exchange.said:
        for function in _functions(said):
            function["name"] = None


def _functions(said: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The functions of a message's calls."""
    for call in said.get("tool_calls") or ():
        if isinstance(call, dict) and call.get("function"):
            yield call["function"]
