"""Streams: events as they come, the rest in pieces, comments in silence, errors as events, an end for who went away."""

from __future__ import annotations

import json
from typing import Any

import anyio
import pytest

from chatting import WEATHER, by_prompt, called, result, user
from fakes import FakeServer, always, hosted
from toolmend.base.errors import ModelError
from toolmend.base.messages import Call, Reply, Request, Usage

HI = [user("Hi")]


def deltas(events: list[Any]) -> list[dict[str, Any]]:
    return [each["choices"][0]["delta"] for each in events if each != "[DONE]" and each["choices"]]


def text_of(events: list[Any]) -> str:
    return "".join(delta.get("content") or "" for delta in deltas(events))


def speaks(api: Any, *pieces: str, then: Exception | None = None) -> None:
    """Lets the text model say these pieces one by one."""

    async def reply(request: Request, *, on_delta: Any = None) -> Reply:
        for piece in pieces:
            if on_delta:
                on_delta(piece)
            await anyio.lowlevel.checkpoint()
        if then:
            raise then
        return Reply("".join(pieces), usage=Usage(3, len(pieces)))

    api.text.reply = reply


def test_a_stream_is_what_the_model_said(serve: Any) -> None:
    api = serve()
    speaks(api, "One ", "two ", "three")
    events = api.events({"model": "canned/text", "messages": HI})
    assert deltas(events) == [
        {"role": "assistant", "content": ""},
        {"content": "One "},
        {"content": "two "},
        {"content": "three"},
        {},
    ]
    assert events[-2]["choices"][0]["finish_reason"] == "stop"
    assert events[-1] == "[DONE]"


def test_all_chunks_belong_together(serve: Any) -> None:
    events = serve().events({"model": "canned/text", "messages": HI})[:-1]
    assert {(each["object"], each["model"]) for each in events} == {("chat.completion.chunk", "canned/text")}
    assert len({each["id"] for each in events}) == 1


def test_usage_comes_last_where_it_is_asked_for(serve: Any) -> None:
    api = serve()
    speaks(api, "One")
    body = {"model": "canned/text", "messages": HI, "stream_options": {"include_usage": True}}
    *before, last, _ = api.events(body)
    assert {each["usage"] for each in before} == {None}
    assert last["choices"] == []
    assert last["usage"] == {"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4}


def test_calls_are_streamed_in_pieces(serve: Any) -> None:
    city = "x" * 100
    api = serve([Reply("", (Call("get_weather", {"city": city}),))])
    events = api.events({"model": "canned/native", "messages": HI, "tools": [WEATHER]})
    pieces = [delta["tool_calls"][0] for delta in deltas(events) if "tool_calls" in delta]
    assert [piece["index"] for piece in pieces] == [0] * len(pieces)
    assert pieces[0]["function"] == {"name": "get_weather", "arguments": ""}
    assert json.loads("".join(piece["function"]["arguments"] for piece in pieces)) == {"city": city}
    assert events[-2]["choices"][0]["finish_reason"] == "tool_calls"


def test_a_text_that_might_be_a_call_is_not_shown_before_it_was_read(serve: Any) -> None:
    api = serve(["get_weather(city='Rome')"])
    events = api.events({"model": "canned/native", "messages": HI, "tools": [WEATHER]})
    assert text_of(events) == ""
    assert events[-2]["choices"][0]["finish_reason"] == "tool_calls"


def test_the_summary_of_freyr_is_shown_as_it_comes(serve: Any) -> None:
    api = serve(by_prompt(summary="It is sunny."))
    talk = [*HI, called(("c1", "get_weather", {"city": "Rome"})), result("c1", "sunny")]
    body = {"model": "freyr:canned/text", "messages": talk, "tools": [WEATHER]}
    assert {"content": "It is sunny."} in deltas(api.events(body))


def test_what_a_strategy_adds_to_a_summary_is_added(serve: Any) -> None:
    api = serve(by_prompt(params="SKIP", summary=" All is well. "))
    talk = [*HI, called(("c1", "get_weather", {"city": "Rome"})), result("c1", "Error: no such city")]
    events = api.events({"model": "freyr:canned/text", "messages": talk, "tools": [WEATHER]})
    assert text_of(events) == " All is well. \nNot done: get_weather (left out)."


@pytest.mark.parametrize(("stop", "shown"), [("wo", "One t"), ("e t", "On"), (["xyz"], "One two three")])
def test_a_stream_ends_before_a_stop_wherever_it_is_cut(serve: Any, stop: Any, shown: str) -> None:
    api = serve()
    speaks(api, *"One two three")
    assert text_of(api.events({"model": "canned/text", "messages": HI, "stop": stop})) == shown


def test_an_error_before_the_first_word_is_a_status(serve: Any) -> None:
    api = serve()
    speaks(api, then=ModelError("gone"))
    assert api.error({"model": "canned/text", "messages": HI, "stream": True}) == (502, "upstream_error", None)


@pytest.mark.parametrize(("error", "code"), [(ModelError("gone"), "upstream_error"), (KeyError("x"), "internal_error")])
def test_an_error_after_it_is_an_event_and_no_end(serve: Any, error: Exception, code: str) -> None:
    api = serve()
    speaks(api, "One ", then=error)
    *_, last = api.events({"model": "canned/text", "messages": HI})
    assert last["error"]["code"] == code


def test_silence_is_filled_with_comments(serve: Any) -> None:
    api = serve(keep_alive=0.005)

    async def slowly(request: Request, *, on_delta: Any = None) -> Reply:
        await anyio.sleep(0.03)
        return Reply("At last.")

    api.text.reply = slowly
    answer = api.post({"model": "canned/text", "messages": HI, "stream": True})
    assert answer.text.startswith(": keep-alive\n\n")
    assert answer.text.endswith("data: [DONE]\n\n")


@pytest.mark.parametrize("stream", [False, True])
def test_a_client_that_goes_away_takes_the_models_work_with_it(serve: Any, stream: bool) -> None:
    api, asked, dropped = serve(), anyio.Event(), []

    async def never(request: Request, *, on_delta: Any = None) -> Reply:
        asked.set()
        try:
            await anyio.sleep_forever()
        finally:
            dropped.append(True)
        raise AssertionError

    api.text.reply = never
    body = json.dumps({"model": "canned/text", "messages": HI, "stream": stream}).encode()
    waiting = [{"type": "http.request", "body": body}]
    sent: list[Any] = []

    async def receive() -> Any:
        if waiting:
            return waiting.pop()
        await asked.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"content-type", b"application/json"), (b"host", b"localhost")]
    scope = {"type": "http", "method": "POST", "path": "/v1/chat/completions", "headers": headers, "query_string": b""}
    anyio.run(api.app, scope, receive, send)
    assert (dropped, sent) == ([True], [])


@pytest.mark.parametrize("fault", ["drop-in-body", "reset-in-body", "no-end"])
def test_a_server_behind_that_dies_in_mid_stream_is_a_clean_error(serve: Any, fault: str) -> None:
    server = FakeServer(["One two three four five six."], always(fault))
    with hosted(server):
        api = serve(models=(f"openai/fake?base_url={server.url}/v1&retries=0",))
        events = api.events({"model": "openai/fake", "messages": HI})
    assert text_of(events[:-1])
    assert events[-1]["error"]["code"] == "upstream_error"
