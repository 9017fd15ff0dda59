"""Events survive being written and read: what `from_json` gives is what `to_json` got."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.base.events import (
    SCHEMA,
    Asked,
    Called,
    Corrected,
    Decided,
    Finished,
    Looked,
    Marked,
    Read,
    Refused,
    Replied,
    Tried,
    Undone,
    from_json,
    to_json,
)
from toolmend.base.messages import Call, CallResult, Usage
from toolmend.base.mistakes import Correction, Kind, Mark, Mistake

CALL = Call("action.add", {"title": "Lunch", "tags": ["a", {"b": None}], "*2": 1.5}, "c2", "c1")
MISTAKE = Mistake(Kind.WRONG_VALUE, "time", "action.add", "17:00", ["5PM"])
EVENTS = [
    Asked(0, "Add a lunch"),
    Asked(1, "No", 0, "router: takes back ('no')"),
    Replied(0, "text"),
    Replied(0, "text", "planner", "builtin/small", Usage(10, 5, 0.25), "length", "because"),
    Read(0),
    Read(0, (CALL, Call("x")), ("fence", "comment"), "Sure!", "syntax"),
    Called(0, CALL, CallResult("c2", {"title": "Lunch"}, coerced=("duration: '30' -> 30",))),
    Called(0, Call("x"), CallResult("", error="no such tool")),
    Called(0, Call("x"), CallResult("c1", False)),
    Called(0, Call("x"), CallResult("c1", 0)),
    Refused(1, CALL, "cannot be undone"),
    Decided(1, CALL, "write", "allowed"),
    Decided(1, CALL, "danger", "denied", "person", "not now", "- a line"),
    Called(0, Call("x"), CallResult("c1", "text from outside", foreign=True)),
    Undone(1, ("c2", "c1")),
    Undone(1, (), True),
    Corrected(1, Correction("Wrong."), 0),
    Corrected(1, Correction("The time is wrong.", 2, MISTAKE), 0),
    Corrected(1, Correction("Try again.", 0), 0),
    Marked(0, ()),
    Marked(0, (Mark.FIXED, Mark.MISTAKE), (MISTAKE, Mistake(Kind.CHATTER)), False, 0),
    Looked(0, {"rooms": []}, {"rooms": [{"name": "Hall"}]}, True, "Done.", {"published": False}),
    Looked(0, None, [1, None], False),
    Tried(0, "level 2", Correction("The time is wrong.", 2, MISTAKE), "text"),
    Tried(0, "false", Correction("Wrong.", 1), "t", (Mark.REGRESSED,), (MISTAKE,), (MISTAKE,), False, Usage(1, 2, 3.5)),
    Finished(),
    Finished("error", "no connection"),
]


@pytest.mark.parametrize("event", EVENTS, ids=repr)
def test_an_event_comes_back_equal(event):
    assert from_json(json.loads(json.dumps(to_json(event)))) == event


def test_every_type_of_event_is_among_the_examples():
    assert {type(event).__name__ for event in EVENTS} == {
        "Asked", "Replied", "Read", "Called", "Decided", "Refused", "Undone", "Corrected", "Looked", "Marked",
        "Tried", "Finished",
    }  # fmt: skip


def test_what_is_default_is_not_written():
    assert to_json(Asked(0, "hi")) == {"event": "asked", "turn": 0, "text": "hi"}


def test_what_is_written_is_plain():
    assert to_json(Marked(2, (Mark.FIXED,), (Mistake(Kind.CHATTER),), step=1)) == {
        "event": "marked",
        "turn": 2,
        "marks": ["fixed"],
        "mistakes": [{"kind": "chatter"}],
        "step": 1,
    }


def test_an_unknown_type_is_named():
    with pytest.raises(ValueError, match="unknown event 'dreamt'"):
        from_json({"event": "dreamt", "turn": 0})


def test_the_schema_is_the_first():
    assert SCHEMA == 1


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
ids = st.text(max_size=4)
calls = st.builds(Call, st.text(), st.dictionaries(st.text(), json_values, max_size=3), ids, st.none() | ids)
kinds = st.sampled_from(Kind)
mistakes = st.builds(Mistake, kinds, st.none() | st.text(), st.none() | st.text(), json_values, json_values)
corrections = st.builds(Correction, st.text(), st.none() | st.integers(0, 3), st.none() | mistakes)
results = st.builds(CallResult, ids, json_values, st.none() | st.text(), st.tuples() | st.tuples(st.text()))
usages = st.builds(Usage, st.integers(0), st.integers(0), st.floats(0, 1e6))
marks = st.lists(st.sampled_from(Mark), max_size=3).map(tuple)
many = st.lists(mistakes, max_size=2).map(tuple)
turns = st.integers(0, 99)
texts = st.text()
any_event = st.one_of(
    st.builds(Asked, turns, texts, st.none() | turns, texts),
    st.builds(Replied, turns, texts, texts, texts, usages, texts, texts),
    st.builds(Read, turns, st.lists(calls, max_size=2).map(tuple), st.tuples(texts), texts, st.none() | texts),
    st.builds(Called, turns, calls, results),
    st.builds(Refused, turns, calls, texts),
    st.builds(Undone, turns, st.lists(ids).map(tuple), st.booleans()),
    st.builds(Corrected, turns, corrections, turns),
    st.builds(Marked, turns, marks, many, st.booleans(), st.none() | turns),
    st.builds(Tried, turns, texts, corrections, texts, marks, many, many, st.booleans(), usages),
    st.builds(Looked, turns, json_values, json_values, st.booleans(), texts, st.dictionaries(texts, st.booleans())),
    st.builds(Finished, texts, texts),
)


@given(any_event)
@settings(deadline=None, max_examples=300)
def test_any_event_comes_back_equal(event):
    assert from_json(json.loads(json.dumps(to_json(event)))) == event
