"""`tool_choice` and `parallel_tool_calls`: kept to, or an error; never a reply of another kind."""

from __future__ import annotations

from typing import Any

import pytest

from chatting import ENEMY, WEATHER, calls_of, user
from toolmend.base.messages import Call, Constraint, Reply, Request

ASKED = user("Hello there")
NAMED = {"type": "function", "function": {"name": "add_enemy"}}
JSON = '{"calls": [{"tool": "add_enemy", "arguments": {"name": "Orc", "hp": 5}}]}'


def only_when_constrained(request: Request) -> str:
    """Words, unless the engine is told to write calls."""
    return JSON if request.constraint else "Good day."


def test_none_calls_nothing(serve: Any) -> None:
    api = serve([Reply("Hello.", (Call("add_enemy", {"name": "Orc", "hp": 5}),))])
    message = api.message("canned/native", ASKED, tools=[ENEMY], tool_choice="none")
    assert message == {"role": "assistant", "content": "Hello.", "refusal": None}
    assert api.native.requests[0].tools == ()


@pytest.mark.parametrize("model", ["canned/native", "freyr:canned/text", "react:canned/text", "oneline:canned/text"])
@pytest.mark.parametrize("choice", ["required", NAMED], ids=["required", "named"])
def test_a_call_that_is_demanded_comes(serve: Any, model: str, choice: Any) -> None:
    message = serve(only_when_constrained).message(model, ASKED, tools=[ENEMY, WEATHER], tool_choice=choice)
    assert calls_of(message) == [("add_enemy", {"name": "Orc", "hp": 5})]


def test_a_demanded_call_is_asked_for_with_a_constraint(serve: Any) -> None:
    api = serve(only_when_constrained)
    api.message("freyr:canned/text", ASKED, tools=[ENEMY, WEATHER], tool_choice=NAMED)
    constraint = api.text.requests[-1].constraint
    assert isinstance(constraint, Constraint)
    assert constraint.value["properties"]["calls"]["items"]["properties"]["tool"] == {
        "type": "string",
        "enum": ["add_enemy"],
    }


@pytest.mark.parametrize("model", ["canned/native", "freyr:canned/text", "react:canned/text", "oneline:canned/text"])
@pytest.mark.parametrize("stream", [False, True])
def test_words_where_a_call_is_demanded_are_an_error(serve: Any, model: str, stream: bool) -> None:
    body = {"model": model, "messages": [ASKED], "tools": [ENEMY], "tool_choice": "required", "stream": stream}
    assert serve(["Good day."]).error(body) == (502, "tool_choice_not_honoured", None)


def test_another_tool_than_the_named_one_is_no_answer(serve: Any) -> None:
    api = serve([Reply("", (Call("get_weather", {"city": "Rome"}),))])
    body = {"model": "canned/native", "messages": [ASKED], "tools": [ENEMY, WEATHER], "tool_choice": NAMED}
    assert api.error(body) == (502, "tool_choice_not_honoured", None)


def test_one_call_at_a_time(serve: Any) -> None:
    calls = (Call("get_weather", {"city": "Rome"}), Call("get_weather", {"city": "Paris"}))
    api = serve([Reply("", calls)])
    asked = {"tools": [WEATHER], "parallel_tool_calls": False}
    assert calls_of(api.message("canned/native", ASKED, **asked)) == [("get_weather", {"city": "Rome"})]
    assert len(calls_of(api.message("canned/native", ASKED, tools=[WEATHER]))) == 2


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"tool_choice": "required"}, "tool_choice"),
        ({"tools": [ENEMY], "tool_choice": "always"}, "tool_choice"),
        ({"tools": [ENEMY], "tool_choice": {"type": "function"}}, "tool_choice.function.name"),
        ({"tools": [ENEMY], "tool_choice": {"type": "function", "function": {"name": "fly"}}}, "tool_choice"),
        (
            {"tools": [ENEMY], "tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "auto"}}},
            "tool_choice",
        ),
    ],
)
def test_a_choice_that_makes_no_sense_is_refused(serve: Any, fields: dict[str, Any], param: str) -> None:
    status, _, found = serve().error({"model": "canned/native", "messages": [ASKED], **fields})
    assert (status, found) == (400, param)
