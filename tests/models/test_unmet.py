"""What was asked for and visibly not honoured."""

import pytest

from toolmend.base.messages import Call, Constraint, Message, Options, Request, ToolSpec, Usage
from toolmend.models.unmet import unmet

SAY = (Message("user", "hi"),)
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
ADD = Call("add", {})


def lines(text: str = "", calls: tuple[Call, ...] = (), usage: Usage = Usage(), choice: str = "", **request: object):
    return unmet(Request(SAY, **request), text, calls, usage, tool_choice=choice)


def test_a_reply_as_it_was_asked_for_has_none():
    assert lines("fine", usage=Usage(1, 8), options=Options(max_tokens=8, stop=(",",))) == ()


def test_more_tokens_than_asked():
    assert lines(usage=Usage(1, 16), options=Options(max_tokens=8)) == ("max_tokens: 8 asked, 16 given",)


def test_a_stop_sequence_that_did_not_stop():
    assert lines("a, b", options=Options(stop=(",", ";"))) == ("stop: ',' asked, it stands in the reply",)


@pytest.mark.parametrize(
    ("choice", "calls", "expected"),
    [
        ("", (), ()),
        ("auto", (), ()),
        ("none", (ADD,), ("tool_choice: none asked, add called",)),
        ("required", (), ("tool_choice: required asked, no call given",)),
        ("required", (ADD,), ()),
        ("add", (ADD,), ()),
        ("look", (ADD,), ("tool_choice: look asked, add given",)),
        ("look", (), ("tool_choice: look asked, no call given",)),
    ],
)
def test_a_choice_of_tools(choice, calls, expected):
    assert lines("x", calls, choice=choice, tools=(ToolSpec("add"),)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1}', ()),
        ("Sure!", ("response_format: reply is no JSON",)),
        ('{"a": "x"}', ("response_format: reply does not fit the schema ('x' is not of type 'integer')",)),
    ],
)
def test_a_schema(text, expected):
    assert lines(text, constraint=Constraint("json_schema", SCHEMA)) == expected


def test_a_grammar_that_the_server_has_not():
    assert lines("x", constraint=Constraint("regex", "x+")) == ("constraint: regex asked, this kind of model has none",)


def test_a_schema_says_nothing_of_calls():
    assert lines("", (ADD,), constraint=Constraint("json_schema", SCHEMA)) == ()
