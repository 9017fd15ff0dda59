"""Native calls are read like those in a text: quirks of servers are forgiven and named."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fakes.replies import SPECS
from toolmend.base.messages import RAW, Call, Reply
from toolmend.grading import Expected, ExpectedCall, grade
from toolmend.grading.foreign import openai_calls
from toolmend.models.deltas import Calls
from toolmend.reading import read_native

PARIS, NOW = Call("get_weather", {"city": "Paris"}), Call("get_time", {})
A = '{"city": "Paris"}'
QUIRKS: list[tuple[str, str, Call, str]] = [
    ("get_weather", json.dumps(A), PARIS, "string_arguments"),
    ("get_weather", json.dumps(json.dumps(A)), PARIS, "string_arguments"),
    ("get_weather", "{}" + A, PARIS, "repeated"),
    ("get_weather", "{} " + A, PARIS, "repeated"),
    ("get_time", "null", NOW, "empty"),
    ("get_time", '""', NOW, "empty"),
    ("functions.get_weather", A, PARIS, "name"),
    ("get_weather<|channel|>commentary", A, PARIS, "name"),
    ("get_weather\n", A, PARIS, "name"),
    (" get_weather ", A, PARIS, "name"),
    ("functions.get_weather:0", A, PARIS, "name"),
    ("get_weather", "{'city': 'Paris'}", PARIS, "python_literal"),
    ("get_weather", '{"city": "Paris",}', PARIS, "python_literal"),
]


def _streamed(name: str, arguments: str) -> Reply:
    calls = Calls()
    calls.add({"index": 0, "id": "1", "function": {"name": name, "arguments": arguments[:3]}})
    calls.add({"index": 0, "function": {"arguments": arguments[3:]}})
    return Reply("", tuple(Call(call.tool, call.arguments) for call in calls.done()))


@pytest.mark.parametrize(("name", "arguments", "call", "leniency"), QUIRKS)
def test_a_quirk_is_forgiven_and_named(name: str, arguments: str, call: Call, leniency: str) -> None:
    reading = read_native(_streamed(name, arguments), SPECS)
    assert (reading.calls, reading.problem, leniency in reading.leniencies) == ((call,), None, True)


@pytest.mark.parametrize(("name", "arguments", "call", "leniency"), QUIRKS)
def test_an_imported_log_is_graded_alike(name: str, arguments: str, call: Call, leniency: str) -> None:
    reply = openai_calls([{"function": {"name": name, "arguments": arguments}}])
    graded = grade(reply, Expected((ExpectedCall(call.tool, dict(call.arguments)),)), SPECS)
    assert (graded.correct, leniency in graded.leniencies) == (True, True)


@pytest.mark.parametrize(
    "arguments", ['{"city": "Par', '{"city": "Paris"', "Paris", "[1, 2", '{"city": "Paris"} and', "7"]
)
def test_what_is_cut_stays_as_it_came(arguments: str) -> None:
    reading = read_native(_streamed("get_weather", arguments), SPECS)
    assert reading.problem == "syntax"
    assert reading.calls[0].arguments == {RAW: arguments}


def test_clean_calls_have_no_leniency() -> None:
    reading = read_native(Reply("Look.", (PARIS,)), SPECS)
    assert (reading.calls, reading.rest, reading.leniencies, reading.problem) == ((PARIS,), "Look.", (), None)


def test_thoughts_in_the_content_are_no_words() -> None:
    assert read_native(Reply("<think>Rome?</think>\nLook.", (PARIS,)), SPECS).rest == "Look."


def _piece(name: str | None = None, arguments: Any = None, **more: Any) -> dict[str, Any]:
    return {"function": {"name": name, "arguments": arguments}, **more}


FRAGMENTS = [
    [_piece("get_weather", "", index=0, id="a"), _piece(None, A, index=1)],
    [_piece("get_weather", '{"city"', index=0, id="a"), _piece(None, ': "Paris"}', index=1)],
    [_piece("get_weather", None, index=0, id="a"), _piece(None, A, index=1, id="b")],
    [_piece("get_weather", '{"city"', index=0, id="a"), _piece(None, ': "Paris"}')],
    [_piece("get_weather", '{"city"', id="a"), _piece(None, ': "Par', index=3), _piece(None, 'is"}', index=4)],
]


@pytest.mark.parametrize("pieces", FRAGMENTS)
def test_pieces_under_other_numbers_are_joined(pieces: list[Any]) -> None:
    calls = Calls()
    for piece in pieces:
        calls.add(piece)
    assert [(call.tool, call.arguments) for call in calls.done()] == [("get_weather", {"city": "Paris"})]


def test_heads_first_and_tails_after_under_other_numbers() -> None:
    calls = Calls()
    for piece in [
        _piece("get_weather", None, index=0, id="a"),
        _piece("get_weather", None, index=1, id="b"),
        _piece(None, A, index=2),
        _piece(None, '{"city": "Rome"}', index=3),
    ]:
        calls.add(piece)
    assert [call.arguments["city"] for call in calls.done()] == ["Paris", "Rome"]
    assert list(calls.quirks) == ["tool_calls: a piece under another number was joined to its call"]
