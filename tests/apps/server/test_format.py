"""`response_format`, sampling, stops, choices and usage."""

from __future__ import annotations

import json
from typing import Any

import pytest

from chatting import WEATHER, called, result, user
from toolmend.base.messages import Reply, Usage

ASKED = user("A city, please")
CITY = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
FORMAT = {"type": "json_schema", "json_schema": {"name": "city", "schema": CITY, "strict": True}}


def test_a_schema_reaches_model_and_engine(serve: Any) -> None:
    api = serve(['{"city": "Rome"}'])
    assert json.loads(api.message("canned/text", ASKED, response_format=FORMAT)["content"]) == {"city": "Rome"}
    request = api.text.requests[0]
    assert request.constraint.value == CITY
    assert json.dumps(CITY) in request.messages[0].content


def test_a_fence_is_taken_off(serve: Any) -> None:
    api = serve(['```json\n{"city": "Rome"}\n```'])
    assert api.message("canned/text", ASKED, response_format={"type": "json_object"})["content"] == '{"city": "Rome"}'


def test_a_reply_of_another_form_is_asked_for_again(serve: Any) -> None:
    api = serve(["Rome!", '{"city": "Rome"}'])
    assert api.message("canned/text", ASKED, response_format=FORMAT)["content"] == '{"city": "Rome"}'
    assert "it is no JSON" in api.text.requests[1].messages[-1].content


@pytest.mark.parametrize("form", [FORMAT, {"type": "json_object"}], ids=["schema", "object"])
@pytest.mark.parametrize("said", ["Rome", "[1]", '{"city": NaN}'])
@pytest.mark.parametrize("stream", [False, True])
def test_what_stays_of_another_form_is_an_error(serve: Any, form: dict[str, Any], said: str, stream: bool) -> None:
    body = {"model": "canned/text", "messages": [ASKED], "response_format": form, "stream": stream}
    assert serve([said]).error(body) == (502, "response_format_not_honoured", None)


def test_the_words_after_a_call_have_the_form_too(serve: Any) -> None:
    api = serve(["It is sunny.", '{"city": "Rome"}'])
    talk = [ASKED, called(("c1", "get_weather", {"city": "Rome"})), result("c1", "sunny")]
    message = api.message("canned/native", *talk, tools=[WEATHER], response_format=FORMAT)
    assert message["content"] == '{"city": "Rome"}'


@pytest.mark.parametrize(
    "form",
    [
        {"type": "json_schema"},
        {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": 7}}},
        {"type": "yaml"},
    ],
)
def test_a_form_that_makes_no_sense_is_refused(serve: Any, form: dict[str, Any]) -> None:
    status, _, param = serve().error({"model": "canned/text", "messages": [ASKED], "response_format": form})
    assert status == 400
    assert param is not None and param.startswith("response_format")


def test_sampling_is_passed_on(serve: Any) -> None:
    api = serve()
    api.chat("canned/text", ASKED, temperature=0.5, seed=7, max_completion_tokens=9, stop=["a", "b"])
    options = api.text.requests[0].options
    assert (options.temperature, options.seed, options.max_tokens, options.stop) == (0.5, 7, 9, ("a", "b"))


def test_defaults_are_the_servers(serve: Any) -> None:
    api = serve(max_tokens=77)
    api.chat("canned/text", ASKED)
    options = api.text.requests[0].options
    assert (options.temperature, options.seed, options.max_tokens) == (0.0, None, 77)


def test_an_answer_ends_before_a_stop(serve: Any) -> None:
    assert serve(["one STOP two"]).message("canned/text", ASKED, stop="STOP")["content"] == "one "


def test_usage_is_that_of_every_request_it_took(serve: Any) -> None:
    api = serve([Reply("no", usage=Usage(10, 2)), Reply("{}", usage=Usage(20, 3))])
    usage = api.chat("canned/text", ASKED, response_format={"type": "json_object"})["usage"]
    assert usage == {"prompt_tokens": 30, "completion_tokens": 5, "total_tokens": 35}


def test_a_reply_that_was_cut_says_so(serve: Any) -> None:
    api = serve([Reply("and then", finish="length")])
    assert api.chat("canned/text", ASKED)["choices"][0]["finish_reason"] == "length"


def test_fields_that_are_not_honoured_are_named(serve: Any) -> None:
    body = {"model": "canned/text", "messages": [ASKED], "top_p": 0.5, "frequency_penalty": 0, "user": "me", "wild": 1}
    assert serve().post(body).headers["x-toolmend-ignored"] == "top_p, wild"


def test_neutral_fields_are_nothing_to_name(serve: Any) -> None:
    body = {"model": "canned/text", "messages": [ASKED], "top_p": 1.0, "frequency_penalty": 0, "logprobs": False}
    assert "x-toolmend-ignored" not in serve().post(body).headers
