"""What differs between two states, and the places that a pattern names."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.grading.changes import MISSING, differences, places

GHOUL, RAT = {"name": "Ghoul", "hp": 10}, {"name": "Rat", "hp": 2}


def told(before, after):
    """Every difference as text."""
    return [str(each) for each in differences(before, after)]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"a": 1}, {"a": 1.0}, []),
        ({"a": 1}, {"a": True}, ["a was changed"]),
        ({"a": 1}, {"a": 2, "b": 3}, ["a was changed", "b was added"]),
        ([GHOUL, RAT], [RAT, GHOUL], []),
        ([GHOUL], [GHOUL, RAT], ["Rat was added"]),
        ([GHOUL, RAT], [RAT], ["Ghoul was removed"]),
        ([GHOUL], [{"name": "Ghoul", "hp": 5}], ["Ghoul/hp was changed"]),
        ([GHOUL], [{"name": "ghoul", "hp": 10}], ["Ghoul/name was changed"]),
        ([GHOUL, GHOUL], [GHOUL], ["Ghoul was removed"]),
        (["milk", "eggs"], ["eggs", "salt"], ["milk was removed", "salt was added"]),
        ([[0, 0]], [[0, 1]], ["1/2 was changed"]),
        ([{}, {}], [{}, {"traps": [{"name": "Pit"}]}], ["2/traps/Pit was added"]),
        ({}, {"traps": [{"name": "Pit"}]}, ["traps/Pit was added"]),
        ({"traps": [{"name": "Pit"}]}, {}, ["traps/Pit was removed"]),
        ({}, {"room": {"name": "Hall"}}, ["room was added"]),
        ({"a": [1]}, {"a": "x"}, ["a was changed"]),
        (1, 2, ["everything was changed"]),
    ],
)
def test_differences(before, after, expected):
    assert told(before, after) == expected


def test_the_outermost_place_of_what_is_new_is_told_alone():
    [found] = differences({"rooms": []}, {"rooms": [{"name": "Hall", "enemies": [RAT]}]})
    assert (found.path, found.before) == (("rooms", "Hall"), MISSING)


STATE = {"rooms": [{"name": "Hall", "cells": [{}, {"traps": [1]}]}, {"name": "Crypt", "cells": []}]}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("rooms/Hall/name", ["rooms/Hall/name"]),
        ("rooms/hall/name", ["rooms/Hall/name"]),
        ("rooms/*/name", ["rooms/Hall/name", "rooms/Crypt/name"]),
        ("rooms/Hall/cells/2/traps", ["rooms/Hall/cells/2/traps"]),
        ("rooms/Hall/cells/-1/traps", ["rooms/Hall/cells/2/traps"]),
        ("rooms/Hall/cells/-2", ["rooms/Hall/cells/1"]),
        ("rooms/Hall/enemies", ["rooms/Hall/enemies"]),  # nothing is there yet, but something could be
        ("rooms/Attic/name", []),
        ("rooms/Attic", []),
    ],
)
def test_places(pattern, expected):
    assert ["/".join(path) for path, _, _ in places(STATE, STATE, tuple(pattern.split("/")))] == expected


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "id", "a", "b"]), inner),
    max_leaves=8,
)


@given(json_values, json_values)
@settings(deadline=None, max_examples=300)
def test_equal_states_have_no_difference_and_others_do(one, other):
    assert told(one, json.loads(json.dumps(one))) == []
    found = told(one, other)
    assert isinstance(found, list) and (found == [] or json.dumps(one) != json.dumps(other))  # false is not 0


@given(json_values, json_values, st.lists(st.sampled_from(["*", "a", "name", "1", "-1", "x"]), min_size=1, max_size=3))
@settings(deadline=None, max_examples=200)
def test_any_pattern_finds_places_in_any_states(one, other, pattern):
    assert all(len(path) <= len(pattern) for path, _, _ in places(one, other, tuple(pattern)))
