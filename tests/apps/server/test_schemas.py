"""Schemas of clients: within one budget, and looked at beside the event loop."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import anyio
import httpx2
import pytest

from base.test_schemas import bomb, tower
from chatting import function, user
from toolmend.base import schemas

HI = [user("Hi")]


def formatted(schema: Any) -> dict[str, Any]:
    """A request for an answer of this schema."""
    given = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
    return {"model": "canned/text", "messages": HI, "response_format": given}


@pytest.mark.parametrize("key", ["allOf", "anyOf", "oneOf"])
def test_a_schema_that_is_beyond_the_budget_is_refused(serve: Any, key: str) -> None:
    tools = [{"type": "function", "function": {"name": "f", "parameters": bomb(key)}}]
    asked = {"model": "native:canned/native", "messages": HI, "tools": tools}
    assert serve().error(asked) == (400, "invalid_function_parameters", "tools[0].function.parameters")
    assert serve().error(formatted(bomb(key)))[::2] == (400, "response_format.json_schema.schema")


def test_all_schemas_of_a_request_have_one_budget(serve: Any) -> None:
    tools = [function(f"f{n}", a={"enum": [[]] * 2_000}) for n in range(5)]
    asked = {"model": "native:canned/native", "messages": HI, "tools": tools}
    assert serve().error(asked) == (400, "invalid_function_parameters", "tools")


def test_an_answer_that_makes_a_small_schema_dear_is_given_up(serve: Any) -> None:
    answer = '{"x": ' + '{"p": ' * 26 + "{}" + "}" * 27
    assert serve([answer]).error(formatted(tower())) == (502, "response_format_not_honoured", None)


@pytest.mark.parametrize("held", ["check", "errors"])
@pytest.mark.parametrize("what", ["a tool", "an answer"])
def test_the_server_answers_while_a_schema_is_looked_at(
    serve: Any, monkeypatch: pytest.MonkeyPatch, held: str, what: str
) -> None:
    begun, answered = threading.Event(), threading.Event()
    real: Callable[..., Any] = getattr(schemas, held)
    waited: list[bool] = []

    def slow(*args: Any) -> Any:
        begun.set()
        waited.append(answered.wait(10))
        return real(*args)

    monkeypatch.setattr(schemas, held, slow)
    schema = {"type": "object", "properties": {"x": {"title": f"{held} {what}", "anyOf": [{"type": "integer"}]}}}
    tools = [{"type": "function", "function": {"name": "f", "parameters": schema}}]
    asked = {"model": "react:canned/text", "messages": HI, "tools": tools}
    api = serve(['Action: f\nAction Input: {"x": 1}' if what == "a tool" else "{}"])

    async def both() -> None:
        transport = httpx2.ASGITransport(api.app)
        async with (
            httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client,
            anyio.create_task_group() as group,
        ):
            body = asked if what == "a tool" else formatted(schema)
            group.start_soon(lambda: client.post("/v1/chat/completions", json=body))
            while not begun.is_set():
                await anyio.lowlevel.checkpoint()
            assert (await client.get("/healthz")).status_code == 200
            answered.set()

    anyio.run(both)
    assert waited[0]
