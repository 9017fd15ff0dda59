"""Models behind OpenAI's chat completions: what is sent, what is made of the reply, what is recorded."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx2
import pytest

from toolmend.base.errors import BadOption, ModelError
from toolmend.base.http import Retry
from toolmend.base.messages import Call, Constraint, Message, Options, Request, ToolSpec, Usage, Wire
from toolmend.models import load_model
from toolmend.models.deltas import RAW
from toolmend.models.openai_compat import HOSTED, OpenAICompatible

KEY = "a-key-nobody-may-see"
URL = "http://example.org/v1"
JSON = "application/json"
ADD = ToolSpec("add", "Add.", {"type": "object", "properties": {"title": {"type": "string"}}}, "action")
HELLO = Request((Message("system", "Be kind."), Message("user", "hi")))


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", *(key for _, key in HOSTED.values())):
        monkeypatch.delenv(name, raising=False)


class Fake:
    """Answers with one body, and keeps what was sent."""

    def __init__(self, *chunks: Any, status: int = 200, done: bool = True, kind: str = "text/event-stream") -> None:
        lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks] + (["data: [DONE]\n\n"] if done else [])
        whole = kind == JSON
        self.said = json.dumps(chunks[0]) if whole else "".join(lines)
        self.status, self.kind, self.sent = status, kind, list[dict[str, Any]]()

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.sent.append(json.loads(request.content))
        return httpx2.Response(self.status, content=self.said, headers={"content-type": self.kind})

    def model(self, **options: Any) -> OpenAICompatible:
        given = {"base_url": URL, "retries": 0, "retry": Retry(first=0.0)} | options
        return OpenAICompatible("some-model", transport=httpx2.MockTransport(self), **given)


def delta(text: str | None = None, finish: str | None = None, **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"content": text, **more}, "finish_reason": finish}]}


def usage(prompt: Any, completion: Any) -> dict[str, Any]:
    return {"choices": [], "usage": {"prompt_tokens": prompt, "completion_tokens": completion}}


def whole(message: dict[str, Any], finish: str = "stop", **more: Any) -> Fake:
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return Fake({"choices": [choice], **more}, kind=JSON)


STREAM = (delta(role="assistant"), delta("Hel"), delta("lo"), delta(finish="stop"), usage(7, 2))


# What is sent --------------------------------------------------------------------------------------------------


def test_a_plain_request(ask):
    fake = Fake(*STREAM)
    ask(fake.model(), HELLO)
    assert fake.sent == [
        {
            "model": "some-model",
            "messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "hi"}],
            "temperature": 0.0,
            "max_tokens": 256,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
    ]


def test_a_request_with_everything(ask):
    fake = whole({"content": None, "tool_calls": [{"id": "x", "function": {"name": "action__add", "arguments": "{}"}}]})
    options = Options(0.5, 7, 99, ("\n",))
    request = Request(HELLO.messages, (ADD,), options, Constraint("json_schema", {"type": "object"}))
    settings = {"tool_choice": "required", "reasoning_effort": "low", "max_tokens_name": "max_completion_tokens"}
    ask(fake.model(stream=False, **settings), request)
    function = {"name": "action__add", "description": "Add.", "parameters": ADD.parameters}
    sent = fake.sent[0]
    assert {name: sent[name] for name in sent if name not in ("model", "messages")} == {
        "temperature": 0.5,
        "seed": 7,
        "max_completion_tokens": 99,
        "stop": ["\n"],
        "tools": [{"type": "function", "function": function}],
        "tool_choice": "required",
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "schema": {"type": "object"}, "strict": False},
        },
        "reasoning_effort": "low",
        "stream": False,
    }


def test_what_a_server_refuses_can_be_left_out(ask):
    fake = Fake(*STREAM)
    request = Request(HELLO.messages, options=Options(seed=7))
    reply = ask(fake.model(omit="temperature,seed,stop,stream_options"), request)
    assert set(fake.sent[0]) == {"model", "messages", "max_tokens", "stream"}
    assert reply.unmet == ("temperature: not sent (omit)", "seed: not sent (omit)")


def test_openai_itself_has_another_name_for_the_limit():
    assert OpenAICompatible("m", base_url=HOSTED["openai"][0]).settings.max_tokens_name == "max_completion_tokens"


# What is made of the reply -------------------------------------------------------------------------------------


def test_a_streamed_reply(ask):
    pieces: list[str] = []
    fake = Fake(*STREAM)
    reply = ask(fake.model(), HELLO, pieces.append)
    assert (reply.text, reply.finish, reply.unmet, reply.model) == ("Hello", "stop", (), "openai/some-model")
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (7, 2)
    assert pieces == ["Hel", "lo"]
    assert reply.wire == Wire(json.dumps(fake.sent[0]), fake.said)


def test_a_whole_reply(ask):
    fake = whole({"content": "Hello"}, usage={"prompt_tokens": 7, "completion_tokens": 2})
    pieces: list[str] = []
    reply = ask(fake.model(stream=False), HELLO, pieces.append)
    assert (reply.text, pieces, reply.unmet) == ("Hello", ["Hello"], ())
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (7, 2)


def test_calls_get_their_own_names_back(ask):
    first = {"index": 0, "id": "a", "function": {"name": "action__add", "arguments": '{"title": '}}
    second = {"index": 0, "function": {"arguments": '"x"}'}}
    fake = Fake(delta(tool_calls=[first]), delta(tool_calls=[second]), delta(finish="tool_calls"))
    reply = ask(fake.model(), Request(HELLO.messages, (ADD,)))
    assert reply.calls == (Call("action.add", {"title": "x"}, "a"),)
    assert (reply.text, reply.finish) == ("", "stop")


def test_arguments_that_are_no_json_stay_as_they_came(ask):
    fake = whole({"tool_calls": [{"function": {"name": "action__add", "arguments": "{title: x}"}}]})
    assert ask(fake.model(), Request(HELLO.messages, (ADD,))).calls == (Call("action.add", {RAW: "{title: x}"}),)


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_reasoning_is_kept_apart(ask, name):
    reply = ask(Fake(delta(**{name: "hm"}), delta("yes"), delta(finish="stop")).model(), HELLO)
    assert (reply.reasoning, reply.text) == ("hm", "yes")


def test_contents_in_parts_are_read(ask):
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "yes"}]
    reply = ask(whole({"content": parts}).model(), HELLO)
    assert (reply.reasoning, reply.text) == ("hm", "yes")


@pytest.mark.parametrize("message", [{"content": ""}, {"content": None}, {}, {"content": "\n"}])
def test_an_empty_reply_is_its_own_outcome(ask, message):
    reply = ask(whole(message, usage={"prompt_tokens": 7, "completion_tokens": 40}).model(), HELLO)
    assert (reply.finish, reply.usage.output_tokens) == ("empty", 40)


def test_a_refusal_is_what_the_model_said(ask):
    assert ask(whole({"content": None, "refusal": "I cannot."}).model(), HELLO).text == "I cannot."


def test_a_reply_that_was_cut(ask):
    assert ask(Fake(delta("One"), delta(finish="length")).model(), HELLO).finish == "length"


@pytest.mark.parametrize(
    ("counts", "expected"),
    [((None, None), (0, 0)), (("7", -2), (0, 0)), ((7.0, True), (7, 0)), ((float("inf"), 2), (0, 2))],
)
def test_tokens_are_what_the_server_counted(ask, counts, expected):
    reply = ask(Fake(delta("x", finish="stop"), usage(*counts)).model(), HELLO)
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == expected


def test_other_choices_are_left_alone(ask):
    other = {"choices": [{"index": 1, "delta": {"content": "no"}}]}
    assert ask(Fake(delta("yes"), other, delta(finish="stop")).model(), HELLO).text == "yes"


_PARIS = {"id": "a", "function": {"name": "look", "arguments": '{"city": "Paris"}'}}
_MADE = [("look", {"city": "Paris"})]


def _calls(reply: Any) -> list[Any]:
    return [(call.tool, call.arguments) for call in reply.calls]


def test_calls_in_another_choice_are_heard(ask):
    choices = [
        {"index": 0, "message": {"content": "I look."}, "finish_reason": "stop"},
        {"index": 1, "message": {"content": None, "tool_calls": [_PARIS]}, "finish_reason": "tool_calls"},
    ]
    reply = ask(Fake({"choices": choices}, kind=JSON).model(), HELLO)
    assert (reply.text, _calls(reply)) == ("I look.", _MADE)
    assert reply.unmet[-1] == "tool_calls: the calls stood in another choice"


def test_calls_in_another_choice_of_a_stream_are_heard(ask):
    other = {
        "choices": [{"index": 1, "delta": {"tool_calls": [{"index": 0, **_PARIS}]}, "finish_reason": "tool_calls"}]
    }
    assert _calls(ask(Fake(delta("I look."), other, delta(finish="stop")).model(), HELLO)) == _MADE


def test_the_first_choice_s_calls_count_where_both_have_some(ask):
    rome = {"id": "b", "function": {"name": "look", "arguments": '{"city": "Rome"}'}}
    choices = [{"index": at, "message": {"tool_calls": [call]}} for at, call in enumerate([_PARIS, rome])]
    assert _calls(ask(Fake({"choices": choices}, kind=JSON).model(), HELLO)) == _MADE


@pytest.mark.parametrize(
    "name", ["functions.look", "look<|channel|>commentary", "look\n", " look ", "functions.look:0"]
)
def test_a_name_with_more_on_it_than_was_sent(ask, name):
    call = {"id": "a", "function": {"name": name, "arguments": '{"city": "Paris"}'}}
    reply = ask(whole({"tool_calls": [call]}).model(), replace(HELLO, tools=(ToolSpec("look"),)))
    assert _calls(reply) == _MADE
    assert reply.unmet[-1] == "tool_calls: a name had more on it than was sent"


def test_a_reply_said_again_at_the_end_is_one(ask):
    again = {"choices": [{"index": 0, "message": {"content": "Hello"}, "finish_reason": "stop"}]}
    assert ask(Fake(delta("Hello"), again).model(), HELLO).text == "Hello"


def test_without_done_a_reason_to_finish_is_the_end(ask):
    assert ask(Fake(*STREAM, done=False).model(), HELLO).text == "Hello"


def test_without_a_reason_done_is_the_end(ask):
    assert ask(Fake(delta("Hello")).model(), HELLO).text == "Hello"


def test_what_was_not_honoured_is_said(ask):
    tools = Request(HELLO.messages, (ADD,), Options(max_tokens=1, stop=("l",)))
    reply = ask(Fake(*STREAM).model(tool_choice="action.add"), tools)
    assert reply.unmet == (
        "max_tokens: 1 asked, 2 given",
        "stop: 'l' asked, it stands in the reply",
        "tool_choice: action.add asked, no call given",
    )


def test_a_form_that_was_not_asked_for_is_read_and_said(ask):
    assert ask(whole({"content": "Hello"}).model(), HELLO).unmet == ("stream: true asked, one piece given",)
    assert ask(Fake(*STREAM).model(stream=False), HELLO).unmet == ("stream: false asked, a stream given",)


def test_a_key_is_in_nothing_that_comes_back(ask, monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)
    reply = ask(Fake(delta(f"your key is {KEY}"), delta(finish="stop")).model(key_env="MY_KEY"), HELLO)
    assert reply.text == "your key is ***"
    assert KEY not in repr(reply)


# What is no reply ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fake", "expected"),
    [
        (
            Fake(delta("Hel"), done=False),
            "the reply ended after 3 characters and 0 calls, without saying that",
        ),
        (Fake(delta("Hel"), {"error": {"message": "out of memory"}}), "the server says: out of memory"),
        (Fake({"error": "overloaded"}, kind=JSON), "the server says: overloaded"),
        (Fake({"detail": "Not here"}, kind=JSON), "no chat completion but Not here"),
        (Fake({"type": "message"}, kind=JSON), "no chat completion but {'type': 'message'}"),
        (Fake({"error": "Unknown name seed"}, status=400, kind=JSON), "Unknown name seed; omit=seed leaves that out"),
        (Fake({"error": "use max_completion_tokens"}, status=400), "; max_tokens_name=NAME says how the limit is"),
        (Fake({"error": "no"}, status=404), r"\(is http://example.org/v1 the right address, and some-model a model"),
    ],
)
def test_what_is_no_reply_is_an_error_that_says_so(ask, fake, expected):
    with pytest.raises(ModelError, match=expected):
        ask(fake.model(), HELLO)


# Names, keys, records ------------------------------------------------------------------------------------------


def test_a_name_carries_its_options(monkeypatch):
    model = load_model(f"openai/org/model:free?base_url={URL}&tool_choice=auto&timeout=5&rpm=30")
    assert isinstance(model, OpenAICompatible)
    assert model.name == f"openai/org/model:free?base_url={URL}&tool_choice=auto&timeout=5&rpm=30"
    assert model.model == "org/model:free"
    assert model.options == {
        "base_url": URL,
        "stream": True,
        "tool_choice": "auto",
        "max_tokens_name": "max_tokens",
    }


def test_the_address_comes_from_the_environment(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:8080/v1/")
    model = load_model("openai/m")
    assert isinstance(model, OpenAICompatible)
    assert model.options["base_url"] == "http://localhost:8080/v1"
    assert model.but(stream=False).options["stream"] is False


@pytest.mark.parametrize(("family", "key_env"), [(family, key) for family, (_, key) in HOSTED.items()])
def test_a_hosted_model_needs_its_key(family, key_env, monkeypatch):
    with pytest.raises(BadOption, match=f"{family}/m needs a key: put it into the environment as {key_env}"):
        load_model(f"{family}/m")
    monkeypatch.setenv(key_env, KEY)
    model = load_model(f"{family}/m")
    assert isinstance(model, OpenAICompatible)
    assert model.options["base_url"] == HOSTED[family][0]
    assert KEY not in repr(vars(model))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("m?base_url=localhost", "openai/m: base_url 'localhost' is no web address"),
        ("m?base_url=http://ada:secret@x", "base_url has a user or a password in it"),
        ("m?key=secret", "put it into the environment, and key_env=NAME says where"),
        ("m?transport=x", r"unknown option 'transport'.*; known: base_url, can, concurrency, key_env"),
        ("m?omit=messages", "omit knows max_completion_tokens, .*; not messages"),
        ("m?stream=perhaps", "stream is 'perhaps', neither true nor false"),
    ],
)
def test_a_name_that_makes_no_sense_is_refused(name, expected):
    with pytest.raises(BadOption, match=expected) as error:
        load_model(f"openai/{name}")
    assert "secret" not in str(error.value)


def test_a_key_that_is_none_is_refused(monkeypatch):
    monkeypatch.setenv("MY_KEY", "two words")
    with pytest.raises(BadOption, match="the key in MY_KEY has a space") as error:
        load_model(f"openai/m?base_url={URL}&key_env=MY_KEY")
    assert "two" not in str(error.value)


def test_gemini_gets_schemas_in_its_words(ask: Callable[..., Any], monkeypatch):
    fake = Fake(delta("x", finish="stop"))
    tool = ToolSpec("look", "", {"type": "object", "properties": {}, "additionalProperties": False})
    model = OpenAICompatible("m", base_url=HOSTED["gemini"][0], transport=httpx2.MockTransport(fake))
    reply = ask(model, Request(HELLO.messages, (tool,)))
    assert fake.sent[0]["tools"][0]["function"]["parameters"] == {"type": "object", "properties": {}}
    assert reply.usage == Usage(0, 0, reply.usage.seconds)
