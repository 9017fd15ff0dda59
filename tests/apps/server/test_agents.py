"""Agent libraries, unmodified, against a server on loopback: pydantic-ai and langchain-openai, loops of calls.

Neither closes what it opens, so each is given a client that the test closes.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import anyio
import httpx2
import pytest

from chatting import listening
from toolmend.base.messages import Call, Reply, Request

CITIES = ("Rome", "Paris", "Oslo")
FRED = "Add a meeting with Fred on Nov 11 2024 at 5PM"


def one_by_one(request: Request) -> Reply:
    """A city after the other, then words."""
    done = sum(message.role == "tool" for message in request.messages)
    return Reply("All is well.") if done >= len(CITIES) else Reply("", (Call("get_weather", {"city": CITIES[done]}),))


@pytest.fixture
def url(serve: Any) -> Iterator[str]:
    """A server with a model that asks for the weather, and the embedded ones."""
    with listening(serve(one_by_one).app) as found:
        yield found


def calendar(made: list[str]) -> Any:
    """The calendar's first tool as a plain function."""

    def add_calendar_entry(title: str, date: str, time: str, duration: int = 30) -> str:
        """Add an entry."""
        made.append(time)
        return f"entry {len(made)}"

    return add_calendar_entry


def provided(url: str, work: Callable[[Any], Awaitable[None]]) -> None:
    """What pydantic-ai does with a provider for this server, in a loop and with a client that end with it."""
    pytest.importorskip("pydantic_ai")
    openai = pytest.importorskip("openai")
    from pydantic_ai.providers.openai import OpenAIProvider

    async def run() -> None:
        async with openai.AsyncOpenAI(base_url=url, api_key="none") as client:
            await work(OpenAIProvider(openai_client=client))

    anyio.run(run)


def test_pydantic_ai(url: str) -> None:
    async def work(provider: Any) -> None:
        from pydantic_ai import Agent
        from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel

        asked: list[str] = []

        def get_weather(city: str) -> str:
            """The weather."""
            asked.append(city)
            return "sunny"

        for kind in (OpenAIChatModel, OpenAIResponsesModel):
            asked.clear()
            agent = Agent(kind("canned/native", provider=provider), tools=[get_weather])
            assert (await agent.run("The weather everywhere?")).output == "All is well."
            assert tuple(asked) == CITIES

    provided(url, work)


def test_pydantic_ai_corrects_the_embedded_model(url: str) -> None:
    async def work(provider: Any) -> None:
        from pydantic_ai import Agent
        from pydantic_ai.models.openai import OpenAIChatModel

        made: list[str] = []
        agent = Agent(OpenAIChatModel("builtin/small", provider=provider), tools=[calendar(made)])
        history: list[Any] = []
        for said in (FRED, "It should be at 6PM", "No, at 7PM"):
            history = (await agent.run(said, message_history=history)).all_messages()
        assert made == ["17:00", "18:00", "19:00"]

    provided(url, work)


@pytest.fixture
def chat(url: str) -> Iterator[Callable[..., Any]]:
    """Makes chat models of langchain for this server."""
    langchain = pytest.importorskip("langchain_openai")
    with httpx2.Client() as http:
        yield lambda model, **about: langchain.ChatOpenAI(
            model=model, base_url=url, api_key="none", http_client=http, **about
        )


@pytest.mark.parametrize("responses", [False, True])
def test_langchain(chat: Any, responses: bool) -> None:
    from langchain_core.messages import HumanMessage, ToolMessage
    from langchain_core.tools import tool

    @tool
    def get_weather(city: str) -> str:
        """The weather."""
        return f"sunny in {city}"

    bound = chat("canned/native", use_responses_api=responses).bind_tools([get_weather])
    messages: list[Any] = [HumanMessage("The weather everywhere?")]
    asked: list[str] = []
    while (answer := bound.invoke(messages)).tool_calls:
        messages.append(answer)
        for call in answer.tool_calls:
            asked.append(call["args"]["city"])
            messages.append(ToolMessage(get_weather.invoke(call["args"]), tool_call_id=call["id"]))
    assert tuple(asked) == CITIES
    assert answer.text == "All is well."


def test_langchain_corrects_the_embedded_model(chat: Any) -> None:
    from langchain_core.messages import HumanMessage, ToolMessage
    from langchain_core.tools import tool

    made: list[str] = []
    bound = chat("builtin/small").bind_tools([tool(calendar(made))])
    messages: list[Any] = []
    for said in (FRED, "It should be at 6PM", "No, at 7PM"):
        messages.append(HumanMessage(said))
        answer = bound.invoke(messages)
        [call] = answer.tool_calls
        made.append(call["args"]["time"])
        messages += [answer, ToolMessage("entry", tool_call_id=call["id"])]
    assert made == ["17:00", "18:00", "19:00"]
