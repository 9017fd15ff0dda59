"""The grader refuses what is wrong for the right reason, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import specimens
from specimens import self_test
from toolmend.base.messages import ToolSpec
from toolmend.grading import (
    Any_,
    Date,
    Duration,
    Expected,
    ExpectedCall,
    OneOf,
    Optional_,
    Regex,
    Time,
    grade,
)

Tools = tuple[ToolSpec, ...]
ADD, REMOVE = "action.add_calendar_entry", "action.remove_calendar_entry"
MEETING = ExpectedCall(ADD, {"title": "Meeting with Fred", "date": "2024-11-11", "time": "17:00", "duration": 180})
REMOVED = ExpectedCall(REMOVE, {"title": "Meeting with Fred", "date": Date(None, 11, 11), "time": Time(17)})
STEPS = [
    Expected((MEETING,)),
    Expected((REMOVED,)),
    Expected((MEETING, REMOVED)),
    Expected((MEETING, REMOVED), ordered=True),
    Expected((MEETING,), bare=False),
    Expected(),
    Expected(asks=("date",)),
]
RICH = ToolSpec(
    "order",
    parameters={
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "size": {"enum": ["small", "large"]},
            "price": {"type": "number"},
            "count": {"type": "integer", "default": 1},
            "paid": {"type": "boolean", "default": False},
            "items": {"type": "array", "items": {"type": "string"}},
            "tags": {"type": "array", "uniqueItems": True},
            "to": {"type": "object"},
            "wait": {"type": "string", "format": "duration"},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        },
        "required": ["name", "size", "price", "items", "tags", "to", "wait"],
    },
)
ORDER = ExpectedCall(
    "order",
    {
        "name": Regex("[a-z ]+", "fred"),
        "size": "small",
        "price": OneOf((9.5, 10)),
        "count": 2,
        "paid": True,
        "items": ["apple", "pear"],
        "tags": ["b", "a"],
        "to": {"street": "Main", "number": 3},
        "wait": Duration(45),
        "note": Any_(),
    },
)


def test_calendar_steps(tools: Tools) -> None:
    report = self_test(STEPS, tools)
    assert [str(trial) for trial in report.failures] == []
    assert report.ok
    assert set(report.counts) == {
        "reference",
        "reference in another order",
        "wrong name",
        "wrong receiver",
        "wrong tool",
        "dropped argument",
        "extra argument",
        "changed value",
        "swapped arguments",
        "wrong type",
        "wrong format",
        "chatter before",
        "chatter after",
        "broken syntax",
        "repeated call",
        "extra call",
        "dropped call",
        "unwanted call",
    }


def test_every_kind_of_argument() -> None:
    report = self_test([Expected((ORDER,))], (RICH,))
    assert [str(trial) for trial in report.failures] == []
    reversed_lists = [trial.argument for trial in report.trials if trial.name == "reversed list"]
    assert reversed_lists == ["items"]  # `tags` is a set: its order does not count
    assert "note" not in [trial.argument for trial in report.trials if trial.name == "changed value"]


def test_every_acceptable_value_is_tried() -> None:
    texts = [trial.text for trial in self_test([Expected((ORDER,))], (RICH,)).trials if trial.name == "reference"]
    assert ["price=9.5" in text for text in texts] == [True, False]


def test_a_pattern_without_an_example_is_a_failure_that_says_so() -> None:
    call = ExpectedCall("order", {**ORDER.arguments, "name": Regex("[a-z]+")})
    report = self_test([Expected((call,))], (RICH,))
    assert [str(trial) for trial in report.failures] == [
        "step 1: reference (name): the pattern of name has no example; add one to let it be tested"
    ]


def test_a_grader_that_sees_nothing_fails(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(specimens, "grade", lambda text, expected, specs: grade([], Expected(), specs))
    report = self_test([Expected((MEETING,))], tools)
    assert {trial.name for trial in report.trials if trial.ok} == {"reference"}
    assert "due missing_argument(date), got none" in "\n".join(map(str, report.failures))


values = st.one_of(
    st.text("ab cD1é", min_size=1, max_size=6),
    st.integers(-99, 99),
    st.booleans(),
    st.dates().map(str),
    st.times().map(lambda time: time.strftime("%H:%M")),
    st.lists(st.integers(0, 9), max_size=3),
    st.floats(-9, 9),
)
TYPES = {str: "string", int: "integer", bool: "boolean", list: "array", float: "number"}


@given(st.dictionaries(st.sampled_from(["a", "b", "c", "d"]), values, max_size=4), st.data())
@settings(deadline=None, max_examples=60)
def test_steps_of_any_kind(arguments: dict[str, Any], data: st.DataObject) -> None:
    required = [name for name in arguments if data.draw(st.booleans(), label=name)]
    typed = data.draw(st.booleans(), label="typed")
    properties = {name: {"type": TYPES[type(value)]} if typed else {} for name, value in arguments.items()}
    schema = {"type": "object", "properties": properties, "required": required}
    tools = (ToolSpec("f", parameters=schema, receiver="x"), ToolSpec("other", parameters={}))
    call = ExpectedCall("x.f", arguments)
    report = self_test([Expected((call,)), Expected((call, ExpectedCall("other")))], tools)
    assert [str(trial) for trial in report.failures] == []


def test_optional_arguments_rules_inside_mappings_and_any_call() -> None:
    schema = {"type": "object", "properties": {"p": {"type": "object"}, "n": {"type": "integer"}}, "required": ["p"]}
    specs = (ToolSpec("f", "", schema),)
    due = ExpectedCall("f", {"p": {"day": Date(2025, 5, 3), "who": Optional_("Ada")}, "n": Optional_(OneOf((1, 2)))})
    report = self_test([Expected((due,)), Expected(any_call=True)], specs)
    assert report.failures == ()
    assert report.counts["reference without an optional argument"] == (1, 1)
    assert report.counts["no call"] == (1, 1)
