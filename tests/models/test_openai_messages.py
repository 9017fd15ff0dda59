"""Requests in the words of OpenAI's chat completions: names, messages, schemas."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.base.messages import Call, Constraint, Message, ToolSpec
from toolmend.models.openai_messages import (
    WireNames,
    as_is,
    choice_of,
    dialect_of,
    format_of,
    gemini,
    messages_of,
    names_of,
    strict,
    tools_of,
    wire_id,
)

ADD = ToolSpec("add", "Add an entry.", {"type": "object", "properties": {"title": {"type": "string"}}}, "action")


@given(st.lists(st.text(min_size=1), unique=True, max_size=8))
def test_names_are_legal_and_reversible(names):
    wire = WireNames(names)
    sent = [wire.sent(name) for name in names]
    assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", name) for name in sent)
    assert [wire.own(name) for name in sent] == names


@pytest.mark.parametrize(
    ("name", "sent"),
    [("add", "add"), ("action.add", "action__add"), ("größe", "gr__e"), ("2nd", "_2nd"), ("x" * 80, "x" * 64)],
)
def test_a_name_as_it_is_sent(name, sent):
    assert WireNames([name]).sent(name) == sent


def test_names_that_would_be_the_same_differ():
    assert [WireNames(["a.b", "a__b"]).sent(name) for name in ("a.b", "a__b")] == ["a__b", "a__b_2"]


def test_a_name_that_was_never_sent_stays():
    assert WireNames(["a.b"]).own("made_up:") == "made_up:"


def test_calls_with_results_are_calls():
    messages = (
        Message("user", "hi"),
        Message("assistant", "", (Call("action.add", {"title": "Zoë"}, "c1"),)),
        Message("tool", "done", call_id="c1"),
    )
    function = {"name": "action__add", "arguments": '{"title": "Zoë"}'}
    assert messages_of(messages, names_of(messages, ())) == [
        {"role": "user", "content": "hi"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c00000001", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": "c00000001", "content": "done"},
    ]


def test_calls_without_results_stand_in_the_text_only():
    messages = (Message("assistant", "action.add('x')", (Call("action.add", {"title": "x"}, "c1"),)),)
    assert messages_of(messages, names_of(messages, ())) == [{"role": "assistant", "content": "action.add('x')"}]


@pytest.mark.parametrize(
    ("call_id", "sent"), [("c1", "c00000001"), ("c10", "c00000010"), ("call_Ab3", "call_Ab3"), ("", "")]
)
def test_ids_are_of_nine_letters_and_digits(call_id, sent):
    assert wire_id(call_id) == sent


def test_tools_are_functions():
    function = {"name": "action__add", "description": "Add an entry.", "parameters": ADD.parameters}
    assert tools_of((ADD,), names_of((), (ADD,)), as_is) == [{"type": "function", "function": function}]


@pytest.mark.parametrize(
    ("choice", "sent"),
    [
        ("auto", "auto"),
        ("required", "required"),
        ("action.add", {"type": "function", "function": {"name": "action__add"}}),
    ],
)
def test_a_choice_is_a_word_or_a_tool(choice, sent):
    assert choice_of(choice, names_of((), (ADD,))) == sent


CLOSED = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (CLOSED, True),
        ({"type": "string"}, True),
        ({**CLOSED, "required": []}, False),
        ({**CLOSED, "additionalProperties": True}, False),
        ({"type": "array", "items": ADD.parameters}, False),
    ],
)
def test_a_schema_is_strict_where_it_leaves_nothing_open(schema, expected):
    assert strict(schema) is expected
    assert format_of(Constraint("json_schema", schema), as_is)["json_schema"]["strict"] is expected


def test_gemini_gets_no_word_it_refuses():
    schema = {
        "$schema": "x",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "title": {"type": "string", "const": "x"},
            "const": {"type": "string", "format": "date"},
            "at": {"type": "string", "format": "date-time"},
            "who": {"$ref": "#/$defs/Person", "description": "whom"},
            "all": {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/Person"}, {"type": "null"}]}},
        },
        "required": ["title"],
        "$defs": {"Person": {"type": "object", "title": "Person", "properties": {"name": {"type": "string"}}}},
    }
    person = {"type": "object", "properties": {"name": {"type": "string"}}}
    assert gemini(schema) == {
        "type": "object",
        "properties": {
            "title": {"type": "string", "enum": ["x"]},
            "const": {"type": "string"},
            "at": {"type": "string", "format": "date-time"},
            "who": {**person, "description": "whom"},
            "all": {"type": "array", "items": {"anyOf": [person, {"type": "null"}]}},
        },
        "required": ["title"],
    }


def test_a_schema_that_holds_itself_comes_to_an_end():
    schema = {"$ref": "#/$defs/T", "$defs": {"T": {"type": "object", "properties": {"next": {"$ref": "#/$defs/T"}}}}}
    assert "$ref" not in str(gemini(schema))


def test_the_dialect_is_the_hosts():
    assert dialect_of("generativelanguage.googleapis.com") is gemini
    assert dialect_of("api.openai.com") is as_is
