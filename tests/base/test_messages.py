"""The values that travel."""

import dataclasses

import pytest

from toolmend.base.messages import Call, CallResult, Message, Reply, Request, ToolSpec, Usage

SCHEMA = {"type": "object", "properties": {"b": {"type": "string"}, "a": {"type": "integer"}}, "required": ["b"]}


@pytest.mark.parametrize(("receiver", "full"), [("action", "action.add"), ("", "add")])
def test_a_tool_is_called_by_its_receiver_and_name(receiver, full):
    assert ToolSpec("add", receiver=receiver).full_name == full


def test_parameters_stand_in_the_order_of_the_signature():
    spec = ToolSpec("add", parameters=SCHEMA)
    assert (list(spec.properties), spec.required) == (["b", "a"], ("b",))


def test_a_tool_without_parameters_has_none():
    spec = ToolSpec("now", parameters={})
    assert (dict(spec.properties), spec.required) == ({}, ())


def test_a_result_is_good_unless_it_is_an_error():
    assert CallResult("c1", None).ok
    assert not CallResult("c1", error="").ok


def test_usage_adds_up():
    assert Usage(1, 2, 0.5) + Usage(10, 20, 0.25) == Usage(11, 22, 0.75)


def test_a_reply_prints_as_its_text():
    assert str(Reply("hi", reasoning="because")) == "hi"


@pytest.mark.parametrize("value", [ToolSpec("a"), Call("a"), Message("user", "a"), Request(()), Reply("a"), Usage()])
def test_values_do_not_change(value):
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, dataclasses.fields(value)[0].name, "other")
