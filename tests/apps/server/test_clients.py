"""Real clients, unmodified, against a server with each format behind it: the calls they hear, whole and in a stream."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import anyio
import httpx2
import pytest

from chatting import listening
from fakes.replies import REPLIES, SPECS
from toolmend.base.messages import Reply, Request, Usage

TOOLS = [{"type": "function", "function": {"name": spec.name, "parameters": dict(spec.parameters)}} for spec in SPECS]
FAMILIES = {family: (text, [(c.tool, dict(c.arguments)) for c in calls]) for family, text, calls, _ in REPLIES}


def by_family(request: Request) -> Reply:
    """What the family that the person names says; words once there is a result."""
    if request.messages[-1].role == "tool":
        return Reply("<think>good</think>\nAll is well.")
    said = next(message.content for message in request.messages if message.role == "user")
    return Reply(FAMILIES[said][0], usage=Usage(3, 5))


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """One server for all tests of this file."""
    pytest.importorskip("uvicorn")
    from toolmend import registry
    from toolmend.apps.server.app import create_app
    from toolmend.apps.server.settings import ServerSettings
    from toolmend.models.scripted import Scripted

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(registry.models._table, "canned", {"native": Scripted(by_family, "canned/native")}.__getitem__)
        with listening(create_app(ServerSettings(models=("canned/native",)))) as found:
            yield found


def _made(calls: Any) -> list[tuple[str, Any]]:
    return [(call.function.name, json.loads(call.function.arguments)) for call in calls]


@pytest.mark.parametrize("family", FAMILIES)
def test_openai(url: str, family: str) -> None:
    openai = pytest.importorskip("openai")
    asked: dict[str, Any] = {
        "model": "canned/native",
        "messages": [{"role": "user", "content": family}],
        "tools": TOOLS,
    }
    with openai.OpenAI(base_url=url, api_key="none") as client:
        whole = client.chat.completions.create(**asked)
        with client.chat.completions.stream(**asked, stream_options={"include_usage": True}) as events:
            streamed = events.get_final_completion()
    for found in (whole, streamed):
        assert _made(found.choices[0].message.tool_calls) == FAMILIES[family][1]
        assert not found.choices[0].message.content
        assert found.usage.completion_tokens > 0


def test_openai_strict_and_named(url: str) -> None:
    openai = pytest.importorskip("openai")
    strict = [{"type": "function", "function": {**TOOLS[0]["function"], "strict": False}}]
    named = {"type": "function", "function": {"name": "get_weather"}}
    with openai.OpenAI(base_url=url, api_key="none") as client:
        for choice in ("auto", "required", named):
            found = client.chat.completions.create(
                model="canned/native", messages=[{"role": "user", "content": "kimi"}], tools=strict, tool_choice=choice
            )
            assert _made(found.choices[0].message.tool_calls) == FAMILIES["kimi"][1]


@pytest.mark.parametrize("family", FAMILIES)
def test_langchain(url: str, family: str) -> None:
    pytest.importorskip("langchain_openai")
    from langchain_openai import ChatOpenAI

    with httpx2.Client() as http:
        model = ChatOpenAI(model="canned/native", base_url=url, api_key="none", http_client=http).bind_tools(TOOLS)
        whole = model.invoke(family)
        pieces = list(model.stream(family))
    streamed = pieces[0]
    for piece in pieces[1:]:
        streamed = streamed + piece
    for found in (whole, streamed):
        assert [(call["name"], call["args"]) for call in found.tool_calls] == FAMILIES[family][1]
        assert found.invalid_tool_calls == []


@pytest.mark.parametrize("family", FAMILIES)
def test_pydantic_ai(url: str, family: str) -> None:
    pytest.importorskip("pydantic_ai")
    openai = pytest.importorskip("openai")
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.tools import Tool

    heard: list[tuple[str, Any]] = []

    def tool(spec: Any) -> Any:
        async def run(**given: Any) -> str:
            heard.append((spec.name, given))
            return "sunny"

        return Tool.from_schema(run, spec.name, "a tool", dict(spec.parameters))

    async def work() -> None:
        async with openai.AsyncOpenAI(base_url=url, api_key="none") as client:
            model = OpenAIChatModel("canned/native", provider=OpenAIProvider(openai_client=client))
            agent = Agent(model, tools=[tool(spec) for spec in SPECS])
            assert (await agent.run(family)).output == "All is well."

    anyio.run(work)
    assert sorted(heard, key=repr) == sorted(FAMILIES[family][1], key=repr)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.filterwarnings("ignore")
def test_litellm(url: str, family: str) -> None:
    litellm = pytest.importorskip("litellm")
    asked: dict[str, Any] = {"messages": [{"role": "user", "content": family}], "tools": TOOLS, "api_base": url}
    whole = litellm.completion(model="openai/canned/native", api_key="none", **asked)
    pieces = list(litellm.completion(model="openai/canned/native", api_key="none", stream=True, **asked))
    streamed = litellm.stream_chunk_builder(pieces)
    for found in (whole, streamed):
        assert _made(found.choices[0].message.tool_calls) == FAMILIES[family][1]
