"""`serve` with each family's replies behind it, whole and in a stream: the same calls for the client, only words."""

from __future__ import annotations

import json
from typing import Any

import anyio
import pytest

from chatting import calls_of, user
from fakes.replies import REPLIES, SPECS
from toolmend.base.messages import Call, Reply, Request, Usage

TOOLS = [{"type": "function", "function": {"name": spec.name, "parameters": dict(spec.parameters)}} for spec in SPECS]
ASK = user("What is the weather?")
FAMILIES = list({family: (text, calls) for family, text, calls, _ in REPLIES}.items())


def _due(calls: tuple[Call, ...]) -> list[tuple[str, dict[str, Any]]]:
    return [(call.tool, dict(call.arguments)) for call in calls]


def _streams(api: Any, text: str) -> None:
    """Lets the native model say the text in pieces of three characters."""

    async def reply(request: Request, *, on_delta: Any = None) -> Reply:
        for start in range(0, len(text), 3):
            if on_delta:
                on_delta(text[start : start + 3])
            await anyio.lowlevel.checkpoint()
        return Reply(text, usage=Usage(3, len(text)))

    api.native.reply = reply


@pytest.mark.parametrize(("family", "text", "calls", "words"), REPLIES)
def test_calls_go_out(serve: Any, family: str, text: str, calls: tuple[Call, ...], words: str | None) -> None:
    choice = serve([text]).chat("canned/native", ASK, tools=TOOLS)["choices"][0]
    assert calls_of(choice["message"]) == _due(calls)
    assert (choice["finish_reason"], choice["message"]["content"]) == ("tool_calls", None)


@pytest.mark.parametrize(("family", "said"), FAMILIES)
def test_a_stream_has_the_calls_and_only_words(serve: Any, family: str, said: tuple[str, tuple[Call, ...]]) -> None:
    text, calls = said
    api = serve()
    _streams(api, text)
    body = {"model": "canned/native", "messages": [ASK], "tools": TOOLS, "stream_options": {"include_usage": True}}
    events = api.events(body)
    deltas = [event["choices"][0]["delta"] for event in events if event != "[DONE]" and event["choices"]]
    made: dict[int, list[str]] = {}
    for piece in (piece for delta in deltas for piece in delta.get("tool_calls") or ()):
        part = made.setdefault(piece["index"], ["", ""])
        part[0] += piece["function"].get("name") or ""
        part[1] += piece["function"].get("arguments") or ""
    assert [(name, json.loads(arguments)) for name, arguments in made.values()] == _due(calls)
    assert "".join(delta.get("content") or "" for delta in deltas) == ""
    assert events[-2]["usage"]["completion_tokens"] == len(text)


@pytest.mark.parametrize(("family", "said"), FAMILIES)
@pytest.mark.parametrize("choice", ["required", {"type": "function", "function": {"name": "NAMED"}}, "none"])
def test_choices(serve: Any, family: str, said: tuple[str, tuple[Call, ...]], choice: Any) -> None:
    text, calls = said
    named = json.loads(json.dumps(choice).replace("NAMED", calls[0].tool))
    api = serve([text])
    answer = api.message("canned/native", ASK, tools=TOOLS, tool_choice=named)
    assert calls_of(answer) == ([] if choice == "none" else _due(calls))


@pytest.mark.parametrize("arguments", ['{"city": "Par', "Paris"])
def test_arguments_that_no_client_could_read_do_not_go_out(serve: Any, arguments: str) -> None:
    from toolmend.base.messages import RAW

    api = serve([Reply("", (Call("get_weather", {RAW: arguments}),))])
    assert calls_of(api.message("canned/native", ASK, tools=TOOLS)) == []


def test_parallel_calls_may_be_forbidden(serve: Any) -> None:
    text = next(text for family, text, calls, _ in REPLIES if len(calls) == 2)
    answer = serve([text]).message("canned/native", ASK, tools=TOOLS, parallel_tool_calls=False)
    assert calls_of(answer) == [("get_weather", {"city": "Paris"})]
