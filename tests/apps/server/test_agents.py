"""Agent libraries, unmodified, against a server on loopback: pydantic-ai and langchain-openai, loops of calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from chatting import listening
from toolmend.messages import Call, Reply, Request

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


def test_pydantic_ai(url: str) -> None:
    pytest.importorskip("pydantic_ai")
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(base_url=url, api_key="none")
    asked: list[str] = []

    def get_weather(city: str) -> str:
        """The weather."""
        asked.append(city)
        return "sunny"

    for kind in (OpenAIChatModel, OpenAIResponsesModel):
        asked.clear()
        agent = Agent(kind("canned/native", provider=provider), tools=[get_weather])
        assert agent.run_sync("The weather everywhere?").output == "All is well."
        assert tuple(asked) == CITIES


def test_pydantic_ai_corrects_the_embedded_model(url: str) -> None:
    pytest.importorskip("pydantic_ai")
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    made: list[str] = []
    model = OpenAIChatModel("builtin/small", provider=OpenAIProvider(base_url=url, api_key="none"))
    agent = Agent(model, tools=[calendar(made)])
    history: list[Any] = []
    for said in (FRED, "It should be at 6PM", "No, at 7PM"):
        history = agent.run_sync(said, message_history=history).all_messages()
    assert made == ["17:00", "18:00", "19:00"]


def test_langchain(url: str) -> None:
    pytest.importorskip("langchain_openai")
    from langchain_core.messages import HumanMessage, ToolMessage
    from langchain_core.tools import tool
    from langchain_openai import ChatOpenAI

    @tool
    def get_weather(city: str) -> str:
        """The weather."""
        return f"sunny in {city}"

    for responses in (False, True):
        chat = ChatOpenAI(model="canned/native", base_url=url, api_key="none", use_responses_api=responses)
        messages: list[Any] = [HumanMessage("The weather everywhere?")]
        asked: list[str] = []
        for _ in range(8):
            answer = chat.bind_tools([get_weather]).invoke(messages)
            messages.append(answer)
            for call in answer.tool_calls:
                asked.append(call["args"]["city"])
                messages.append(ToolMessage(get_weather.invoke(call["args"]), tool_call_id=call["id"]))
            if not answer.tool_calls:
                break
        assert tuple(asked) == CITIES
        assert answer.text == "All is well."


def test_langchain_corrects_the_embedded_model(url: str) -> None:
    pytest.importorskip("langchain_openai")
    from langchain_core.messages import HumanMessage, ToolMessage
    from langchain_core.tools import tool
    from langchain_openai import ChatOpenAI

    made: list[str] = []
    bound = ChatOpenAI(model="builtin/small", base_url=url, api_key="none").bind_tools([tool(calendar(made))])
    messages: list[Any] = []
    for said in (FRED, "It should be at 6PM", "No, at 7PM"):
        messages.append(HumanMessage(said))
        answer = bound.invoke(messages)
        [call] = answer.tool_calls
        made.append(call["args"]["time"])
        messages += [answer, ToolMessage("entry", tool_call_id=call["id"])]
    assert made == ["17:00", "18:00", "19:00"]
