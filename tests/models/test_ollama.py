"""Models in Ollama: what is sent to /api/chat, what is made of the reply, and the watch on its window."""

import json
from typing import Any

import httpx2
import pytest

from toolmend.base.errors import BadOption, ModelError
from toolmend.base.http import Retry
from toolmend.base.messages import Call, Constraint, Message, Options, Request, ToolSpec
from toolmend.models import load_model
from toolmend.models.ollama import Ollama, host_address

URL = "http://example.org:11434"
ADD = ToolSpec("add", "Add.", {"type": "object", "properties": {"title": {"type": "string"}}}, "action")
HELLO = Request((Message("user", "hi"),))
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}}


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    monkeypatch.delenv("OLLAMA_HOST", raising=False)
    monkeypatch.delenv("OLLAMA_API_KEY", raising=False)


class Fake:
    """Answers with lines of JSON, and keeps what was sent."""

    def __init__(self, *lines: Any, status: int = 200) -> None:
        self.said = "".join(json.dumps(line) + "\n" for line in lines)
        self.status, self.sent = status, list[dict[str, Any]]()

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        assert str(request.url) == f"{URL}/api/chat"
        self.sent.append(json.loads(request.content))
        return httpx2.Response(self.status, content=self.said, headers={"content-type": "application/x-ndjson"})

    def model(self, **options: Any) -> Ollama:
        given = {"base_url": URL, "retries": 0, "retry": Retry(first=0.0)} | options
        return Ollama("llama3:8b", transport=httpx2.MockTransport(self), **given)


def line(text: str = "", **more: Any) -> dict[str, Any]:
    return {"model": "llama3:8b", "message": {"role": "assistant", "content": text, **more}, "done": False}


def last(prompt: Any = 9, given: Any = 2, reason: str = "stop") -> dict[str, Any]:
    done = {"done": True, "done_reason": reason, "prompt_eval_count": prompt, "eval_count": given}
    return {**line(), **done}


STREAM = (line("Hel"), line("lo"), last())


def test_a_plain_request(ask):
    fake = Fake(*STREAM)
    ask(fake.model(), HELLO)
    assert fake.sent == [
        {
            "model": "llama3:8b",
            "messages": [{"role": "user", "content": "hi"}],
            "stream": True,
            "options": {"num_ctx": 8192, "num_predict": 256, "temperature": 0.0},
            "truncate": False,
            "shift": False,
        }
    ]


def test_a_request_with_everything(ask):
    fake = Fake(line('{"a": 1}'), last())
    messages = (
        Message("assistant", "", (Call("action.add", {"title": "x"}, "c1"),)),
        Message("tool", "done", call_id="c1"),
    )
    options = Options(0.5, 7, 99, ("\n",))
    request = Request(messages, (ADD,), options, Constraint("json_schema", SCHEMA))
    ask(fake.model(num_ctx=4096, think="false", stream=False), request)
    sent = fake.sent[0]
    assert sent["messages"] == [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"function": {"name": "action__add", "arguments": {"title": "x"}}}],
        },
        {"role": "tool", "content": "done", "tool_name": "action__add"},
    ]
    assert sent["options"] == {"num_ctx": 4096, "num_predict": 99, "temperature": 0.5, "seed": 7, "stop": ["\n"]}
    assert (sent["format"], sent["think"], sent["stream"]) == (SCHEMA, False, False)
    assert sent["tools"][0]["function"]["name"] == "action__add"


def test_how_hard_to_think_can_be_a_word(ask):
    fake = Fake(*STREAM)
    ask(fake.model(think="high"), HELLO)
    assert fake.sent[0]["think"] == "high"


def test_a_streamed_reply(ask):
    pieces: list[str] = []
    fake = Fake(*STREAM)
    reply = ask(fake.model(), HELLO, pieces.append)
    assert (reply.text, pieces, reply.finish, reply.unmet) == ("Hello", ["Hel", "lo"], "stop", ())
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.truncated) == (9, 2, False)
    assert (reply.wire.request, reply.wire.reply) == (json.dumps(fake.sent[0]), fake.said)


def test_a_whole_reply(ask):
    whole = {**last(), "message": {"role": "assistant", "content": "Hello", "thinking": "hm"}}
    reply = ask(Fake(whole).model(stream=False), HELLO)
    assert (reply.text, reply.reasoning) == ("Hello", "hm")


def test_calls_come_whole_and_get_their_own_names_back(ask):
    call = {"function": {"name": "action__add", "arguments": {"title": "x"}}}
    reply = ask(Fake(line(tool_calls=[call]), line(tool_calls=[call]), last()).model(), Request(HELLO.messages, (ADD,)))
    assert reply.calls == (Call("action.add", {"title": "x"}),) * 2


def test_a_reply_that_was_cut(ask):
    assert ask(Fake(line("x"), last(reason="length")).model(), HELLO).finish == "length"


def test_an_empty_reply_is_its_own_outcome(ask):
    reply = ask(Fake(line(), last(given=40)).model(), HELLO)
    assert (reply.finish, reply.usage.output_tokens) == ("empty", 40)


def test_what_was_not_honoured_is_said(ask):
    reply = ask(Fake(*STREAM).model(), Request(HELLO.messages, options=Options(max_tokens=1)))
    assert reply.unmet == ("max_tokens: 1 asked, 2 given",)


@pytest.mark.parametrize(
    ("characters", "counted", "truncated"),
    [(4000, 1000, False), (4000, 100, True), (4000, 2048, True), (4000, 0, False), (4000, None, False)],
    ids=["as expected", "far fewer", "the window is full", "not counted", "not said"],
)
def test_a_conversation_that_was_cut_is_noticed(ask, characters, counted, truncated):
    request = Request((Message("user", "x" * characters),))
    assert ask(Fake(line("y"), last(prompt=counted)).model(num_ctx=2048), request).truncated is truncated


@pytest.mark.parametrize(
    ("fake", "expected"),
    [
        (Fake({"error": "model 'llama3:8b' not found"}, status=404), "not found; get it with: ollama pull llama3:8b"),
        (Fake({"error": "exceeds the available context size"}, status=400), r"num_ctx \(now 8192\)"),
        (Fake(line("x"), {"error": "out of memory"}), "the server says: out of memory"),
        (Fake(line("x")), "the reply ended after 1 characters and 0 calls, without saying that this was all"),
        (Fake({"choices": []}), r"no reply of Ollama's but \{'choices': \[\]\}"),
        (Fake([1]), r"no reply of Ollama's but \[1\]"),
    ],
)
def test_what_is_no_reply_is_an_error_that_says_so(ask, fake, expected):
    with pytest.raises(ModelError, match=expected):
        ask(fake.model(), HELLO)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("", "http://127.0.0.1:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        (":8000", "http://127.0.0.1:8000"),
        ("example.org", "http://example.org:11434"),
        ("example.org:80", "http://example.org:80"),
        ("http://example.org", "http://example.org:80"),
        ("https://example.org/ollama", "https://example.org:443/ollama"),
        ("[::1]:5000", "http://[::1]:5000"),
        ("[::1]", "http://[::1]:11434"),
    ],
)
def test_an_address_in_all_the_forms_that_ollama_takes(host, address):
    assert host_address(host) == address


def test_the_address_comes_from_the_environment(monkeypatch):
    monkeypatch.setenv("OLLAMA_HOST", "example.org")
    model = load_model("ollama/qwen3:8b?num_ctx=4096&think=false")
    assert isinstance(model, Ollama)
    assert (model.name, model.abilities.window) == ("ollama/qwen3:8b?num_ctx=4096&think=false", 4096)
    assert model.options == {
        "base_url": "http://example.org:11434",
        "num_ctx": 4096,
        "stream": True,
        "think": "false",
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("m?num_ctx=many", "ollama/m: num_ctx is 'many', not a whole number"),
        ("m?num_ctx=0", "num_ctx is 0; it must be above 0"),
        ("m?tool_choice=auto", "unknown option 'tool_choice'"),
    ],
)
def test_a_name_that_makes_no_sense_is_refused(name, expected):
    with pytest.raises(BadOption, match=expected):
        load_model(f"ollama/{name}")
