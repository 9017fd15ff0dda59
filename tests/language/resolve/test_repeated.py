"""Calls of one reply that say the same once more."""

import pytest

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.resolve.repeated import joined, own_numbers
from toolmend.language.resolve.said import Said


def test_a_call_that_another_has_all_of_is_dropped():
    whole = Call("find", {"place": "Rome", "year": 2020})
    assert joined([Call("find", {"place": "Rome"}), whole]) == [whole]
    assert joined([whole, whole]) == [whole]


def test_calls_that_differ_in_a_list_are_one():
    calls = [Call("find", {"facts": ["age"], "of": "Bo"}), Call("find", {"facts": ["age", "town"], "of": "Bo"})]
    assert joined(calls) == [Call("find", {"facts": ["age", "town"], "of": "Bo"})]
    assert joined([Call("a", {"n": [1]}), Call("a", {"n": [2]})]) == [Call("a", {"n": [1, 2]})]


def test_calls_that_differ_in_a_value_are_two():
    calls = [Call("find", {"place": "Rome"}), Call("find", {"place": "Oslo"}), Call("drop", {"place": "Oslo"})]
    assert joined(calls) == calls


def test_a_change_is_never_joined():
    calls = [Call("find", {"place": "Rome"}, amends="c1"), Call("find", {"place": "Rome"}, amends="c2")]
    assert joined(calls) == calls


NUMBER = {"type": "integer"}
HEAT = ToolSpec("heat", parameters={"type": "object", "properties": {"degrees": NUMBER}, "required": ["degrees"]})
PRINT = ToolSpec("print", parameters={"type": "object", "properties": {"what": {}, "copies": NUMBER}, "required": []})


@pytest.mark.parametrize(
    ("sentence", "copies", "kept"),
    [
        ("heat it to eighty and print the hinge", "eighty", False),
        ("heat it to 80 and print 80 hinges", "80", True),
        ("heat it to eighty and print two hinges", "two", True),
    ],
)
def test_a_number_that_another_call_needs_is_not_one_more_calls(sentence: str, copies: str, kept: bool) -> None:
    degrees = "80" if "80" in sentence else "eighty"
    lines = [Said("heat", {"degrees": degrees}), Said("print", {"what": "hinge", "copies": copies})]
    heard = own_numbers(lines, {"heat": HEAT, "print": PRINT}, sentence)
    assert (heard[0].words, "copies" in heard[1].words) == ({"degrees": degrees}, kept)
