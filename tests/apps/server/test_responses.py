"""POST /v1/responses: the official SDK, unmodified, in a loop of calls; streams, formats, refusals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from chatting import CALENDAR, listening
from toolmend.base.messages import Call, Reply, Request

openai = pytest.importorskip("openai")
pytest.importorskip("uvicorn")

CITIES = ("Rome", "Paris", "Oslo")
WEATHER = {
    "type": "function",
    "name": "get_weather",
    "strict": False,
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}


def one_by_one(request: Request) -> Reply:
    """A city after the other, then words."""
    done = sum(message.role == "tool" for message in request.messages)
    return Reply("All is well.") if done >= len(CITIES) else Reply("", (Call("get_weather", {"city": CITIES[done]}),))


def post(api: Any, **body: Any) -> Any:
    """The answer to a request."""
    return api.request("POST", "/v1/responses", json=body)


def error(api: Any, **body: Any) -> tuple[int, str | None, str | None]:
    """Status, code and parameter of a refusal."""
    answer = post(api, **body)
    found = answer.json()["error"]
    return answer.status_code, found["code"], found["param"]


@pytest.fixture
def client(serve: Any) -> Iterator[Any]:
    """The SDK, and a model that asks for the weather."""
    with listening(serve(one_by_one).app) as url, openai.OpenAI(base_url=url, api_key="none", max_retries=0) as made:
        yield made


def test_a_loop_of_calls(client: Any) -> None:
    items: list[Any] = [{"role": "user", "content": "The weather everywhere?"}]
    asked = []
    for _ in range(8):
        response = client.responses.create(model="canned/native", input=items, tools=[WEATHER])
        items += response.output
        calls = [item for item in response.output if item.type == "function_call"]
        if not calls:
            break
        for call in calls:
            asked.append(json.loads(call.arguments)["city"])
            items.append({"type": "function_call_output", "call_id": call.call_id, "output": "sunny"})
    assert tuple(asked) == CITIES
    assert response.output_text == "All is well."
    assert response.status == "completed"


def test_a_loop_of_calls_streamed(client: Any) -> None:
    items: list[Any] = [{"role": "user", "content": "The weather everywhere?"}]
    asked: list[str] = []
    for _ in range(8):
        with client.responses.stream(model="canned/native", input=items, tools=[WEATHER]) as stream:
            kinds = [event.type for event in stream]
            response = stream.get_final_response()
        assert kinds[:2] == ["response.created", "response.in_progress"]
        assert kinds[-1] == "response.completed"
        items += response.output
        calls = [item for item in response.output if item.type == "function_call"]
        asked += [json.loads(call.arguments)["city"] for call in calls]
        items += [{"type": "function_call_output", "call_id": call.call_id, "output": "sunny"} for call in calls]
        if not calls:
            break
    assert tuple(asked) == CITIES
    assert response.output_text == "All is well."


def test_the_embedded_model_corrects_itself(serve: Any) -> None:
    tools = [{"type": "function", **each["function"]} for each in CALENDAR]
    items: list[Any] = [{"role": "user", "content": "Add a meeting with Fred on Nov 11 2024 at 5PM"}]
    times = []
    api = serve()
    for said in (None, "It should be at 6PM", "No, at 7PM"):
        items += [{"role": "user", "content": said}] if said else []
        [call] = post(api, model="builtin/small", input=items, tools=tools).json()["output"]
        times.append(json.loads(call["arguments"])["time"])
        items += [call, {"type": "function_call_output", "call_id": call["call_id"], "output": "entry 7"}]
    assert times == ["17:00", "18:00", "19:00"]


def test_events_are_numbered_and_the_text_is_whole(serve: Any) -> None:
    raw = post(serve(["Hello there."]), model="canned/text", input="Hi", stream=True).text
    events = [json.loads(line.removeprefix("data: ")) for line in raw.splitlines() if line.startswith("data: ")]
    assert [each["sequence_number"] for each in events] == list(range(len(events)))
    assert "".join(each["delta"] for each in events if each["type"] == "response.output_text.delta") == "Hello there."
    assert events[-1]["response"]["output"][0]["content"][0]["text"] == "Hello there."


def test_instructions_are_the_system_text(serve: Any) -> None:
    api = serve(["Yes."])
    post(api, model="canned/text", input="Hi", instructions="Be brief.")
    assert "Be brief." in api.text.requests[0].messages[0].content


def test_a_format_is_kept_to(serve: Any) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    text = {"format": {"type": "json_schema", "name": "it", "schema": schema}}
    api = serve(["no", '{"a": 1}'])
    found = post(api, model="canned/text", input="Hi", text=text).json()
    assert found["output"][0]["content"][0]["text"] == '{"a": 1}'


def test_a_call_that_is_demanded_comes(serve: Any) -> None:
    choice = {"type": "function", "name": "get_weather"}
    api = serve([Reply("", (Call("get_weather", {"city": "Rome"}),))])
    [call] = post(api, model="canned/native", input="Hi", tools=[WEATHER], tool_choice=choice).json()["output"]
    assert call["name"] == "get_weather"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"input": "Hi"}, (400, "missing_required_parameter", "model")),
        ({"model": "canned/text"}, (400, "missing_required_parameter", "input")),
        ({"model": "nobody", "input": "Hi"}, (404, "model_not_found", "model")),
        (
            {"model": "canned/text", "input": "Hi", "previous_response_id": "resp_1"},
            (400, "unsupported_parameter", "previous_response_id"),
        ),
        (
            {"model": "canned/text", "input": [{"type": "item_reference", "id": "x"}]},
            (400, "unsupported_content", "input[0].type"),
        ),
        (
            {"model": "canned/text", "input": [{"role": "user", "content": [{"type": "input_image"}]}]},
            (400, "unsupported_content", "input[0].content[0].type"),
        ),
        (
            {"model": "canned/text", "input": [{"role": "wizard", "content": "x"}]},
            (400, "invalid_value", "input.role"),
        ),
        (
            {"model": "canned/text", "input": "Hi", "tools": [{"type": "web_search"}]},
            (400, "unsupported_parameter", "tools[0].type"),
        ),
        (
            {"model": "canned/text", "input": "Hi", "tools": [{"type": "function"}]},
            (400, "missing_required_parameter", "tools[0].name"),
        ),
    ],
)
def test_what_is_refused(serve: Any, body: dict[str, Any], expected: tuple[int, str, str]) -> None:
    assert error(serve(), **body) == expected


def test_what_is_not_honoured_is_named(serve: Any) -> None:
    answer = post(serve(["Yes."]), model="canned/text", input="Hi", top_p=0.5, store=True)
    assert answer.headers["x-toolmend-ignored"] == "top_p"


def test_errors_name_the_item_that_was_sent(serve: Any) -> None:
    call = {"type": "function_call", "call_id": "c1", "name": "get_weather", "arguments": "{}"}
    made = [{"role": "user", "content": "Hi"}, call, {**call, "call_id": "c2"}]
    done = [{"type": "function_call_output", "call_id": each, "output": "sunny"} for each in ("c1", "c2")]
    wrong = {"role": "bot", "content": "Hi"}
    asked = {"model": "canned/native", "instructions": "Be kind.", "input": [*made, *done, wrong]}
    assert error(serve(), **asked) == (400, "invalid_value", "input.role")


def test_an_answer_to_a_call_that_was_not_sent(serve: Any) -> None:
    item = {"type": "function_call_output", "call_id": "c9", "output": "sunny"}
    asked = {"model": "canned/native", "input": [{"role": "user", "content": "Hi"}, item]}
    assert error(serve(), **asked) == (400, "invalid_value", "input[1].call_id")
