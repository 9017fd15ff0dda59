"""Verdicts of the probe, on a fake server that honours and on one that does not, and on models that fail."""

from __future__ import annotations

import anyio
import pytest

from fakes import FakeServer, Received
from toolmend.base.errors import ModelError
from toolmend.base.messages import Call, Reply, Usage
from toolmend.models.openai_compat import OpenAICompatible
from toolmend.models.probe import PROBES, ProbeResult, probe
from toolmend.models.scripted import Scripted

COUNT = "1, 2, 3, 4, 5, 6, 7, 8, 9"
NAMES = ["a plain reply", *PROBES]


def obliging(received: Received) -> Reply | str:
    """What a server says that honours everything."""
    body = received.body
    said = body["messages"][-1]["content"]
    if body["messages"][0]["role"] == "system":
        return "Pineapple."
    if body.get("tools"):
        name = body["tools"][0]["function"]["name"]
        return Reply("", (Call(name, {"city": "Paris"}, "x"),), usage=Usage(9, 5))
    if "response_format" in body:
        return '{"city": "Paris", "inhabitants": 2}'
    if "1 to 9" in said:
        return COUNT.partition((body.get("stop") or ["#"])[0])[0]
    if "fifty" in said:
        return "one two three four five six seven eight nine ten"
    return f"Seed {body.get('seed')}."


def verdicts(script, **options) -> dict[str, str]:
    async def main() -> tuple[ProbeResult, ...]:
        async with FakeServer(script) as server:
            return await probe(OpenAICompatible("fake", base_url=f"{server.url}/v1", **options))

    return {finding.asked: finding.verdict for finding in anyio.run(main)}


def test_a_server_that_honours_everything():
    assert verdicts(obliging) == dict.fromkeys(NAMES, "honoured")


def test_a_server_that_says_the_same_whatever_is_asked():
    found = verdicts(lambda received: COUNT)
    assert found == {
        "a plain reply": "honoured",
        "a system text": "ignored",
        "native tools": "ignored",
        "tool_choice: required": "ignored",
        "a JSON schema": "ignored",
        "a stop sequence": "ignored",
        "max_tokens: 8": "honoured",
        "a seed": "unclear",
        "streaming": "honoured",
        "usage in the stream": "honoured",
    }


def test_what_fails_is_a_finding_and_the_others_go_on():
    def reply(request):
        if request.tools:
            raise ModelError("canned: HTTP 400: no tools here")
        if request.constraint:
            raise KeyError("a fault")
        return COUNT

    found = {finding.asked: finding for finding in anyio.run(probe, Scripted(reply, "canned"))}
    assert found["native tools"] == ProbeResult("native tools", "refused", "HTTP 400: no tools here")
    assert found["a JSON schema"] == ProbeResult("a JSON schema", "unclear", "KeyError: 'a fault'")
    assert found["tool_choice: required"].evidence == "this kind of model has no such option"
    assert list(found) == NAMES


@pytest.mark.parametrize(("said", "verdict"), [("", "unclear"), ("down", "unclear"), ("HTTP 500", "refused")])
def test_without_a_plain_reply_nothing_more_is_tried(said, verdict):
    def reply(request):
        if said:
            raise ModelError(f"canned: {said}")
        return said

    model = Scripted(reply, "canned")
    first, *others = anyio.run(probe, model)
    assert first.verdict == verdict
    assert {finding.evidence for finding in others} == {"not tried: no plain reply"}
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    ("reply", "evidence"),
    [
        (Reply("", (Call("weather.look_up", {"city": "Paris"}),)), "native calls, which the server reads"),
        ('<tool_call>\n{"name": "look_up", "arguments": {"city": "Paris"}}\n</tool_call>', "hermes, in its text"),
        ("<tool_call>look_up\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n</tool_call>", "glm, in its text"),
        ('[TOOL_CALLS]look_up[ARGS]{"city": "Paris"}', "mistral, in its text"),
        ('{"name": "look_up", "arguments": {"city": "Paris"}}', "JSON, in its text"),
        ('look_up(city="Paris")', "Python, in its text"),
        ("It is sunny.", "no call was read"),
    ],
)
def test_the_format_of_calls_is_told(reply: Reply | str, evidence: str) -> None:
    from toolmend.reading.tags import spoken_format

    model = Scripted(lambda request: reply if "weather" in request.messages[-1].content else "Hello.")
    findings = anyio.run(probe, model, spoken_format)
    assert findings[-1].asked == "the format of its calls"
    assert findings[-1].evidence.startswith(evidence)


def test_how_the_format_was_told_is_said() -> None:
    from toolmend.reading.tags import spoken_format

    def script(request):
        told = request.messages[0].role == "system" and "look_up" in request.messages[0].content
        return 'look_up(city="Paris")' if told else "Hello."

    assert (
        anyio.run(probe, Scripted(script), spoken_format)[-1].evidence == "Python, in its text; told by a system text"
    )
