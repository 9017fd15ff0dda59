"""Calls out of pieces, however a server numbers them."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.base.messages import Call
from toolmend.models.deltas import RAW, Calls, arguments_of

ADD, LOOK = {"title": "Lunch with Ada", "at": "12:00"}, {"day": 3}


def merged(*deltas: object) -> tuple[Call, ...]:
    calls = Calls()
    for delta in deltas:
        calls.add(delta)
    return calls.done()


def piece(name: str | None = None, arguments: object = None, **more: object) -> dict[str, object]:
    return {"function": {"name": name, "arguments": arguments}, **more}


CALLS = st.lists(
    st.tuples(st.sampled_from(["add", "look", "wait"]), st.dictionaries(st.text(max_size=3), st.text(max_size=6))),
    min_size=1,
    max_size=4,
)


def pieces_of(number: int, name: str, arguments: dict[str, str], chance: random.Random) -> list[dict[str, object]]:
    """A call in pieces, the name in the first."""
    text = json.dumps(arguments)
    cuts = sorted(chance.sample(range(len(text)), min(3, len(text))))
    parts = [text[first:last] for first, last in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    return [piece(name if at == 0 else None, part) for at, part in enumerate(parts)]


def interleaved(calls: list[list[dict[str, object]]], chance: random.Random) -> list[dict[str, object]]:
    order = [number for number, pieces in enumerate(calls) for _ in pieces]
    chance.shuffle(order)
    waiting = [iter(pieces) for pieces in calls]
    return [next(waiting[number]) for number in order]


@given(CALLS, st.randoms(use_true_random=False))
def test_pieces_with_ids_merge_in_any_order(calls, chance):
    pieces = [
        [each | {"id": f"id{number}", "index": 0} for each in pieces_of(number, *call, chance)]
        for number, call in enumerate(calls)
    ]
    found = {call.id: (call.tool, call.arguments) for call in merged(*interleaved(pieces, chance))}
    assert found == {f"id{number}": call for number, call in enumerate(calls)}


@given(CALLS, st.randoms(use_true_random=False), st.booleans())
def test_pieces_with_indices_merge_in_any_order(calls, chance, first_id):
    pieces = []
    for number, call in enumerate(calls):
        each = [part | {"index": number} for part in pieces_of(number, *call, chance)]
        if first_id:
            each[0]["id"] = f"id{number}"
        pieces.append(each)
    found = merged(*interleaved(pieces, chance))
    assert [(call.tool, call.arguments) for call in found] == calls


@given(CALLS, st.randoms(use_true_random=False))
def test_pieces_with_nothing_belong_to_the_call_that_is_open(calls, chance):
    pieces = [each for number, call in enumerate(calls) for each in pieces_of(number, *call, chance)]
    assert [(call.tool, call.arguments) for call in merged(*pieces)] == calls


@given(CALLS, st.sampled_from([{}, {"index": 0}, {"id": ""}, {"id": None, "index": 0}]))
def test_whole_calls_under_one_number_stay_apart(calls, numbered):
    deltas = [piece(name, json.dumps(arguments)) | numbered for name, arguments in calls]
    assert [(call.tool, call.arguments) for call in merged(*deltas)] == calls


def test_an_id_that_comes_late_belongs_to_its_index():
    assert merged(piece("add", '{"a"', index=0), piece(None, ": 1}", index=0, id="x")) == (Call("add", {"a": 1}, "x"),)


def test_an_id_made_up_for_every_piece_belongs_to_its_index():
    deltas = [piece("add", '{"a"', index=0, id="x"), piece(None, ": 1}", index=0, id="y")]
    assert merged(*deltas) == (Call("add", {"a": 1}, "x"),)


def test_a_name_said_again_is_said_once():
    assert merged(piece("add", '{"a"', id="x"), piece("add", ": 1}", id="x")) == (Call("add", {"a": 1}, "x"),)


def test_a_name_in_pieces_is_put_together():
    assert merged(piece("ad", None, id="x"), piece("d", "{}", id="x")) == (Call("add", {}, "x"),)


def test_calls_stand_in_the_order_of_their_indices():
    assert [call.tool for call in merged(piece("b", "{}", index=1), piece("a", "{}", index=0))] == ["a", "b"]


def test_arguments_that_are_an_object_already_are_taken():
    assert merged(piece("add", {"a": 1}), piece("add", {"a": 2})) == (Call("add", {"a": 1}), Call("add", {"a": 2}))


@pytest.mark.parametrize("delta", [None, "add", 7, [], ["add"]])
def test_what_is_no_piece_is_nothing(delta):
    assert merged(delta) == ()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.floats(),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["id", "index", "function", "name", "arguments"]), inner)
    ),
    max_leaves=8,
)


@given(st.lists(JSON, max_size=5))
def test_no_pieces_raise(deltas):
    calls = Calls()
    for delta in deltas:
        calls.add(delta)
        calls.whole(delta)
    assert all(isinstance(call.tool, str) and isinstance(call.id, str) for call in calls.done())


def test_whole_calls_are_one_each_even_under_one_id():
    calls = Calls()
    for _ in range(2):
        calls.whole(piece("add", "{}", id="x", index=0))
    assert calls.done() == (Call("add", {}, "x"), Call("add", {}, "x"))


@pytest.mark.parametrize(
    ("text", "arguments"), [('{"a": 1}', {"a": 1}), ("", {}), (" \n", {}), ('\n{"a": []} ', {"a": []})]
)
def test_arguments_are_a_json_object(text, arguments):
    assert arguments_of(text) == arguments


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1',
        "{'a': 1}",
        '{"a": 60*3}',
        '{"a": 17:00}',
        "[1]",
        '"{}"',
        "null",
        '{"a": 1, "a": 2}',
        '{"a": NaN}',
        '{"a": 1e999}',
        '{"a": ' + "9" * 5000 + "}",
        '{"a": ' + "[" * 5000 + "]" * 5000 + "}",
        "add(a=1)",
    ],
)
def test_other_arguments_stay_as_they_came(text):
    assert arguments_of(text) == {RAW: text}


@given(st.text())
def test_no_arguments_raise(text):
    assert isinstance(arguments_of(text), dict)
