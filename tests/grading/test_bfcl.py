"""BFCL's rules: what its checker accepts and refuses, by hand. Side by side with it: benchmarks/bfcl_peer.py."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from toolmend.base.messages import Call, Reply, ToolSpec
from toolmend.grading import Expected, grade
from toolmend.grading.bfcl import read_bfcl
from toolmend.grading.foreign import json_schema, possible_answers


def verdict(schema: dict[str, Any], answers: list[Any], value: Any, required: bool = True) -> bool:
    """Whether one value is right for one parameter."""
    parameters = {"type": "dict", "properties": {"x": schema}, "required": ["x"] if required else []}
    specs = (ToolSpec("f", "", json_schema(parameters, set())),)
    expected = Expected(possible_answers([{"f": {"x": answers}}], specs), rules="bfcl")
    return grade([Call("f", {} if value is ... else {"x": value})], expected, specs).correct


TEXT, FLOAT, WHOLE = {"type": "string"}, {"type": "float"}, {"type": "integer"}
FLOATS, TUPLE = {"type": "array", "items": FLOAT}, {"type": "tuple", "items": FLOAT}
DICT, DICTS = {"type": "dict"}, {"type": "array", "items": {"type": "dict"}}


@pytest.mark.parametrize(
    ("schema", "answers", "value", "right"),
    [
        (TEXT, ["x**3"], "x^3", True),
        (TEXT, ["Washington, DC"], "washington D.C.", True),
        (TEXT, ["it's"], 'it"s', True),
        (TEXT, ["a b"], "a\tb", False),
        (TEXT, ["5"], 5, False),
        (TEXT, ["a", ""], "", True),
        (FLOAT, [5.0], 5, True),
        (FLOAT, [5.0], True, False),
        (WHOLE, [5], 5.0, False),
        (WHOLE, [5.5], 5.5, True),
        (WHOLE, ["n"], "n", True),
        (WHOLE, ["n"], "N", False),
        (FLOATS, [[1.0, 2.0]], [1.0, 2.0], True),
        (FLOATS, [[1.5, 2.5]], [1, 2.5], False),
        (FLOATS, [[1, 2]], [1, 2], True),
        (FLOATS, [[1.5]], (1.5,), False),
        (TUPLE, [[1.5]], (1.5,), True),
        ({"type": "array", "items": TEXT}, [["a-b"]], ["A B"], True),
        ({"type": "array", "items": TEXT}, [["a"], ""], [], True),
        (DICT, [{"k": ["v", ""], "n": [1]}], {"n": 1}, True),
        (DICT, [{"k": ["v", ""], "n": [1]}], {"k": "V.", "n": 1}, True),
        (DICT, [{"k": ["v", ""], "n": [1]}], {"k": "v"}, False),
        (DICT, [{"k": ["v"]}], {"k": "v", "more": 1}, False),
        (DICTS, [[{"k": ["v"]}]], [{"k": "v"}], True),
        (DICTS, [[{"k": ["v"]}]], [], False),
        ({"type": "any"}, [7], 7, True),
    ],
)
def test_values(schema: dict[str, Any], answers: list[Any], value: Any, right: bool) -> None:
    assert verdict(schema, answers, value) is right


def test_what_may_be_left_out() -> None:
    assert verdict(TEXT, ["a", ""], ..., required=False)
    assert not verdict(TEXT, ["a"], ..., required=False)
    assert not verdict(TEXT, ["a", ""], ..., required=True)


def test_no_default_is_implied() -> None:
    schema = {"type": "object", "properties": {"x": TEXT, "n": {"type": "integer", "default": 3}}, "required": ["x"]}
    specs = (ToolSpec("f", "", schema),)
    expected = Expected(possible_answers([{"f": {"x": ["a"]}}], specs))
    call = Call("f", {"x": "a", "n": 3})
    assert grade([call], expected, specs).correct
    assert not grade([call], replace(expected, rules="bfcl"), specs).correct


def test_words_beside_a_call_do_not_matter_and_unknown_calls_do() -> None:
    specs = (ToolSpec("f", "", {"type": "object", "properties": {}}),)
    due, none = (Expected(possible_answers(truth, specs), rules="bfcl") for truth in ([{"f": {}}], []))
    assert grade(Reply("Here it is", (Call("f"),)), due, specs).correct
    assert grade("Sure: f()", none, specs).correct
    assert not grade("g()", none, specs).correct


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("[f(a=1), m.g(b='x')]", [("f", {"a": 1}), ("m.g", {"b": "x"})]),
        ("f(a=1)", [("f", {"a": 1})]),
        ("```\n[f(1, a=-2)]\n```", [("f", {"a": -2})]),
        ("f(a=(1, 2), b=name, c=2**3)", [("f", {"a": (1, 2), "b": "name", "c": 8})]),
        ("f(d=g(1), e=g(x=1))", [("f", {"d": "g(1)", "e": {"g": {"x": 1}}})]),
        ("f(a={1})", []),
        ("Sure: f(a=1)", []),
        ("[]", []),
        ("import os", []),
    ],
)
def test_texts_are_decoded_whole_or_not_at_all(text: str, calls: list[tuple[str, dict[str, Any]]]) -> None:
    assert [(call.tool, call.arguments) for call in read_bfcl(text).calls] == calls
