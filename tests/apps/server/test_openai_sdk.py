"""The official `openai` Python SDK, unmodified, against a server on loopback: tools, streams, parsing, errors."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator
from typing import Any

import pytest

from chatting import CALENDAR, WEATHER, by_prompt, listening
from toolmend.base.messages import Call, Reply, Request

openai = pytest.importorskip("openai")
uvicorn = pytest.importorskip("uvicorn")

CITIES = ("Rome", "Paris", "Oslo", "Bern")


def city_by_city(request: Request) -> Reply:
    """A native model that asks for one city after the other, then sums up."""
    done = sum(message.role == "tool" for message in request.messages)
    if done == len(CITIES):
        return Reply("All four are sunny.")
    return Reply("", (Call("get_weather", {"city": CITIES[done]}),))


def step_by_step(request: Request) -> str:
    """The same for react."""
    done = sum(message.content.startswith("Observation:") for message in request.messages)
    if done == len(CITIES):
        return "Thought: enough.\nFinal Answer: All four are sunny."
    return f'Thought: next.\nAction: get_weather\nAction Input: {{"city": "{CITIES[done]}"}}'


def loop(client: Any, model: str, *, stream: bool = False) -> tuple[list[str], str]:
    """A tool loop as people write it; the cities that were asked for, and the last words."""
    messages: list[Any] = [{"role": "user", "content": "Rome, Paris, Oslo, Bern?"}]
    asked: list[str] = []
    for _ in range(10):
        if stream:
            with client.chat.completions.stream(model=model, messages=messages, tools=[WEATHER]) as events:
                message = events.get_final_completion().choices[0].message
        else:
            message = client.chat.completions.create(model=model, messages=messages, tools=[WEATHER]).choices[0].message
        if not message.tool_calls:
            return asked, message.content
        messages.append(message)
        for call in message.tool_calls:
            asked.append(json.loads(call.function.arguments)["city"])
            messages.append({"role": "tool", "tool_call_id": call.id, "content": f"{asked[-1]}: sunny"})
    raise AssertionError("the loop does not end")


@pytest.fixture
def connect(serve: Any) -> Iterator[Any]:
    """Makes a client of a server whose models say what the script says."""
    with contextlib.ExitStack() as stack:

        def made(script: Any = ("Hello.",), client: Any = openai.OpenAI, **settings: Any) -> Any:
            url = stack.enter_context(listening(serve(script, **settings).app))
            found = client(base_url=url, api_key="none", max_retries=0)
            return stack.enter_context(found) if client is openai.OpenAI else found

        yield made


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(("model", "script"), [("canned/native", city_by_city), ("react:canned/text", step_by_step)])
def test_a_loop_of_four_calls(connect: Any, model: str, script: Any, stream: bool) -> None:
    assert loop(connect(script), model, stream=stream) == (list(CITIES), "All four are sunny.")


def test_a_loop_with_freyr_makes_its_calls_at_once(connect: Any) -> None:
    script = by_prompt(intent=", ".join(["get_weather"] * 3), params="- city: Rome", summary="Sunny, three times.")
    assert loop(connect(script), "freyr:canned/text") == (["Rome"] * 3, "Sunny, three times.")


def test_a_dialogue_of_three_calls_with_the_embedded_model(connect: Any) -> None:
    client, messages, calls = connect(), list[Any](), list[Any]()
    for said in (
        "Add a meeting with Fred on Nov 11 2024 at 5PM",
        "It should be at 6PM",
        "Remove the meeting with Fred",
    ):
        messages.append({"role": "user", "content": said})
        for _ in range(2):
            asked = client.chat.completions.create(model="builtin/small", messages=messages, tools=CALENDAR)
            message = asked.choices[0].message
            messages.append(message)
            for call in message.tool_calls or ():
                calls.append((call.function.name, json.loads(call.function.arguments)["time"]))
                messages.append({"role": "tool", "tool_call_id": call.id, "content": "done"})
    assert calls == [
        ("add_calendar_entry", "17:00"),
        ("add_calendar_entry", "18:00"),
        ("remove_calendar_entry", "18:00"),
    ]


def test_async_streams(connect: Any) -> None:
    async def main() -> str:
        async with connect(["One two three."], openai.AsyncOpenAI) as client:
            messages = [{"role": "user", "content": "Hi"}]
            stream = await client.chat.completions.create(model="canned/text", messages=messages, stream=True)
            return "".join([chunk.choices[0].delta.content or "" async for chunk in stream])

    assert asyncio.run(main()) == "One two three."


def test_the_parse_helper_reads_what_a_type_demands(connect: Any) -> None:
    import pydantic

    class City(pydantic.BaseModel):
        city: str
        people: int

    client = connect(['{"city": "Rome", "people": 2748109}'])
    done = client.chat.completions.parse(
        model="canned/text", messages=[{"role": "user", "content": "A city"}], response_format=City
    )
    assert done.choices[0].message.parsed == City(city="Rome", people=2748109)


def test_models_are_listed(connect: Any) -> None:
    client = connect()
    names = [model.id for model in client.models.list()]
    assert {"builtin/small", "auto:builtin/small", "freyr:canned/text", "native:canned/native"} <= set(names)
    assert "native:canned/text" not in names
    assert client.models.retrieve("freyr:canned/text").id == "freyr:canned/text"


def test_errors_are_the_sdks_own(connect: Any) -> None:
    client, messages = connect(), [{"role": "user", "content": "Hi"}]
    with pytest.raises(openai.NotFoundError) as missing:
        client.chat.completions.create(model="gpt-4o", messages=messages)
    assert missing.value.code == "model_not_found"
    with pytest.raises(openai.BadRequestError) as wrong:
        client.chat.completions.create(model="canned/text", messages=messages, temperature=9)
    assert wrong.value.param == "temperature"
