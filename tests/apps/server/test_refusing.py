"""Requests that are wrong: each refused in the API's own shape, with status, code and parameter. No stack, ever."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chatting import ENEMY, called, function, result, user
from toolmend import registry
from toolmend.apps.server.body import read_body
from toolmend.apps.server.refusals import ApiError
from toolmend.base.errors import ModelError

HI = [user("Hi")]
PATH = "/v1/chat/completions"


@pytest.mark.parametrize(
    ("body", "code", "param"),
    [
        ({"messages": HI}, "missing_required_parameter", "model"),
        ({"model": "canned/text"}, "missing_required_parameter", "messages"),
        ({"model": "canned/text", "messages": []}, "invalid_value", "messages"),
        ({"model": 7, "messages": HI}, "invalid_type", "model"),
        ({"model": "canned/text", "messages": [{"role": "king", "content": "x"}]}, "invalid_value", "messages[0].role"),
        ({"model": "canned/text", "messages": [{"content": "x"}]}, "missing_required_parameter", "messages[0].role"),
        ({"model": "canned/text", "messages": [{"role": "user", "content": 7}]}, "invalid_type", "messages[0].content"),
        ({"model": "canned/text", "messages": [{"role": "system", "content": "x"}]}, "invalid_value", "messages"),
        ({"model": "canned/text", "messages": HI, "temperature": 3}, "invalid_value", "temperature"),
        ({"model": "canned/text", "messages": HI, "max_tokens": 0}, "invalid_value", "max_tokens"),
        ({"model": "canned/text", "messages": HI, "n": 2}, "unsupported_parameter", "n"),
        ({"model": "canned/text", "messages": HI, "stop": ["a"] * 5}, "invalid_value", "stop"),
        ({"model": "canned/text", "messages": HI, "logprobs": True}, "unsupported_parameter", "logprobs"),
        ({"model": "canned/text", "messages": HI, "tools": [{"type": "custom"}]}, "invalid_value", "tools[0].type"),
        ({"model": "canned/text", "messages": HI, "tools": [ENEMY, ENEMY]}, "invalid_value", "tools[1].function.name"),
        (
            {"model": "canned/text", "messages": HI, "tools": [function("x y")]},
            "invalid_value",
            "tools[0].function.name",
        ),
        (
            {"model": "canned/text", "messages": HI, "tools": [function("x", y={"type": "wrong"})]},
            "invalid_function_parameters",
            "tools[0].function.parameters",
        ),
        ({"model": "canned/text", "messages": [result("c1", "x")]}, "invalid_value", "messages[0].role"),
        (
            {"model": "canned/text", "messages": [*HI, called(("c1", "x", {})), user("?")]},
            "invalid_value",
            "messages[2].role",
        ),
        (
            {"model": "canned/text", "messages": [*HI, called(("c1", "x", {})), result("c2", "x")]},
            "invalid_value",
            "messages[2].tool_call_id",
        ),
        (
            {"model": "canned/text", "messages": [{"role": "user", "content": [{"type": "image_url"}]}]},
            "unsupported_content",
            "messages[0].content[0].type",
        ),
    ],
)
def test_a_wrong_body_is_refused(serve: Any, body: Any, code: str, param: str) -> None:
    assert serve().error(body) == (400, code, param)


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ({"temperature": 3}, "Invalid value for 'temperature': it must be less than or equal to 2."),
        ({"stop": ["a"] * 5}, "Invalid value for 'stop': it must have at most 4 items, not 5."),
    ],
)
def test_what_is_wrong_is_said_in_plain_words(serve: Any, field: dict[str, Any], said: str) -> None:
    answer = serve().post({"model": "canned/text", "messages": HI, **field})
    assert answer.json()["error"]["message"] == said


def test_options_of_a_stream_without_a_stream_are_refused(serve: Any) -> None:
    body = {"model": "canned/text", "messages": HI, "stream_options": {"include_usage": True}}
    assert serve().error(body) == (400, None, "stream_options")
    assert serve().events(body)[-1] == "[DONE]"
    assert serve().post({**body, "stream_options": None}).status_code == 200


@pytest.mark.parametrize(
    ("raw", "code"),
    [(b"{", "invalid_json"), (b"[]", "invalid_type"), (b'{"n": NaN}', "invalid_json"), (b"\xff", "invalid_json")],
)
def test_no_json_object_is_refused(serve: Any, raw: bytes, code: str) -> None:
    answer = serve().request("POST", PATH, content=raw, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)


def test_a_body_nested_too_deep_is_refused(serve: Any) -> None:
    raw = b'{"messages": ' + b"[" * 90 + b"]" * 90 + b"}"
    answer = serve().request("POST", PATH, content=raw, headers={"content-type": "application/json"})
    said = "The body is nested more than 64 levels deep."
    assert (answer.status_code, answer.json()["error"]["message"]) == (400, said)


@pytest.mark.parametrize(
    "model",
    [
        "gpt-4o",
        "freyr:",
        "nobody:canned/text",
        "canned/text?base_url=http",
        "openai/x?base_url=y",
        "freyr?retries=1:canned/text",
        "auto?table=/dev/zero:canned/text",
        "plugged:canned/text",
    ],
)
def test_an_unknown_model_is_not_found_and_nothing_is_made_of_its_name(
    serve: Any, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    monkeypatch.setattr(registry.strategies, "_foreign", {"plugged": "antigravity:fly"})
    api, names = serve(), list[str]()
    for loader in ("load_model", "load_strategy"):
        monkeypatch.setattr(f"toolmend.apps.server.served.{loader}", names.append)
    assert api.error({"model": model, "messages": HI}) == (404, "model_not_found", "model")
    assert names == []


def test_every_model_that_is_listed_is_there_without_loading_it_again(
    serve: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    api, names = serve(), list[str]()
    for loader in ("load_model", "load_strategy"):
        monkeypatch.setattr(f"toolmend.apps.server.served.{loader}", names.append)
    listed = [entry["id"] for entry in api.request("GET", "/v1/models").json()["data"]]
    assert {"canned/text", "freyr:canned/text", "native:canned/native", "oneline:builtin/small"} <= set(listed)
    assert "native:canned/text" not in listed
    assert [api.request("GET", f"/v1/models/{name}").status_code for name in listed] == [200] * len(listed)
    assert names == []


def test_a_strategy_the_model_cannot_follow_is_refused(serve: Any) -> None:
    assert serve().error({"model": "native:canned/text", "messages": HI}) == (400, "strategy_not_supported", "model")


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/v1/nothing", 404, "unknown_url"),
        ("GET", PATH, 405, "method_not_allowed"),
        ("DELETE", "/v1/models", 405, "method_not_allowed"),
        ("POST", f"{PATH}/", 404, "unknown_url"),
        ("GET", "/v1/models/gpt-4o", 404, "model_not_found"),
    ],
)
def test_other_addresses_are_refused_in_the_same_shape(
    serve: Any, method: str, path: str, status: int, code: str
) -> None:
    answer = serve().request(method, path)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_another_content_type_is_refused(serve: Any, kind: str) -> None:
    answer = serve().request("POST", PATH, content=b"{}", headers={"content-type": kind})
    assert (answer.status_code, answer.json()["error"]["code"]) == (415, "unsupported_content_type")


def test_a_body_that_is_too_large_is_refused(serve: Any) -> None:
    api = serve(body_bytes=2000)
    body = {"model": "canned/text", "messages": [user("x" * 3000)]}
    assert api.error(body) == (413, "request_too_large", None)


def test_a_body_of_unknown_length_is_cut_off(serve: Any) -> None:
    async def pieces() -> Any:
        for _ in range(100):
            yield b"x" * 100

    answer = serve(body_bytes=2000).request(
        "POST", PATH, content=pieces(), headers={"content-type": "application/json"}
    )
    assert answer.status_code == 413


def test_a_model_that_cannot_answer_is_told_as_the_servers(serve: Any) -> None:
    def fails(_request: Any) -> str:
        raise ModelError("canned/text: the line is dead", retryable=True)

    answer = serve(fails).post({"model": "canned/text", "messages": HI})
    assert (answer.status_code, answer.json()["error"]["code"]) == (502, "upstream_error")
    assert answer.headers["x-should-retry"] == "true"


def test_where_a_model_runs_is_not_told(serve: Any) -> None:
    def fails(_request: Any) -> str:
        raise ModelError(f"{api.text.name}: nobody answers at http://10.0.0.7:9/v1: is the address right?")

    api = serve(fails)
    api.text.name = "canned/text?base_url=http://10.0.0.7:9/v1"
    answer = api.post({"model": "canned/text", "messages": HI})
    assert answer.json()["error"]["message"] == "canned/text: nobody answers at its address: is the address right?"


def test_a_base_url_without_v1_is_explained(serve: Any) -> None:
    said = serve().request("POST", "/chat/completions", json={}).json()["error"]["message"]
    assert said.startswith("Unknown request URL: POST /chat/completions.")
    assert said.endswith("a client's base URL ends in /v1.")


def test_a_fault_of_toolmend_shows_nothing_of_itself(serve: Any) -> None:
    def breaks(_request: Any) -> str:
        raise RuntimeError("a secret of the house")

    answer = serve(breaks).post({"model": "canned/text", "messages": HI})
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal_error")
    assert "secret" not in answer.text and "Traceback" not in answer.text


def test_an_answer_that_takes_too_long_is_given_up(serve: Any) -> None:
    import anyio

    from toolmend.base.messages import Reply

    async def late(_request: Any, *, on_delta: Any = None) -> Reply:
        await anyio.sleep(3)
        return Reply("At last.")

    api = serve(seconds=0.02)
    api.text.reply = late
    assert api.error({"model": "canned/text", "messages": HI}) == (504, "timeout", None)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    "model messages tools tool_choice response_format stream stream_options seed stop n temperature max_tokens".split()
)


@given(st.dictionaries(FIELDS, JSON_VALUES, max_size=6))
@settings(max_examples=150, deadline=None)
def test_reading_any_json_refuses_or_reads(fields: dict[str, Any]) -> None:
    try:
        body, _ = read_body(json.dumps(fields).encode())
    except ApiError as error:
        assert error.status == 400
    else:
        assert body.messages


ODD = [
    True,
    False,
    {},
    {"$ref": "#/$defs/nowhere"},
    {"$ref": "#"},
    {"$ref": "http://127.0.0.1:9/x.json"},
    {"type": ["string", "null"]},
    {"type": []},
    {"anyOf": [True, {"type": "array", "items": False}]},
    {"allOf": [{"type": "string"}, {"minLength": 3}]},
    {"enum": [None, 1, [2]]},
    {"const": {"a": [1]}},
    {"type": "array", "prefixItems": [True, {"type": "integer"}], "items": False},
    {"type": "object", "properties": {"x y": True, "class": {"type": "number"}}, "additionalProperties": False},
    {"type": "string", "pattern": "(a+)+$", "format": "unknown", "description": 7},
    {"type": "object", "patternProperties": {"(": {}}},
]


WAYS = ["native:canned/native", "freyr:canned/text", "react:canned/text", "oneline:canned/text"]


def calls_odd(request: Any) -> str:
    """A call of the tool `odd`, in whatever notation it is asked for."""
    system = request.messages[0].content
    if "Which of these operations" in system:
        return "odd"
    if "Write the values for one operation" in system:
        return "- a: x"
    return "Action: odd\nAction Input: {}" if "Action Input" in system else '{"tool": "odd", "arguments": {"a": "x"}}'


@pytest.mark.parametrize("schema", ODD, ids=repr)
@pytest.mark.parametrize("way", WAYS)
def test_no_schema_of_a_client_breaks_the_server(serve: Any, way: str, schema: Any) -> None:
    for choice in ("auto", "required"):
        body = {"model": way, "messages": HI, "tools": [function("odd", a=schema)], "tool_choice": choice}
        answer = serve(calls_odd).post(body)
        assert answer.status_code in (200, 400, 502), answer.text
