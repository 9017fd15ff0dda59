"""Calls of one reply that say the same once more."""

from toolmend.messages import Call
from toolmend.resolve.repeated import joined


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
